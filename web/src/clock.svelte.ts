// The time, once a second, and only while somebody looks and some text depends on it.
import { createSubscriber } from 'svelte/reactivity';

let ahead = 0;

/** Told by the daemon, whose clock counts: a page on another machine may have a wrong one. */
export function setDaemonTime(nowMs: number): void {
  ahead = nowMs - Date.now();
}

const subscribe = createSubscriber((update) => {
  let timer: ReturnType<typeof setInterval> | undefined;
  const follow = () => {
    clearInterval(timer);
    timer = document.hidden ? undefined : setInterval(update, 1000);
    if (!document.hidden) update();
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', follow);
  };
});

/** Milliseconds since 1970 by the daemon's clock; whoever reads it in a template is told each second. */
export function now(): number {
  subscribe();
  return Date.now() + ahead;
}

/** The same, once. */
export function moment(): number {
  return Date.now() + ahead;
}
