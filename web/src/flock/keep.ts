// What the live stream does to the agents that are known. Pure: the map is copied when something changes.
import type { AgentView } from '../api/types';

export type Agents = ReadonlyMap<string, AgentView>;

export function take(agents: Agents, told: readonly { name: string; data: unknown }[]): Agents {
  let next: Map<string, AgentView> | null = null;
  const change = () => (next ??= new Map(agents));
  for (const { name, data } of told) {
    const agent = data as AgentView;
    if (!agent || typeof agent.agent_id !== 'string') continue;
    if (name === 'mascot://agent-departed' || agent.status === 'offline') {
      if ((next ?? agents).has(agent.agent_id)) change().delete(agent.agent_id);
    } else if (name === 'mascot://agent-appeared' || name === 'mascot://agent-update') {
      change().set(agent.agent_id, agent);
    }
  }
  return next ?? agents;
}
