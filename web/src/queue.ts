// Who waits for the person, and for what: requests that can be answered here, and dialogs that only the terminal can
// answer, one list. What can be answered here comes first, then the longest wait. Pure.
import type { AgentView, Dialog, PermissionView } from './api/types';
import type { Card } from './permissions.svelte';

export interface Ask {
  key: string;
  /** The request that is held for this page, if it is. */
  card: Card | null;
  /** What the client shows. */
  dialog: Dialog | null;
  agentId: string | null;
  since: number;
  /** Which one of its agent's it is, and of how many. */
  place: number;
  of: number;
}

/** Whether a dialog is what a request is about. */
function isAbout(dialog: Dialog, asked: PermissionView): boolean {
  return dialog.tool === asked.tool && (asked.command === null || dialog.what === asked.command);
}

export function askerOf(asked: PermissionView): string | null {
  return asked.agent_id ?? asked.session_id;
}

export function asksOf(waiting: readonly AgentView[], cards: readonly Card[]): Ask[] {
  const agents = new Map(waiting.map((agent) => [agent.agent_id, agent]));
  const byAgent = new Map<string, Card[]>();
  for (const card of cards) {
    const id = askerOf(card.permission) ?? '';
    byAgent.set(id, [...(byAgent.get(id) ?? []), card]);
  }
  const asks = [...new Set([...agents.keys(), ...byAgent.keys()])].flatMap((id) => ofAgent(id, agents.get(id) ?? null, byAgent.get(id) ?? []));
  const here = (ask: Ask) => Number(ask.card !== null && !ask.card.permission.only_in_terminal);
  return asks.sort((a, b) => here(b) - here(a) || a.since - b.since || (a.key < b.key ? -1 : 1));
}

function ofAgent(id: string, agent: AgentView | null, cards: readonly Card[]): Ask[] {
  const left = [...(agent?.dialogs ?? [])].reverse();
  const held = cards.map((card) => {
    const at = left.findIndex((dialog) => isAbout(dialog, card.permission));
    const [dialog = null] = at < 0 ? [] : left.splice(at, 1);
    return { key: card.permission.id, card, dialog, since: card.permission.asked_ms };
  });
  const since = agent?.since_ms ?? 0;
  const shown = left.map((dialog, i) => ({ key: `${id}/${i}`, card: null, dialog, since }));
  // Of some waits nothing is known but that there is one.
  const bare = agent && held.length + shown.length === 0 ? [{ key: id, card: null, dialog: null, since }] : [];
  const all = [...held, ...shown, ...bare];
  return all.map((ask, i) => ({ ...ask, agentId: id || null, place: i + 1, of: all.length }));
}
