// One way to ask the daemon: JSON in and out, errors as its own words, and a lost key told to whoever listens.

export class Trouble extends Error {
  /** `status` is 0 when the daemon did not answer at all. */
  constructor(readonly status: number, message: string, readonly field?: string) {
    super(message);
  }
}

type Values = Record<string, string | number | boolean | null | undefined>;

let keyLost: () => void = () => {};

/** Calls `tell` whenever the daemon says that this browser holds no key (any more). */
export function whenKeyIsLost(tell: () => void): void {
  keyLost = tell;
}

/** `path` with those of `values` that are there. */
export function address(path: string, values: Values = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

export async function ask<T>(path: string, values: Values = {}, signal?: AbortSignal): Promise<T> {
  return send<T>('GET', address(path, values), undefined, signal);
}

export async function send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const request: RequestInit = { method, credentials: 'same-origin', cache: 'no-store' };
  if (signal) request.signal = signal;
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers = { 'Content-Type': 'application/json' };
  }
  const response = await reach(path, request);
  if (response.ok) return (await response.json()) as T;
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
    const said = (await response.json()) as { error?: string; field?: string };
    return new Trouble(response.status, said.error ?? response.statusText, said.field);
  } catch {
    return new Trouble(response.status, response.statusText);
  }
}

export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
