// Numbers and times as text. Pure: the words come from the caller.
import type { Words } from './words/words';

export function duration(ms: number, words: Words): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  const unit = words.unit;
  if (s < 60) return unit.seconds(s);
  if (s < 3600) return s % 60 && s < 600 ? `${unit.minutes(Math.floor(s / 60))} ${unit.seconds(s % 60)}` : unit.minutes(Math.floor(s / 60));
  if (s < 86400) {
    const minutes = Math.floor((s % 3600) / 60);
    return minutes ? `${unit.hours(Math.floor(s / 3600))} ${unit.minutes(minutes)}` : unit.hours(Math.floor(s / 3600));
  }
  return unit.days(Math.floor(s / 86400));
}

/** For tools and hooks, where milliseconds count. */
export function fine(ms: number | null | undefined, words: Words): string {
  if (ms === null || ms === undefined) return '–';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return duration(ms, words);
}

export function ago(then: number, nowMs: number, words: Words): string {
  return nowMs - then < 2000 ? words.time.now : words.time.ago(duration(nowMs - then, words));
}

export function short(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1000, 'k'] : [count / 1e6, 'M'];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

export function whole(count: number, locale: string): string {
  return new Intl.NumberFormat(locale).format(count);
}

/** Less than a cent is told as that: fractions of one say nothing to anybody. */
export function money(usd: number | null | undefined, locale: string): string | null {
  if (usd === null || usd === undefined) return null;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' });
  return usd > 0 && usd < 0.01 ? `< ${format.format(0.01)}` : format.format(usd);
}

export function share(part: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent' }).format(part);
}

const SHAPES = {
  clock: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  day: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  whole: { dateStyle: 'medium', timeStyle: 'medium' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

// Making a formatter costs more than a row of a list; there are few of them.
const formats = new Map<string, Intl.DateTimeFormat>();

function format(shape: keyof typeof SHAPES, locale: string): Intl.DateTimeFormat {
  const key = `${shape} ${locale}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, SHAPES[shape]);
  formats.set(key, known);
  return known;
}

export function clockTime(ms: number, locale: string): string {
  return format('clock', locale).format(ms);
}

/** The day as well, unless it is today. */
export function dayTime(ms: number, nowMs: number, locale: string): string {
  const same = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  return same ? clockTime(ms, locale) : format('day', locale).format(ms);
}

export function wholeTime(ms: number, locale: string): string {
  return format('whole', locale).format(ms);
}

/** The last part of a path. */
export function baseName(path: string | null | undefined): string {
  return path?.replace(/\/+$/, '').split('/').pop() ?? '';
}

/** Long paths by their last two parts, for where there is little room. */
export function brief(text: string): string {
  return text.replace(/(?<=^|[\s'"=(])~?(?:\/[\w.@+-]+){3,}/g, (path) => `…/${path.split('/').slice(-2).join('/')}`);
}
