// The address of an agent's picture. The same agent in the same pose has the same address, so the browser keeps it.
import type { AgentView } from '../api/types';
import { stateOf } from './states';

const TOOL_POSES: Record<string, string> = {
  Bash: 'terminal', BashOutput: 'terminal',
  Read: 'searching', Grep: 'searching', Glob: 'searching', WebFetch: 'searching', WebSearch: 'searching', LS: 'searching',
  Edit: 'editing', Write: 'editing', NotebookEdit: 'editing', MultiEdit: 'editing',
};

/** The tool that is told of as `Bash: cargo test`, where one is. */
export function toolOf(agent: AgentView): string | null {
  const said = agent.current_task ?? agent.bubble ?? '';
  return /^([A-Za-z_][\w-]*)(?::|$)/.exec(said)?.[1] ?? null;
}

export function poseOf(agent: AgentView): string {
  if (agent.status !== 'working') return stateOf(agent.status).pose;
  return TOOL_POSES[toolOf(agent) ?? ''] ?? 'working';
}

export function creatureAddress(agent: AgentView, version: string, still = false): string {
  const look = agent.appearance;
  const query = new URLSearchParams({
    body: String(look.body_index), hair: String(look.hair_index), outfit: String(look.outfit_index),
    accessory: String(look.accessory_index), face: String(look.face_index),
    hair_hue: number(look.hair_hue), outfit_hue: number(look.outfit_hue),
    skin_hue: number(look.skin_hue), skin_lightness: number(look.skin_lightness),
    pose: poseOf(agent), child: agent.parent_id ? '1' : '0', v: version,
  });
  if (still) query.set('still', '1');
  return `/creature.svg?${query}`;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
