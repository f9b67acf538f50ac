// The tree of a session's agents as a list with depths, and what all of them used together.
import type { AgentNode, AgentView, Usage } from '../api/types';

export function flatten(nodes: readonly AgentNode[], depth = 0): { agent: AgentView; depth: number }[] {
  return nodes.flatMap((node) => [{ agent: node.agent, depth }, ...flatten(node.children, depth + 1)]);
}

export function sumUsage(agents: readonly AgentView[]): Usage {
  const sum: Usage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_creation_tokens: 0, messages: 0, cost_usd: null };
  for (const { usage } of agents) {
    sum.input_tokens += usage.input_tokens;
    sum.output_tokens += usage.output_tokens;
    sum.cache_read_tokens += usage.cache_read_tokens;
    sum.cache_creation_tokens += usage.cache_creation_tokens;
    sum.messages += usage.messages;
    if (typeof usage.cost_usd === 'number') sum.cost_usd = (sum.cost_usd ?? 0) + usage.cost_usd;
  }
  return sum;
}
