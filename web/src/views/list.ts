// Every view by the name that it has in addresses: a new one is a file and a line here. What a view's file says of
// itself stands in views.ts.
export * as flock from './Flock.svelte';
export * as timeline from './Timeline.svelte';
export * as sessions from './Sessions.svelte';
export * as tools from './Tools.svelte';
export * as guard from './Guard.svelte';
export * as workflow from './Workflow.svelte';
export * as today from './Today.svelte';
export * as settings from './Settings.svelte';
export * as search from './Search.svelte';
