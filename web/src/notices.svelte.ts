// Notifications of this browser: who needs the person while they look elsewhere. Off until they are asked for.
// The tag makes several tabs show one; an agent that no longer waits takes its notification back.
import type { AgentView } from './api/types';
import { projectOf } from './flock/pens';
import { prefs } from './prefs.svelte';
import { go } from './route.svelte';

class Notices {
  #shown = new Map<string, Notification>();
  /** Who waited already when this was last asked; before the first time nobody is known. */
  #known: Set<string> | null = null;

  /** Asks the browser's own question where it has not been answered; tells whether notifications are on now. */
  async set(on: boolean): Promise<boolean> {
    const may = on && 'Notification' in window && (await Notification.requestPermission()) === 'granted';
    prefs.setNotify(may);
    if (!may) this.#close([...this.#shown.keys()]);
    return may === on;
  }

  /** Whether this browser refuses notifications of this page. */
  get refused(): boolean {
    return !('Notification' in window) || Notification.permission === 'denied';
  }

  /** Takes who waits now. Those who waited when the page was opened are in its title, and not told again. */
  tell(waiting: AgentView[]): void {
    const now = new Set(waiting.map((agent) => agent.agent_id));
    const fresh = this.#known ? waiting.filter((agent) => !this.#known?.has(agent.agent_id)) : [];
    this.#known = now;
    this.#close([...this.#shown.keys()].filter((id) => !now.has(id)));
    if (prefs.notify && !this.refused && !document.hasFocus()) for (const agent of fresh) this.#show(agent);
  }

  #show(agent: AgentView): void {
    const title = prefs.words.shell.asks(projectOf(agent) || agent.display_name);
    const notice = new Notification(title, { body: agent.bubble ?? agent.current_task ?? agent.display_name, tag: agent.agent_id, icon: '/favicon.svg' });
    notice.onclick = () => {
      window.focus();
      go('flock', agent.agent_id);
      notice.close();
    };
    this.#shown.set(agent.agent_id, notice);
  }

  #close(ids: string[]): void {
    for (const id of ids) {
      this.#shown.get(id)?.close();
      this.#shown.delete(id);
    }
  }
}

export const notices = new Notices();
