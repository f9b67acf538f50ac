// The order of a table that changes while somebody points at it. Pure.
import type { SessionRow } from '../api/types';

export const SORTS = ['last', 'started', 'duration', 'cost', 'tokens', 'about', 'project'] as const;
export type Sort = (typeof SORTS)[number];

/** Those that are shown stay in their places with what is new of them; who is new comes behind, who has gone goes. */
export function inPlace(shown: readonly SessionRow[], fresh: readonly SessionRow[]): SessionRow[] {
  const known = new Map(fresh.map((row) => [row.session.session_id, row]));
  const stay = shown.flatMap((row) => known.get(row.session.session_id) ?? []);
  const here = new Set(stay.map((row) => row.session.session_id));
  return [...stay, ...fresh.filter((row) => !here.has(row.session.session_id))];
}
