// The views of list.ts, and what each says of itself in its `<script module>`.
import type { Component } from 'svelte';
import { prefs } from '../prefs.svelte';
import type { OwnWords } from '../words/words';
import * as list from './list';

export type ViewName = keyof typeof list;

interface ViewFile {
  default: Component;
  /** A drawing like those in parts/icons.ts. */
  icon: string;
  /** Its place in the menu, where the first nine have the keys 1 to 9; `null` keeps it out of the menu. */
  place: number | null;
  /** Its phrases by language. A view without them has a section of its name in each language's file. */
  words?: { en: { title: string } };
}

export interface View { name: ViewName; component: Component; icon: string; place: number | null }

const FILES: Record<ViewName, ViewFile> = list;
const VIEWS: readonly View[] = Object.entries(FILES).map(([name, file]) => ({ name: name as ViewName, component: file.default, icon: file.icon, place: file.place }));

export const MENU: readonly View[] = VIEWS.filter((view) => view.place !== null).sort((a, b) => a.place! - b.place!);

/** The view of that name, or else the first of the menu. */
export function viewOf(name: string): View {
  return VIEWS.find((view) => view.name === name) ?? MENU[0]!;
}

/** What a view is called in the language of the page. */
export function titleOf(name: ViewName): string {
  const own = FILES[name].words;
  // A view that stands in neither place does not compile here.
  return own ? prefs.wordsOf(name, own).title : prefs.words[name as Exclude<ViewName, keyof OwnWords>].title;
}
