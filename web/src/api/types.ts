// Made of docs/openapi.json by `npm run types`. Do not change it by hand.

export interface Agent {
  agent: AgentView;
  last: Page;
}

export interface AgentNode {
  agent: AgentView;
  children: AgentNode[];
}

export interface AgentView {
  agent_id: string;
  agent_type: string | null;
  appearance: Appearance;
  assignment: string | null;
  avatar_seed: number;
  background: BackgroundTask[];
  background_tasks: number;
  bubble: string | null;
  client_pid: number | null;
  context_tokens: number | null;
  current_task: string | null;
  dialogs: Dialog[];
  display_name: string;
  employment_type: Employment;
  events: number;
  failures_in_a_row: number;
  first_seen_ms: number;
  in_background: boolean | null;
  last_active_ms: number;
  model: string | null;
  models: ModelUsage[];
  parent_id: string | null;
  peer_agent_id: string | null;
  pose: Pose;
  refusals: number;
  refused: Refusal | null;
  role: Role;
  session: SessionBrief | null;
  session_id: string | null;
  since_ms: number;
  source: string;
  status: Status;
  team: string | null;
  thinking_text: string | null;
  tool_calls: number;
  tool_failures: number;
  turns: number;
  usage: Usage;
  waits_for: string | null;
  workspace_id: string | null;
}

export interface Agents {
  agents: AgentView[];
  next: string | null;
}

export interface AnnouncementView {
  at_ms: number;
  event: string;
  handler: string | null;
  number: number;
  priority: string | null;
  session_id: string;
  silence: string | null;
  text: string | null;
}

export interface Announcements {
  announcements: AnnouncementView[];
}

export interface Appearance {
  accessory_index: number;
  body_index: number;
  face_index: number;
  hair_hue: number;
  hair_index: number;
  outfit_hue: number;
  outfit_index: number;
  skin_hue: number;
  skin_lightness: number;
}

export interface Audit {
  entries: Stopped[];
  next: number | null;
}

export interface BackgroundTask {
  id: string | null;
  type: string | null;
  what: string | null;
}

export type Body = SentEvent | SentEvent[];

export type By = 'person' | 'import' | 'task' | 'agent';

export interface ChainFault {
  line: number;
  why: string;
}

export interface Changes {
  changes: { 'audio.enabled'?: boolean; 'audio.volume'?: number; language?: 'en' | 'ko'; 'overlay.auto'?: boolean; 'overlay.bubble_seconds'?: number; 'overlay.most'?: number; 'overlay.motion'?: 'full' | 'reduced'; 'overlay.place'?: 'bottom_right' | 'bottom_left' | 'bottom' | 'top_right' | 'top_left' | 'top' | 'left' | 'right'; 'overlay.screen'?: string; 'overlay.size'?: number; 'overlay.tray'?: boolean; 'page.answer'?: boolean; preset?: 'calm' | 'full' | 'plain'; 'quiet.hours'?: string[]; 'quiet.min_turn_seconds'?: number; 'quiet.subagents'?: boolean; 'quiet.teammates'?: boolean; 'voice.chain'?: ('elevenlabs' | 'openai' | 'piper' | 'system' | 'embedded')[]; 'voice.per_session'?: boolean; [key: string]: unknown; };
}

export interface Choice {
  description: string | null;
  label: string;
}

export interface ComplaintView {
  line: number;
  text: string;
}

export interface Costs {
  prices: string;
  spending: Spending;
}

export interface Count {
  count: number;
  name: string;
}

export interface DaemonStatus {
  announced: number;
  events: number;
  foreign: number;
  heard: number;
  http_trouble: string | null;
  pid: number;
  port: number | null;
  sound_trouble: string | null;
  sounded_us: number;
  store_trouble: string | null;
  torn: number;
  up_ms: number;
  version: string;
}

export interface Dialog {
  edits: Edit[];
  questions: Question[];
  tool: string | null;
  what: string | null;
}

export interface Edit {
  is_cut: boolean;
  new: string;
  old: string | null;
}

export interface EffectView {
  about: string;
  name: string;
}

export type Employment = 'contractor' | 'permanent';

export interface Entry {
  at_ms: number | null;
  kind: EntryKind;
  place: number;
  role: EntryRole;
  sidechain: boolean;
  text: string;
  tool: string | null;
}

