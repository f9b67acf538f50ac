// Where everything of the timeline stands. Pure: times to pixels and back, lanes in the order of their families,
// which span is at a place, and what a live answer adds to what is known.
import type { Lane, Span } from '../api/types';

export const LANE_HEIGHT = 34;
export const MIN_SPAN_MS = 2_000;

export interface Range { from: number; to: number }

export function xOf(time: number, range: Range, width: number): number {
  return ((time - range.from) / (range.to - range.from)) * width;
}

export function timeAt(x: number, range: Range, width: number): number {
  return range.from + (x / width) * (range.to - range.from);
}

/** The range made `factor` times as long around the time at `anchor` (0 left, 1 right). */
export function zoom(range: Range, factor: number, anchor: number): Range {
  const long = range.to - range.from;
  const next = Math.min(7 * 86_400_000, Math.max(MIN_SPAN_MS, long * factor));
  const fixed = range.from + long * anchor;
  return { from: fixed - next * anchor, to: fixed + next * (1 - anchor) };
}

export function pan(range: Range, share: number): Range {
  const by = (range.to - range.from) * share;
  return { from: range.from + by, to: range.to + by };
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800].map((s) => s * 1000);

/** Round moments for the scale, no closer than `gap` pixels. */
export function marks(range: Range, width: number, gap: number, zoneMs: number): number[] {
  const least = ((range.to - range.from) / Math.max(1, width)) * gap;
  const step = STEPS.find((one) => one >= least) ?? STEPS[STEPS.length - 1]!;
  const first = Math.ceil((range.from + zoneMs) / step) * step - zoneMs;
  const found: number[] = [];
  for (let at = first; at <= range.to; at += step) found.push(at);
  return found;
}

export interface Row { lane: Lane; depth: number; first: boolean }

/** Lanes by session, the newest session first, children below whoever started them. */
export function rowsOf(lanes: readonly Lane[]): Row[] {
  const sessions = new Map<string, Lane[]>();
  for (const lane of lanes) {
    const key = lane.session_id ?? lane.agent_id;
    sessions.set(key, [...(sessions.get(key) ?? []), lane]);
  }
  const newest = (group: Lane[]) => Math.max(...group.map((lane) => lane.spans[0]?.from_ms ?? 0));
  return [...sessions.values()].sort((a, b) => newest(b) - newest(a)).flatMap(family);
}

function family(lanes: Lane[]): Row[] {
  const ids = new Set(lanes.map((lane) => lane.agent_id));
  const rows: Row[] = [];
  const seen = new Set<string>();
  const walk = (parent: string | null, depth: number) => {
    for (const lane of lanes) {
      const its = lane.parent_id && ids.has(lane.parent_id) ? lane.parent_id : null;
      if (its !== parent || seen.has(lane.agent_id)) continue;
      seen.add(lane.agent_id);
      rows.push({ lane, depth, first: rows.length === 0 });
      walk(lane.agent_id, depth + 1);
    }
  };
  walk(null, 0);
  return rows;
}

/** The span of a lane at a time; tools lie over turns, so the shortest one counts. */
export function spanAt(lane: Lane, time: number, slack: number, now: number): Span | null {
  let best: Span | null = null;
  for (const span of lane.spans) {
    const end = span.to_ms ?? now;
    if (span.from_ms - slack > time || end + slack < time) continue;
    if (!best || end - span.from_ms < (best.to_ms ?? now) - best.from_ms) best = span;
  }
  return best;
}

/** The lanes with what a newer answer knows better: spans are told apart by kind and place. */
export function merge(known: readonly Lane[], fresh: readonly Lane[]): Lane[] {
  const lanes = new Map(known.map((lane) => [lane.agent_id, lane]));
  for (const lane of fresh) {
    const old = lanes.get(lane.agent_id);
    lanes.set(lane.agent_id, old ? { ...lane, spans: mergeSpans(old.spans, lane.spans) } : lane);
  }
  return [...lanes.values()];
}

function mergeSpans(known: readonly Span[], fresh: readonly Span[]): Span[] {
  const spans = new Map(known.map((span) => [`${span.kind}${span.seq}`, span]));
  for (const span of fresh) spans.set(`${span.kind}${span.seq}`, span);
  return [...spans.values()].sort((a, b) => a.from_ms - b.from_ms || a.seq - b.seq);
}
