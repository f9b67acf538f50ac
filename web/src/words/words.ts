// The languages of the page. A new one is a file beside this and a line in the list; a missing phrase does not compile.
// Only the words that are wanted are loaded.
import { en } from './en';

export type Words = typeof en;

export const LANGUAGES = {
  en: { name: 'English', load: async (): Promise<Words> => en },
  ko: { name: '한국어', load: async (): Promise<Words> => (await import('./ko')).ko },
};
export type Language = keyof typeof LANGUAGES;

/** The first of the wished languages that there are words for. */
export function languageFor(wished: readonly string[]): Language {
  for (const wish of wished) {
    const code = wish.slice(0, 2).toLowerCase();
    if (code in LANGUAGES) return code as Language;
  }
  return 'en';
}