export type EntryKind = 'text' | 'thinking' | 'tool_use' | 'tool_result';

export type EntryRole = 'user' | 'assistant' | 'tool';

export interface EventDetail {
  event: NormalizedEvent;
  seq: number;
}

export type EventSource = 'hook' | 'synthetic';

export type EventType = 'agent_started' | 'agent_stopped' | 'agent_blocked' | 'agent_unblocked' | 'task_created' | 'task_started' | 'task_progress' | 'task_completed' | 'task_failed' | 'tool_started' | 'tool_succeeded' | 'tool_failed' | 'heartbeat' | 'notification' | 'schema_error' | 'message_sent';

export interface EventView {
  agent_id: string | null;
  at_ms: number;
  event_type: EventType;
  id: string;
  name: string;
  seq: number;
  session_id: string | null;
  severity: Severity;
  stopped: GuardStop | null;
  summary: string | null;
  tool: string | null;
  workspace_id: string | null;
}

export interface FeatureView {
  finished_ms: number | null;
  iterations: number;
  measured: MeasuredView;
  name: string;
  phase: string;
  progress: Progress;
  rate: number | null;
  since_ms: number;
  targets: string[];
  waits: WaitsView | null;
}

export interface Found {
  agents: AgentView[];
  events: Page;
  refusals: Stopped[];
  sessions: SessionRecord[];
}

export interface Glance {
  mutes: MuteView[];
  now_ms: number;
  store: Overview;
  stream: string;
}

export interface GuardStop {
  how: StopHow;
  rules: string[];
}

export interface GuardView {
  instead: string | null;
  lost: string[];
  reason: string;
  rules: string[];
  severity: string;
  verdict: string;
}

export interface Heard {
  heard: boolean;
  why: string | null;
}

export interface HookCost {
  longest_ms: number;
  name: string;
  ours: boolean;
  p50_ms: number;
  p95_ms: number;
  runs: number;
}

export interface HourCount {
  at_ms: number;
  events: number;
  failures: number;
  usage: Usage;
}

export interface Lane {
  agent_id: string;
  display_name: string;
  parent_id: string | null;
  session_id: string | null;
  spans: Span[];
}

export type Language = 'en' | 'ko';

export type MeasuredView = 'unmeasured' | 'failed' | 'passed';

export type MemberState = 'working' | 'idle';

export interface MemberView {
  name: string;
  session_id: string;
  since_ms: number;
  state: MemberState;
  task: string | null;
}

export interface MessageView {
  at_ms: number;
  text: string;
  to: string;
}

export interface ModelUsage {
  model: string;
  usage: Usage;
}

export interface MuteList {
  mutes: MuteView[];
}

export interface MuteView {
  project: string | null;
  until_ms: number | null;
}

export interface MuteWish {
  project?: string | null;
  seconds?: number | null;
}

export interface NextWish {
  feature: string;
  phase: string;
  project: string;
  reason?: string;
}

export interface NormalizedEvent {
  agent_id: string;
  event_type: EventType;
  id: string;
  payload: unknown;
  raw: unknown;
  run_id: string | null;
  session_id: string | null;
  severity: Severity;
  source: EventSource;
  target_agent_id: string | null;
  task_id: string | null;
  terminal_session_id: string;
  thinking_text: string | null;
  ts: string;
  version: string;
  workspace_id: string;
}

export interface Overlay {
  auto: boolean;
  backend: OverlayBackend;
  bubble_seconds: number;
  most: number;
  motion: OverlayMotion;
  place: OverlayPlace;
  screen: string;
  size: number;
  tray: boolean;
}

export type OverlayBackend = 'x11' | 'wayland' | 'auto';

export type OverlayMotion = 'full' | 'reduced';

export type OverlayPlace = 'bottom_right' | 'bottom_left' | 'bottom' | 'top_right' | 'top_left' | 'top' | 'left' | 'right';

export interface OverlayView {
  answer: boolean;
  language: Language;
  muted: MuteView | null;
  settings: Overlay;
}

