// What the daemon answers, for tests, with only what a test says.
import type { AgentView, EventView, Lane, Span, Usage } from '../../src/api/types';

export function usage(more: Partial<Usage> = {}): Usage {
  return { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_creation_tokens: 0, messages: 0, cost_usd: null, unpriced: 0, ...more };
}

export function agent(id: string, more: Partial<AgentView> = {}): AgentView {
  return {
    agent_id: id, display_name: id, agent_type: null, role: 'main', employment_type: 'contractor', source: 'hook', team: null, parent_id: null, in_background: null, dialogs: [],
    peer_agent_id: null, session_id: id, workspace_id: null, model: null, status: 'working', pose: 'working', since_ms: 0, first_seen_ms: 0, last_active_ms: 0,
    assignment: null, current_task: null, waits_for: null, bubble: null, thinking_text: null, events: 0, tool_calls: 0, tool_failures: 0, refusals: 0, refused: null, failures_in_a_row: 0, turns: 0,
    background_tasks: 0, background: [], usage: usage(), models: [], context_tokens: null, session: null, client_pid: null, avatar_seed: 0,
    appearance: { body_index: 1, hair_index: 2, outfit_index: 3, accessory_index: 0, face_index: 4, hair_hue: 10.456, outfit_hue: 20, skin_hue: 30, skin_lightness: 70 },
    ...more,
  };
}

export function event(more: Partial<EventView> = {}): EventView {
  return {
    seq: 1, id: '1', at_ms: 0, name: 'PreToolUse', event_type: 'tool_started', severity: 'info', agent_id: null, session_id: null,
    workspace_id: null, tool: null, summary: null, stopped: null, ...more,
  };
}

export function lane(id: string, spans: Partial<Span>[], more: Partial<Lane> = {}): Lane {
  const whole = spans.map((span, i): Span => ({ kind: 'tool', name: 'Bash', from_ms: 0, to_ms: null, failed: false, seq: i, summary: null, ...span }));
  return { agent_id: id, session_id: id, display_name: id, parent_id: null, spans: whole, ...more };
}
