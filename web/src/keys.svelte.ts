// Keys that work everywhere, unless somebody types.
import { tick } from 'svelte';
import { live } from './live.svelte';
import { setMute } from './mute';
import { prefs } from './prefs.svelte';
import { queue } from './queue.svelte';
import { go } from './route.svelte';
import { MENU } from './views/views';

/** Goes to the next of those who need the person, first to one that can be answered here. */
async function nextAsk(): Promise<void> {
  queue.fold(true);
  await tick();
  const asks = [...document.querySelectorAll<HTMLElement>('[data-ask]')];
  const at = asks.findIndex((ask) => ask.contains(document.activeElement));
  const next = at < 0 ? (asks.find((ask) => ask.dataset.permission) ?? asks[0]) : asks[(at + 1) % asks.length];
  next?.focus();
}

class Keys {
  helpOpen = $state(false);

  press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const act = this.#acts[event.key] ?? this.#view(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  };

  #acts: Record<string, () => void> = {
    '?': () => (this.helpOpen = true),
    '/': () => document.querySelector<HTMLElement>('#search')?.focus(),
    a: () => void nextAsk(),
    q: () => queue.fold(),
    m: () => void setMute(live.mutes.length === 0 ? {} : null),
    t: () => prefs.setTheme(prefs.shown === 'dark' ? 'light' : 'dark'),
  };

  #view(key: string): (() => void) | undefined {
    const view = /^[1-9]$/.test(key) ? MENU[Number(key) - 1] : undefined;
    return view && (() => go(view.name));
  }
}

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName));
}

export const keys = new Keys();
