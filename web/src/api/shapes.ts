// What the daemon answers. docs/openapi.json of the tree describes the same; only what the page reads stands here.

export type Status =
  | 'offline' | 'appearing' | 'idle' | 'working' | 'thinking' | 'pending_input' | 'completed' | 'failed' | 'resting'
  | 'startled' | 'walking' | 'chatting' | 'returning' | 'disappearing' | 'unknown';

export type Severity = 'debug' | 'info' | 'warn' | 'error';

export interface Appearance {
  body_index: number;
  hair_index: number;
  outfit_index: number;
  accessory_index: number;
  face_index: number;
  hair_hue: number;
  outfit_hue: number;
  skin_hue: number;
  skin_lightness: number;
}

export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cache_read_tokens?: number;
  cache_creation_tokens?: number;
  messages?: number;
  cost_usd?: number | null;
}

export interface AgentView {
  agent_id: string;
  display_name: string;
  agent_type?: string | null;
  role: 'main' | 'subagent' | 'teammate';
  team?: string | null;
  parent_id?: string | null;
  session_id?: string | null;
  workspace_id?: string | null;
  peer_agent_id?: string | null;
  appearance: Appearance;
  status: Status;
  since_ms: number;
  first_seen_ms: number;
  last_active_ms: number;
  current_task?: string | null;
  bubble?: string | null;
  thinking_text?: string | null;
  model?: string | null;
  events: number;
  tool_calls: number;
  tool_failures: number;
  failures_in_a_row: number;
  turns: number;
  background_tasks: number;
  background?: BackgroundTask[];
  usage: Usage;
}

/** Something that runs on after the turn that started it. */
export interface BackgroundTask {
  id?: string | null;
  type?: string | null;
  what?: string | null;
}

export interface EventView {
  seq: number;
  id: string;
  at_ms: number;
  name: string;
  event_type: string;
  severity: Severity;
  agent_id?: string | null;
  session_id?: string | null;
  workspace_id?: string | null;
  tool?: string | null;
  summary?: string | null;
}

export interface EventPage { events: EventView[]; next?: number | null }
export interface EventDetail { seq: number; event: Record<string, unknown> }
export interface AgentPage { agents: AgentView[]; next?: string | number | null }
export interface AgentAnswer { agent: AgentView; last: EventPage }

export interface SessionRecord {
  session_id: string;
  title?: string | null;
  workspace_id?: string | null;
  project_dir?: string | null;
  parent_session_id?: string | null;
  attended: boolean;
  started_ms: number;
  last_active_ms: number;
  ended_ms?: number | null;
  events: number;
}

export interface AgentNode { agent: AgentView; children: AgentNode[] }
export interface SessionView { session: SessionRecord; agents: AgentNode[] }
export interface SessionPage { sessions: SessionView[]; next?: string | number | null }
export interface SessionAnswer { session: SessionView; prompts: EventView[] }

export interface TranscriptEntry {
  place: number | string;
  at_ms?: number | null;
  role: 'user' | 'assistant' | 'tool';
  kind: 'text' | 'thinking' | 'tool_use' | 'tool_result';
  text: string;
  tool?: string | null;
  sidechain: boolean;
}
export interface TranscriptPage { entries: TranscriptEntry[]; next?: string | number | null; missing?: string | null }

export interface Span {
  kind: 'turn' | 'tool' | 'waiting';
  name: string;
  from_ms: number;
  to_ms?: number | null;
  failed: boolean;
  seq: number;
  summary?: string | null;
}
export interface Lane {
  agent_id: string;
  session_id?: string | null;
  display_name: string;
  parent_id?: string | null;
  spans: Span[];
}
export interface TimelineAnswer { since_ms: number; until_ms: number; truncated: boolean; lanes: Lane[] }

export interface ToolStats { tool: string; count: number; failures: number; p50_ms?: number | null; p95_ms?: number | null }
export interface HookCost { name: string; ours: boolean; runs: number; p50_ms: number; p95_ms: number; longest_ms: number }
export interface Stats { tools: ToolStats[]; hooks: HookCost[] }

export interface Stopped {
  seq: number;
  at: string;
  said: string;
  verdict: string;
  severity: string;
  rules: string[];
  reason: string;
  tool: string;
  subject: string;
  subject_hash: string;
  agent_id?: string | null;
  session_id?: string | null;
  project?: string | null;
  mode?: string | null;
}
export interface Audit { entries: Stopped[]; next?: number | null }
export interface Verified { holds: boolean; lines: number; gaps: number; missing: number; faults: { line: number; why: string }[] }

export interface MuteView { project?: string | null; until_ms?: number | null }
export interface MuteList { mutes: MuteView[] }

export interface Glance {
  stream: string;
  now_ms: number;
  mutes: MuteView[];
  store: { events: number; sessions: number; agents: number; refusals: number };
}

export interface SettingsAnswer { file: string; settings: Record<string, unknown> }

export interface DaemonStatus {
  pid: number;
  version: string;
  up_ms: number;
  events: number;
  port?: number | null;
  announced?: number;
  heard?: number;
  http_trouble?: string | null;
  sound_trouble?: string | null;
  store_trouble?: string | null;
}

export interface Voice { name: string; engine: string; language?: string | null; ready: boolean; trouble?: string | null }
export interface Sounds { effects: { name: string; about: string }[]; voices: Voice[] }
export interface Heard { heard: boolean; why?: string | null }

export interface GuardView {
  verdict: string;
  severity: string;
  rules: string[];
  reason: string;
  lost: string[];
  instead?: string | null;
}
export interface Permission {
  id: string;
  session_id: string;
  agent_id?: string | null;
  display_name?: string | null;
  tool: string;
  input: unknown;
  command?: string | null;
  project?: string | null;
  asked_ms: number;
  until_ms: number;
  guard?: GuardView | null;
  can_allow_for: boolean;
}
export interface Permissions { enabled: boolean; waiting: Permission[] }
export type SettledHow = 'allowed' | 'denied' | 'terminal' | 'expired' | 'gone';

export interface Found { agents: AgentView[]; sessions: SessionRecord[]; events: EventPage; refusals: Stopped[] }
