// The languages of the page. A new one is a file beside this and a line in the list; a missing phrase does not compile.
import { en } from './en';
import { ko } from './ko';

export type Words = typeof en;

export const LANGUAGES = { en, ko } satisfies Record<string, Words>;
export type Language = keyof typeof LANGUAGES;

/** The first of the wished languages that there are words for. */
export function languageFor(wished: readonly string[]): Language {
  for (const wish of wished) {
    const code = wish.slice(0, 2).toLowerCase();
    if (code in LANGUAGES) return code as Language;
  }
  return 'en';
}
