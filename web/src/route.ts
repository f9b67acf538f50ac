// Addresses within the page: `#/sessions/ID?name=value`. Pure; route.svelte.ts follows the browser.

export interface Route { view: string; id: string | null; query: Record<string, string> }

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [view = '', ...rest] = path.split('/');
  const id = rest.join('/');
  return { view, id: id === '' ? null : decoded(id), query: Object.fromEntries(new URLSearchParams(search)) };
}

export function hashOf(view: string, id?: string | null, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `#/${view}${id ? `/${encodeURIComponent(id)}` : ''}${search ? `?${search}` : ''}`;
}

/** The place in a session's transcript where something happened; a moment without a fraction means its whole second. */
export function transcriptAt(session: string, at: string): string {
  return hashOf('sessions', session, { part: 'transcript', at: String(Date.parse(at) + (at.includes('.') ? 0 : 999)) });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
