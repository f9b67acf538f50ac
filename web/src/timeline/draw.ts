// Draws the lanes in sight on a canvas: turns as ground, tools on it, waiting as hatched amber. Spans narrower than a
// pixel that fall on the same pixel are drawn once, so that ten thousand of them cost no more than the width.
import type { Span } from '../api/types';
import { LANE_HEIGHT, marks, xOf, type Range, type Row } from './layout';

export interface Colours { turn: string; tool: string; waiting: string; failed: string; line: string; text: string; focus: string; ink: string; ground: string; font: string }
export interface Scene {
  rows: readonly Row[];
  range: Range;
  now: number;
  /** How far the lanes are scrolled, and the size of the canvas in CSS pixels. */
  top: number;
  width: number;
  height: number;
  focus: { agent: string; span: Span } | null;
  colours: Colours;
  label: (time: number) => string;
}

const SCALE = 26;
const TOOL_INSET = 8;

export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { width, height, range, colours } = scene;
  context.clearRect(0, 0, width, height);
  drawScale(context, scene);
  context.save();
  context.beginPath();
  context.rect(0, SCALE, width, height - SCALE);
  context.clip();
  const first = Math.max(0, Math.floor(scene.top / LANE_HEIGHT));
  const last = Math.min(scene.rows.length, Math.ceil((scene.top + height) / LANE_HEIGHT));
  for (let i = first; i < last; i += 1) drawLane(context, scene, scene.rows[i]!, SCALE + i * LANE_HEIGHT - scene.top);
  if (scene.now >= range.from && scene.now <= range.to) {
    context.fillStyle = colours.focus;
    context.fillRect(xOf(scene.now, range, width), SCALE, 1, height);
  }
  context.restore();
}

function drawScale(context: CanvasRenderingContext2D, { range, width, height, colours, label }: Scene): void {
  context.font = `11px ${colours.font}`;
  context.textBaseline = 'middle';
  const zone = -new Date(range.from).getTimezoneOffset() * 60_000;
  for (const time of marks(range, width, 84, zone)) {
    const x = Math.round(xOf(time, range, width));
    context.fillStyle = colours.line;
    context.fillRect(x, SCALE - 4, 1, height);
    context.fillStyle = colours.text;
    context.fillText(label(time), x + 5, SCALE / 2);
  }
}

function drawLane(context: CanvasRenderingContext2D, scene: Scene, row: Row, y: number): void {
  const { colours, width } = scene;
  context.fillStyle = colours.line;
  if (row.first) context.fillRect(0, y, width, 1);
  drawSpans(context, scene, row, y + 5, LANE_HEIGHT - 10, (span) => (span.kind === 'turn' ? (span.failed ? colours.failed : colours.turn) : null), 0.34);
  drawSpans(context, scene, row, y + TOOL_INSET, LANE_HEIGHT - 2 * TOOL_INSET, (span) => (span.kind === 'tool' ? (span.failed ? colours.failed : colours.tool) : null), 1);
  drawSpans(context, scene, row, y + 5, LANE_HEIGHT - 10, (span) => (span.kind === 'waiting' ? colours.waiting : null), 1);
  if (scene.focus?.agent === row.lane.agent_id) outline(context, scene, scene.focus.span, y);
}

function drawSpans(
  context: CanvasRenderingContext2D, scene: Scene, row: Row, y: number, tall: number,
  colour: (span: Span) => string | null, opacity: number,
): void {
  let drawnTo = -1;
  context.globalAlpha = opacity;
  const spans = row.lane.spans.filter((span) => colour(span) !== null);
  for (const [i, span] of spans.entries()) {
    const fill = colour(span)!;
    const [left, right] = edges(scene, span);
    if (right < 0 || left > scene.width || (right <= drawnTo && right - left < 2)) continue;
    context.fillStyle = fill;
    context.beginPath();
    context.roundRect(left, y, right - left, tall, Math.min(4, (right - left) / 2));
    context.fill();
    if (right - left > 4 && opacity === 1) edge(context, scene);
    const next = spans[i + 1];
    // What runs beside it lies over it: the name ends there.
    const room = next ? Math.min(right, xOf(next.from_ms, scene.range, scene.width)) : right;
    if (span.kind !== 'turn') write(context, scene, span, left, room, y + tall / 2);
    drawnTo = Math.floor(right);
  }
  context.globalAlpha = 1;
}

function edge(context: CanvasRenderingContext2D, scene: Scene): void {
  context.strokeStyle = scene.colours.ground;
  context.lineWidth = 1;
  context.stroke();
}

/** The name in the span, where there is room for it. */
function write(context: CanvasRenderingContext2D, scene: Scene, span: Span, left: number, right: number, y: number): void {
  const [from, to] = [Math.max(0, left), Math.min(scene.width, right)];
  if (to - from < 46) return;
  context.save();
  context.beginPath();
  context.rect(from, y - 12, to - from - 4, 24);
  context.clip();
  context.globalAlpha = 1;
  context.fillStyle = scene.colours.ink;
  context.fillText(span.summary && to - from > 120 ? span.summary : span.name, from + 7, y + 0.5);
  context.restore();
}

function outline(context: CanvasRenderingContext2D, scene: Scene, span: Span, y: number): void {
  const [left, right] = edges(scene, span);
  context.strokeStyle = scene.colours.focus;
  context.lineWidth = 2;
  context.strokeRect(left - 2, y + 3, right - left + 4, LANE_HEIGHT - 6);
}

/** A span is at least two pixels wide, so that nothing that happened is invisible. */
function edges(scene: Scene, span: Span): [number, number] {
  const left = Math.max(-4, xOf(span.from_ms, scene.range, scene.width));
  const right = Math.min(scene.width + 4, xOf(span.to_ms ?? scene.now, scene.range, scene.width));
  return [left, Math.max(left + 2, right)];
}
