// The tree of a session's agents as a list with depths, and what all of them used together.
import type { AgentNode, AgentView, Usage } from '../api/shapes';

export function flatten(nodes: readonly AgentNode[], depth = 0): { agent: AgentView; depth: number }[] {
  return nodes.flatMap((node) => [{ agent: node.agent, depth }, ...flatten(node.children, depth + 1)]);
}

export function sumUsage(agents: readonly AgentView[]): Required<Omit<Usage, 'cost_usd'>> & { cost_usd: number | null } {
  const sum = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_creation_tokens: 0, messages: 0, cost_usd: null as number | null };
  for (const { usage } of agents) {
    sum.input_tokens += usage.input_tokens ?? 0;
    sum.output_tokens += usage.output_tokens ?? 0;
    sum.cache_read_tokens += usage.cache_read_tokens ?? 0;
    sum.cache_creation_tokens += usage.cache_creation_tokens ?? 0;
    sum.messages += usage.messages ?? 0;
    if (typeof usage.cost_usd === 'number') sum.cost_usd = (sum.cost_usd ?? 0) + usage.cost_usd;
  }
  return sum;
}