export interface Overview {
  agents: number;
  bytes: number;
  events: number;
  first_ms: number | null;
  hours: HourCount[];
  last_ms: number | null;
  names: Count[];
  refusals: number;
  sessions: number;
  statuses: StatusCount[];
  tools: ToolStats[];
  types: Count[];
}

export interface Page {
  events: EventView[];
  next: number | null;
}

export interface PageAddress {
  address: string;
}

export interface PermissionAnswer {
  answer: Verdict;
  for_seconds?: number | null;
  message?: string | null;
}

export interface PermissionList {
  enabled: boolean;
  waiting: PermissionView[];
}

export interface PermissionSettled {
  how: SettledHow;
  id: string;
}

export interface PermissionView {
  agent_id: string | null;
  asked_ms: number;
  can_allow_for: boolean;
  command: string | null;
  display_name: string | null;
  guard: GuardView | null;
  id: string;
  input: unknown;
  only_in_terminal: boolean;
  project: string | null;
  session_id: string | null;
  tool: string;
  until_ms: number;
}

export interface PlaceWish {
  to?: string | null;
}

export type Pose = 'idle' | 'appearing' | 'working' | 'thinking' | 'terminal' | 'searching' | 'editing' | 'waiting' | 'failed' | 'resting' | 'done' | 'startled' | 'walking' | 'chatting' | 'leaving' | 'unknown';

export interface Problem {
  error: string;
  field?: string | null;
}

export interface Progress {
  begun: number;
  done: number;
  pending: number;
  total: number;
}

export interface ProjectSpending {
  project: string;
  usage: Usage;
  work: Work;
}

export interface Question {
  choices: Choice[];
  question: string;
  several: boolean;
}

export interface Refusal {
  rules: string[];
  what: string | null;
}

export type Role = 'main' | 'subagent' | 'teammate';

export interface SentEvent {
  _meta?: SentMeta | null;
  agent_id?: string | null;
  agent_name?: string | null;
  agent_type?: string | null;
  hook_event_name?: string | null;
  hook_type?: string | null;
  session_id?: string | null;
  task_id?: string | null;
  team_name?: string | null;
  tool_input?: unknown;
  tool_name?: string | null;
}

export interface SentMeta {
  attended?: boolean | null;
  collected_at?: string | null;
  forwarder_version?: string | null;
  terminal_session_id?: string | null;
  workspace_id?: string | null;
}

export interface Session {
  prompts: EventView[];
  session: SessionView;
}

export interface SessionBrief {
  about: string | null;
  branch: string | null;
  usage: Usage;
}

export type SessionName = { given: string; } | { found: string; };

export interface SessionRecord {
  attended: boolean;
  branch: string | null;
  ended_ms: number | null;
  events: number;
  last_active_ms: number;
  model: string | null;
  name: SessionName | null;
  parent_session_id: string | null;
  project_dir: string | null;
  session_id: string;
  started_ms: number;
  terminal_session_id: string | null;
  title: string | null;
  usage: Usage;
  workspace_id: string | null;
}

export interface SessionRow {
  about: string | null;
  agents: number;
  session: SessionRecord;
  waiting: number;
}

export interface SessionTable {
  count: number;
  projects: string[];
  rows: SessionRow[];
}

export interface SessionView {
  agents: AgentNode[];
  session: SessionRecord;
}

export interface Sessions {
  next: string | null;
  sessions: SessionView[];
}

export interface Settings {
  file: string;
  settings: unknown;
  unconfirmed: string[];
}

export interface SettingsChanged {

}

export interface Settled {
  settled: boolean;
}

export type SettledHow = 'allowed' | 'denied' | 'terminal' | 'expired' | 'gone';

export type Severity = 'debug' | 'info' | 'warn' | 'error';

export interface Sounds {
  effects: EffectView[];
  voices: VoiceView[];
}

export interface Span {
  failed: boolean;
  from_ms: number;
  kind: SpanKind;
  name: string;
  seq: number;
  summary: string | null;
  to_ms: number | null;
}

export type SpanKind = 'turn' | 'tool' | 'waiting';

export interface Spending {
  hours: SpendingHour[];
  models: ModelUsage[];
  projects: ProjectSpending[];
  usage: Usage;
  work: Work;
}

export interface SpendingHour {
  at_ms: number;
  usage: Usage;
  work: Work;
}

