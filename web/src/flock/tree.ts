// The tree of a session's agents as a list with depths.
import type { AgentNode, AgentView } from '../api/types';

export function flatten(nodes: readonly AgentNode[], depth = 0): { agent: AgentView; depth: number }[] {
  return nodes.flatMap((node) => [{ agent: node.agent, depth }, ...flatten(node.children, depth + 1)]);
}
