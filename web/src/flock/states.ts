// Everything the page knows about a state, in one table: its colour, sign, pose, and how much it wants to be seen.
// The words of each stand in words/.
import type { AgentView, Status } from '../api/types';
import type { IconName } from '../parts/icons';

export type Tone = 'ask' | 'work' | 'think' | 'good' | 'bad' | 'calm' | 'dim';

export interface State {
  tone: Tone;
  icon: IconName;
  pose: string;
  /** Whether the person is wanted. */
  needsYou: boolean;
  /** Which filter it falls under. */
  group: Group;
}

export const GROUPS = ['ask', 'work', 'bad', 'good', 'calm', 'dim'] as const;
export type Group = (typeof GROUPS)[number];

const state = (group: Group, tone: Tone, icon: IconName, pose: string): State => ({
  group, tone, icon, pose, needsYou: group === 'ask',
});

export const STATES: Record<Status, State> = {
  pending_input: state('ask', 'ask', 'hand', 'waiting'),
  failed: state('bad', 'bad', 'cross', 'failed'),
  working: state('work', 'work', 'gear', 'working'),
  thinking: state('work', 'think', 'dots', 'thinking'),
  startled: state('work', 'work', 'spark', 'startled'),
  walking: state('work', 'work', 'steps', 'walking'),
  chatting: state('work', 'work', 'speech', 'chatting'),
  returning: state('work', 'work', 'steps', 'walking'),
  appearing: state('work', 'work', 'spark', 'appearing'),
  completed: state('good', 'good', 'check', 'done'),
  idle: state('calm', 'calm', 'pause', 'idle'),
  resting: state('calm', 'calm', 'moon', 'resting'),
  disappearing: state('dim', 'dim', 'door', 'leaving'),
  offline: state('dim', 'dim', 'door', 'leaving'),
  unknown: state('dim', 'dim', 'question', 'unknown'),
};

/** The state's row; a status of a later daemon is one that nobody knows. */
export function stateOf(status: string): State {
  return STATES[status as Status] ?? STATES.unknown;
}

/** Whether what the agent did last was refused by the guard: it has not run, and nothing else has since. */
export function isRefused(agent: AgentView): boolean {
  return agent.refused !== null && stateOf(agent.status).group === 'work';
}
