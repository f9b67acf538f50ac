// The address of an agent's picture. The same agent in the same pose has the same address, so the browser keeps it.
import type { AgentView } from '../api/types';

export function creatureAddress(agent: AgentView, version: string, still = false): string {
  const look = agent.appearance;
  const query = new URLSearchParams({
    body: String(look.body_index), hair: String(look.hair_index), outfit: String(look.outfit_index),
    accessory: String(look.accessory_index), face: String(look.face_index),
    hair_hue: number(look.hair_hue), outfit_hue: number(look.outfit_hue),
    skin_hue: number(look.skin_hue), skin_lightness: number(look.skin_lightness),
    pose: agent.pose, child: agent.parent_id ? '1' : '0', v: version,
  });
  if (still) query.set('still', '1');
  return `/creature.svg?${query}`;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
