// Every view: a new one is a file and a line here. The first six have the keys 1 to 6.
import type { Component } from 'svelte';
import type { IconName } from '../parts/icons';
import Flock from './Flock.svelte';
import Guard from './Guard.svelte';
import Search from './Search.svelte';
import Sessions from './Sessions.svelte';
import Settings from './Settings.svelte';
import Timeline from './Timeline.svelte';
import Tools from './Tools.svelte';

export interface View { name: ViewName; icon: IconName; component: Component; inMenu: boolean }
export type ViewName = 'flock' | 'timeline' | 'sessions' | 'tools' | 'guard' | 'settings' | 'search';

export const VIEWS: readonly View[] = [
  { name: 'flock', icon: 'flock', component: Flock, inMenu: true },
  { name: 'timeline', icon: 'timeline', component: Timeline, inMenu: true },
  { name: 'sessions', icon: 'sessions', component: Sessions, inMenu: true },
  { name: 'tools', icon: 'tools', component: Tools, inMenu: true },
  { name: 'guard', icon: 'guard', component: Guard, inMenu: true },
  { name: 'settings', icon: 'settings', component: Settings, inMenu: true },
  { name: 'search', icon: 'search', component: Search, inMenu: false },
];

export function viewOf(name: string): View {
  return VIEWS.find((view) => view.name === name) ?? VIEWS[0]!;
}
