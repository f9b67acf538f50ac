// Tokens and money as people read them. Pure. Money is always an estimate, and says so.
import type { Usage } from './api/types';
import { money } from './format';

export function allTokens(usage: Usage): number {
  return usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_creation_tokens;
}

/** One sum of two. */
export function addUsage(one: Usage | undefined, more: Usage): Usage {
  if (!one) return more;
  const money = (one.cost_usd ?? null) === null && (more.cost_usd ?? null) === null ? null : (one.cost_usd ?? 0) + (more.cost_usd ?? 0);
  return {
    messages: one.messages + more.messages,
    input_tokens: one.input_tokens + more.input_tokens,
    output_tokens: one.output_tokens + more.output_tokens,
    cache_read_tokens: one.cache_read_tokens + more.cache_read_tokens,
    cache_creation_tokens: one.cache_creation_tokens + more.cache_creation_tokens,
    unpriced: one.unpriced + more.unpriced,
    cost_usd: money,
  };
}

export const NOTHING: Usage = { messages: 0, input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_creation_tokens: 0, unpriced: 0, cost_usd: null };

/** `≈ $1.20`, and a plus where some answers have no price; `null` when nobody knows. */
export function costText(usage: Usage, locale: string): string | null {
  const text = money(usage.cost_usd, locale);
  if (text === null) return null;
  return `${text.startsWith('<') ? '' : '≈ '}${text}${usage.unpriced > 0 ? '+' : ''}`;
}

/** What a model is called among people: `claude-opus-5-5[1m]` is Opus 5.5. */
export function modelName(model: string | null | undefined): string {
  const plain = (model ?? '').replace(/^.*claude-/, '').replace(/[[@:].*$/, '').replace(/-v\d+$/, '').replace(/-(\d{8}|latest)$/, '');
  const [, before = '', digits = ''] = /^([a-z][a-z-]*?)-?(\d+(?:-\d+)?)?$/.exec(plain) ?? [];
  const old = /^(\d+(?:-\d+)?)-([a-z]+)$/.exec(plain);
  const [name, version] = old ? [old[2]!, old[1]!] : [before, digits];
  if (!name) return plain;
  return `${name[0]!.toUpperCase()}${name.slice(1)}${version ? ` ${version.replace('-', '.')}` : ''}`;
}

const USUAL_WINDOW = 200_000;
const LARGE_WINDOW = 1_000_000;

/** How full a context is, from 0 to 1. No client says how large it is: a model that was given more than the usual has the large one. */
export function contextShare(tokens: number | null, model: string | null): number | null {
  if (tokens === null || tokens === 0) return null;
  const window = model?.includes('[1m]') || tokens > USUAL_WINDOW ? LARGE_WINDOW : USUAL_WINDOW;
  return Math.min(1, tokens / window);
}

/** The days as the person counts them, from midnight to midnight: `2026-11-18` and its bounds. */
export function dayBounds(day: string): { since: number; until: number } {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return { since: new Date(year, month - 1, date).getTime(), until: new Date(year, month - 1, date + 1).getTime() };
}

export function dayOf(ms: number): string {
  const at = new Date(ms);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

export function dayBeside(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return dayOf(new Date(year, month - 1, date + days, 12).getTime());
}
