// The languages of the page. A new one is a file beside this and a line in the list; a missing phrase does not compile.
// Only the words that are wanted are loaded.
import type * as views from '../views/list';
import { en } from './en';

export type Words = typeof en;

const LIST = {
  en: { name: 'English', load: async () => en },
  ko: { name: '한국어', load: async () => (await import('./ko')).ko },
};
export type Language = keyof typeof LIST;
export const LANGUAGES: { [Code in Language]: { name: string; load: () => Promise<WordsIn<Code>> } } = LIST;

type Views = typeof views;

/** The phrases of the views that bring their own, by view and language. */
export type OwnWords = { [V in keyof Views as Views[V] extends { words: object } ? V : never]: Views[V] extends { words: infer W } ? W : never };

/** What a language's file has: every phrase of English, and those of the views that do not bring them in this language. */
export type WordsIn<Code extends string> = Words & { [V in keyof OwnWords as Code extends keyof OwnWords[V] ? never : V]: OwnWords[V] extends { en: infer W } ? W : never };

/** The first of the wished languages that there are words for. */
export function languageFor(wished: readonly string[]): Language {
  for (const wish of wished) {
    const code = wish.slice(0, 2).toLowerCase();
    if (code in LANGUAGES) return code as Language;
  }
  return 'en';
}

/** The phrase for a word of the daemon; a later daemon's word stands for itself. */
export function phrase(phrases: Readonly<Record<string, string>>, word: string): string {
  return phrases[word] ?? word;
}
