// A browser gives a site few connections, and every stream holds one. Of the tabs that nobody looks at, one goes on
// listening, so that the icon tells who waits; the others pause and go on where they were when they are looked at.

const LOCK = 'bellwether-hidden-stream';
const PATIENCE_MS = 1500;

export interface Pausable { pause(): void; resume(): void }

export function shareWhileHidden(stream: Pausable): () => void {
  if (!navigator.locks) return () => {};
  let done: (() => void) | null = null;

  const hide = () => {
    const wish = new AbortController();
    let release: (() => void) | null = null;
    const timer = setTimeout(() => stream.pause(), PATIENCE_MS);
    const held = () => {
      clearTimeout(timer);
      stream.resume();
      return new Promise<void>((free) => (release = free));
    };
    navigator.locks.request(LOCK, { signal: wish.signal }, held).catch(() => undefined);
    done = () => {
      clearTimeout(timer);
      wish.abort();
      release?.();
    };
  };
  const follow = () => {
    done?.();
    done = null;
    if (document.hidden) hide();
    else stream.resume();
  };
  document.addEventListener('visibilitychange', follow);
  if (document.hidden) hide();
  return () => {
    done?.();
    document.removeEventListener('visibilitychange', follow);
  };
}
