// One way to ask the daemon: JSON in and out, errors as its own words, and a lost key told to whoever listens. What a
// route is asked with, takes and gives is in types.ts, so that a wrong name or shape does not compile.
import type { Problem, Routes } from './types';

export class Trouble extends Error {
  /** `status` is 0 when the daemon did not answer at all. */
  constructor(readonly status: number, message: string, readonly field?: string) {
    super(message);
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Path<M extends Method> = keyof Routes extends infer R ? (R extends `${M} ${infer P}` ? P : never) : never;
type RouteOf<M extends Method, P extends string> = `${M} ${P}` extends keyof Routes ? Routes[`${M} ${P}`] : never;
/** What is empty is not asked for, so it may be given wherever a value may be left out. */
type Asks<A> = { [K in keyof A]: object extends Pick<A, K> ? A[K] | null | undefined | '' : A[K] };
export type Values<M extends Method, P extends string> = Asks<RouteOf<M, P>['asks']>;
type Gives<M extends Method, P extends string> = RouteOf<M, P>['gives'];

let keyLost: () => void = () => {};

/** Calls `tell` whenever the daemon says that this browser holds no key (any more). */
export function whenKeyIsLost(tell: () => void): void {
  keyLost = tell;
}

/** `path` with its parts in braces filled in, and behind it those of `values` that are there. */
export function address(path: string, values: object = {}): string {
  const query = new URLSearchParams();
  let place = path;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === '') continue;
    if (path.includes(`{${name}}`)) place = place.replace(`{${name}}`, () => encodeURIComponent(String(value)));
    else query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${place}?${text}` : place;
}

export async function ask<P extends Path<'GET'>>(path: P, values: Values<'GET', P>, signal?: AbortSignal): Promise<Gives<'GET', P>> {
  return send('GET', path, values, undefined, signal);
}

export async function send<M extends Method, P extends Path<M>>(method: M, path: P, values: Values<M, P>, body?: RouteOf<M, P>['takes'], signal?: AbortSignal): Promise<Gives<M, P>> {
  const request: RequestInit = { method, credentials: 'same-origin', cache: 'no-store' };
  if (signal) request.signal = signal;
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers = { 'Content-Type': 'application/json' };
  }
  const response = await reach(address(path, values), request);
  if (response.ok) return (await response.json()) as Gives<M, P>;
  if (response.status === 401) keyLost();
  throw await trouble(response);
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Trouble(0, '');
  }
}

async function trouble(response: Response): Promise<Trouble> {
  try {
    const said = (await response.json()) as Partial<Problem>;
    return new Trouble(response.status, said.error ?? response.statusText, said.field ?? undefined);
  } catch {
    return new Trouble(response.status, response.statusText);
  }
}

export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
