// Who stands with whom: one pen a session, the main agent first and below it, in the order in which they came, those
// that it started. The order depends on nothing that changes by the second, so nobody jumps about.
import type { AgentView } from '../api/types';
import { type Group, stateOf } from './states';

export interface Member { agent: AgentView; depth: number }
export interface Pen {
  key: string;
  project: string;
  sessionId: string | null;
  /** The main agent of the session, also where the filter leaves it out: it stands for the session. */
  main: AgentView | null;
  members: Member[];
  waiting: number;
  since: number;
}
export interface Filter { group: Group | 'all'; project: string }

export function fits(agent: AgentView, filter: Filter): boolean {
  const group = filter.group === 'all' || stateOf(agent.status).group === filter.group;
  return group && (filter.project === '' || projectOf(agent) === filter.project);
}

export function projectOf(agent: AgentView): string {
  return agent.workspace_id ?? '';
}

/** The pens of those that fit; whoever waits for the person brings its pen to the front. */
export function pensOf(agents: Iterable<AgentView>, filter: Filter): Pen[] {
  const bySession = new Map<string, AgentView[]>();
  const mains = new Map<string, AgentView>();
  for (const agent of agents) {
    const key = agent.session_id ?? agent.agent_id;
    if (agent.role === 'main') mains.set(key, agent);
    if (!fits(agent, filter)) continue;
    const known = bySession.get(key);
    if (known) known.push(agent);
    else bySession.set(key, [agent]);
  }
  const pens = [...bySession].map(([key, members]) => pen(key, members, mains.get(key) ?? null));
  return pens.sort((a, b) => Number(b.waiting > 0) - Number(a.waiting > 0) || b.since - a.since || (a.key < b.key ? -1 : 1));
}

function pen(key: string, agents: AgentView[], main: AgentView | null): Pen {
  const members = family(agents);
  const first = members[0]?.agent;
  return {
    key,
    project: first ? projectOf(first) : '',
    sessionId: first?.session_id ?? null,
    main,
    members,
    waiting: agents.filter((agent) => stateOf(agent.status).needsYou).length,
    since: Math.min(...agents.map((agent) => agent.first_seen_ms)),
  };
}

function family(agents: AgentView[]): Member[] {
  const here = new Set(agents.map((agent) => agent.agent_id));
  const children = new Map<string | null, AgentView[]>();
  for (const agent of agents) {
    const parent = agent.parent_id && here.has(agent.parent_id) && agent.parent_id !== agent.agent_id ? agent.parent_id : null;
    children.set(parent, [...(children.get(parent) ?? []), agent]);
  }
  const members: Member[] = [];
  const seen = new Set<string>();
  const walk = (parent: string | null, depth: number) => {
    for (const agent of (children.get(parent) ?? []).sort(byComing)) {
      if (seen.has(agent.agent_id)) continue;
      seen.add(agent.agent_id);
      members.push({ agent, depth });
      walk(agent.agent_id, depth + 1);
    }
  };
  walk(null, 0);
  // Whoever is its own ancestor still stands somewhere.
  for (const agent of agents) if (!seen.has(agent.agent_id)) members.push({ agent, depth: 1 });
  return members;
}

function byComing(a: AgentView, b: AgentView): number {
  const main = Number(b.role === 'main') - Number(a.role === 'main');
  return main || a.first_seen_ms - b.first_seen_ms || (a.agent_id < b.agent_id ? -1 : 1);
}