export interface Stats {
  hooks: HookCost[];
  tools: ToolStats[];
}

export type Status = 'offline' | 'appearing' | 'idle' | 'working' | 'thinking' | 'pending_input' | 'completed' | 'failed' | 'resting' | 'startled' | 'walking' | 'chatting' | 'returning' | 'disappearing' | 'unknown';

export interface StatusCount {
  count: number;
  status: Status;
}

export interface StepView {
  at_ms: number;
  by: By;
  feature: string;
  forced: boolean;
  from: string | null;
  n: number;
  phase: string;
  reason: string;
  what: What;
}

export type StopHow = 'refused' | 'asked';

export interface Stopped {
  agent_id: string | null;
  at: string;
  mode: string | null;
  project: string | null;
  reason: string;
  rules: string[];
  said: string;
  seq: number;
  session_id: string | null;
  severity: string;
  subject: string;
  subject_hash: string;
  tool: string;
  verdict: string;
}

export interface StreamGap {
  after: string;
  why: string;
}

export interface StreamReady {
  id: string;
  version: string;
}

export interface Taken {
  accepted: number;
}

export interface TaskView {
  begun: boolean;
  feature: string | null;
  id: string;
  owner: string | null;
  phase: string | null;
  session_id: string;
  subject: string;
}

export interface Timeline {
  lanes: Lane[];
  since_ms: number;
  truncated: boolean;
  until_ms: number;
}

export interface ToolStats {
  count: number;
  failures: number;
  p50_ms: number | null;
  p95_ms: number | null;
  tool: string;
}

export interface Transcript {
  end: number;
  entries: Entry[];
  missing: string | null;
  next: number | null;
  previous: number | null;
}

export interface Usage {
  cache_creation_tokens: number;
  cache_read_tokens: number;
  cost_usd: number | null;
  input_tokens: number;
  messages: number;
  output_tokens: number;
  unpriced: number;
}

export type Verdict = 'allow' | 'deny';

export interface Verified {
  faults: ChainFault[];
  gaps: number;
  holds: boolean;
  lines: number;
  missing: number;
}

export interface VoiceView {
  engine: string;
  language: string | null;
  name: string;
  ready: boolean;
  trouble: string | null;
}

export type WaitsFor = 'checkpoint' | 'person' | 'limit' | 'rate' | 'paper';

export interface WaitsView {
  for: WaitsFor;
  is_person: boolean;
  since_ms: number;
  to: string | null;
}

export interface Wanted {
  effect?: string | null;
  text?: string | null;
  voice?: string | null;
}

export type What = 'begun' | 'moved' | 'measured' | 'undone' | 'imported' | 'finished' | 'waits';

export interface Work {
  failures: number;
  prompts: number;
  refusals: number;
  tasks: number;
  turns: number;
  waited_ms: number;
  waits: number;
}

export interface WorkflowChanged {
  summary: string | null;
  workspace_id: string | null;
}

export interface WorkflowList {
  workflows: WorkflowView[];
}

export interface WorkflowStatus {
  automation: string;
  complaints: ComplaintView[];
  features: FeatureView[];
  flow: string;
  history: StepView[];
  max_iterations: number;
  messages: MessageView[];
  phases: string[];
  progress: Progress;
  tasks: TaskView[];
  team: MemberView[];
  threshold: number;
}

export interface WorkflowView {
  enabled: boolean;
  project: string;
  status: WorkflowStatus | null;
  trouble: string | null;
  workspace_id: string;
}

