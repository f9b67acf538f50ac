// Where the page is.
import { hashOf, parseRoute, type Route } from './route';

export const here = $state<{ route: Route }>({ route: parseRoute(location.hash) });

addEventListener('hashchange', () => {
  here.route = parseRoute(location.hash);
});

export function go(view: string, id?: string | null, query?: Record<string, string>): void {
  location.hash = hashOf(view, id, query);
}

/** Goes there without a step in the history: for what is typed. */
export function replace(view: string, id?: string | null, query?: Record<string, string>): void {
  history.replaceState(null, '', hashOf(view, id, query));
  here.route = parseRoute(location.hash);
}
