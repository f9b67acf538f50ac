// Everything the page knows about a state, in one table: its colour, its sign, and how much it wants to be seen.
// The words of each stand in words/.
import type { AgentView, Status } from '../api/types';
import type { IconName } from '../parts/icons';

export type Tone = 'ask' | 'work' | 'think' | 'good' | 'bad' | 'calm' | 'dim';

export interface State {
  tone: Tone;
  icon: IconName;
  /** Whether the person is wanted. */
  needsYou: boolean;
  /** Which filter it falls under. */
  group: Group;
}

export const GROUPS = ['ask', 'work', 'bad', 'good', 'calm', 'dim'] as const;
export type Group = (typeof GROUPS)[number];

const state = (group: Group, tone: Tone, icon: IconName): State => ({
  group, tone, icon, needsYou: group === 'ask',
});

export const STATES: Record<Status, State> = {
  pending_input: state('ask', 'ask', 'hand'),
  failed: state('bad', 'bad', 'cross'),
  working: state('work', 'work', 'gear'),
  thinking: state('work', 'think', 'dots'),
  startled: state('work', 'work', 'spark'),
  walking: state('work', 'work', 'steps'),
  chatting: state('work', 'work', 'speech'),
  returning: state('work', 'work', 'steps'),
  appearing: state('work', 'work', 'spark'),
  completed: state('good', 'good', 'check'),
  idle: state('calm', 'calm', 'pause'),
  resting: state('calm', 'calm', 'moon'),
  disappearing: state('dim', 'dim', 'door'),
  offline: state('dim', 'dim', 'door'),
  unknown: state('dim', 'dim', 'question'),
};

/** The state's row; a status of a later daemon is one that nobody knows. */
export function stateOf(status: string): State {
  return STATES[status as Status] ?? STATES.unknown;
}

/** Whether what the agent did last was refused by the guard: it has not run, and nothing else has since. */
export function isRefused(agent: AgentView): boolean {
  return agent.refused !== null && stateOf(agent.status).group === 'work';
}