export interface Routes {
  'GET /api/agents': { asks: { show?: 'present' | 'all'; session?: string; after?: string; limit?: number }; takes: never; gives: Agents };
  'GET /api/agents/{id}': { asks: { id: string; limit?: number }; takes: never; gives: Agent };
  'GET /api/announcements': { asks: { after?: number; only?: 'said' }; takes: never; gives: Announcements };
  'GET /api/audit': { asks: { before?: number; limit?: number }; takes: never; gives: Audit };
  'GET /api/audit/verify': { asks: object; takes: never; gives: Verified };
  'GET /api/costs': { asks: { since?: number; until?: number }; takes: never; gives: Costs };
  'GET /api/events': { asks: { session?: string; agent?: string; name?: string; type?: 'agent_started' | 'agent_stopped' | 'agent_blocked' | 'agent_unblocked' | 'task_created' | 'task_started' | 'task_progress' | 'task_completed' | 'task_failed' | 'tool_started' | 'tool_succeeded' | 'tool_failed' | 'heartbeat' | 'notification' | 'schema_error' | 'message_sent'; tool?: string; workspace?: string; severity?: 'debug' | 'info' | 'warn' | 'error'; since?: number; until?: number; search?: string; after?: number; before?: number; limit?: number }; takes: never; gives: Page };
  'GET /api/events/{seq}': { asks: { seq: string }; takes: never; gives: EventDetail };
  'DELETE /api/mutes': { asks: { project?: string }; takes: never; gives: MuteList };
  'GET /api/mutes': { asks: object; takes: never; gives: MuteList };
  'PUT /api/mutes': { asks: object; takes: MuteWish; gives: MuteList };
  'POST /api/open': { asks: object; takes: PlaceWish; gives: PageAddress };
  'GET /api/openapi.json': { asks: object; takes: never; gives: unknown };
  'GET /api/overlay': { asks: object; takes: never; gives: OverlayView };
  'GET /api/overview': { asks: object; takes: never; gives: Glance };
  'GET /api/permissions': { asks: object; takes: never; gives: PermissionList };
  'POST /api/permissions/{id}': { asks: { id: string }; takes: PermissionAnswer; gives: Settled };
  'GET /api/search': { asks: { q?: string; limit?: number }; takes: never; gives: Found };
  'GET /api/session-table': { asks: { sort?: 'last' | 'started' | 'duration' | 'cost' | 'tokens' | 'about' | 'project'; order?: 'falling' | 'rising'; state?: 'needs_you' | 'running' | 'ended'; project?: string; text?: string; since?: number; until?: number; skip?: number; limit?: number }; takes: never; gives: SessionTable };
  'GET /api/sessions': { asks: { before?: string; limit?: number }; takes: never; gives: Sessions };
  'GET /api/sessions/{id}': { asks: { id: string; limit?: number }; takes: never; gives: Session };
  'GET /api/sessions/{id}/transcript': { asks: { id: string; after?: number; before?: number; at?: number; limit?: number }; takes: never; gives: Transcript };
  'GET /api/settings': { asks: object; takes: never; gives: Settings };
  'PUT /api/settings': { asks: object; takes: Changes; gives: Settings };
  'POST /api/settings/confirm': { asks: object; takes: never; gives: Settings };
  'GET /api/sounds': { asks: object; takes: never; gives: Sounds };
  'POST /api/sounds/test': { asks: object; takes: Wanted; gives: Heard };
  'GET /api/stats': { asks: { since?: number }; takes: never; gives: Stats };
  'GET /api/status': { asks: object; takes: never; gives: DaemonStatus };
  'GET /api/timeline': { asks: { since?: number; until?: number; session?: string; agent?: string; limit?: number }; takes: never; gives: Timeline };
  'GET /api/workflow': { asks: object; takes: never; gives: WorkflowList };
  'POST /api/workflow/next': { asks: object; takes: NextWish; gives: WorkflowView };
  'POST /hook': { asks: object; takes: unknown; gives: unknown };
  'POST /ingest': { asks: object; takes: Body; gives: Taken };
}

export const TOLD = ['announcement', 'event', 'gap', 'mascot://agent-appeared', 'mascot://agent-departed', 'mascot://agent-update', 'permission', 'permission-settled', 'ready', 'settings', 'workflow'] as const;

export interface Told {
  announcement: AnnouncementView;
  event: EventView;
  gap: StreamGap;
  'mascot://agent-appeared': AgentView;
  'mascot://agent-departed': AgentView;
  'mascot://agent-update': AgentView;
  permission: PermissionView;
  'permission-settled': PermissionSettled;
  ready: StreamReady;
  settings: SettingsChanged;
  workflow: WorkflowChanged;
}

export const CHOICES = {
  language: ['en', 'ko'],
  'overlay.motion': ['full', 'reduced'],
  'overlay.place': ['bottom_right', 'bottom_left', 'bottom', 'top_right', 'top_left', 'top', 'left', 'right'],
  preset: ['calm', 'full', 'plain'],
} as const;
