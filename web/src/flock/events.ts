// How events look in a line: a sign for each type, and the text without what stands beside it already.
import type { EventType, EventView } from '../api/types';
import type { IconName } from '../parts/icons';

const SIGNS: Record<EventType, IconName> = {
  agent_started: 'spark', agent_stopped: 'pause', agent_blocked: 'hand', agent_unblocked: 'person',
  task_created: 'plus', task_started: 'play', task_progress: 'dots', task_completed: 'check', task_failed: 'cross',
  tool_started: 'play', tool_succeeded: 'check', tool_failed: 'cross',
  heartbeat: 'dots', notification: 'bell', schema_error: 'warn', message_sent: 'speech',
};

export function eventSign(event: EventView): IconName {
  if (event.stopped) return event.stopped.how === 'refused' ? 'guard' : 'hand';
  return SIGNS[event.event_type] ?? 'dots';
}

export function eventText(event: EventView): string {
  const text = event.summary ?? event.name;
  return event.tool && text.startsWith(`${event.tool}: `) ? text.slice(event.tool.length + 2) : text;
}
