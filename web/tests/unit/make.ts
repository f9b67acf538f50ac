// Agents and lanes for tests, with only what a test says.
import type { AgentView, Lane, Span, Status } from '../../src/api/shapes';

export function agent(id: string, more: Partial<AgentView> = {}): AgentView {
  return {
    agent_id: id, display_name: id, role: 'main', session_id: id, status: 'working' as Status, since_ms: 0, first_seen_ms: 0, last_active_ms: 0,
    events: 0, tool_calls: 0, tool_failures: 0, failures_in_a_row: 0, turns: 0, background_tasks: 0, usage: {},
    appearance: { body_index: 1, hair_index: 2, outfit_index: 3, accessory_index: 0, face_index: 4, hair_hue: 10.456, outfit_hue: 20, skin_hue: 30, skin_lightness: 70 },
    ...more,
  };
}

export function lane(id: string, spans: Partial<Span>[], more: Partial<Lane> = {}): Lane {
  const whole = spans.map((span, i): Span => ({ kind: 'tool', name: 'Bash', from_ms: 0, to_ms: null, failed: false, seq: i, ...span }));
  return { agent_id: id, session_id: id, display_name: id, parent_id: null, spans: whole, ...more };
}
