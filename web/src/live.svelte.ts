// What the page knows live: the agents, the questions that wait, how the connection is.
// Whatever the stream tells is collected and shown once a frame; nothing runs while nothing comes.
import { ask, whenKeyIsLost } from './api/ask';
import type { AgentPage, AgentView, EventView, Glance, MuteView } from './api/shapes';
import { Stream, type Contact } from './api/stream';
import { shareWhileHidden } from './api/tabs';
import { setDaemonTime } from './clock.svelte';
import { take, type Agents, type Told } from './flock/keep';
import { stateOf } from './flock/states';
import { permissions } from './permissions.svelte';

type Listener = (events: EventView[]) => void;

class Live {
  agents = $state.raw<Agents>(new Map());
  contact = $state<Contact>('connecting');
  keyLost = $state(false);
  ready = $state(false);
  trouble = $state<unknown>(null);
  mutes = $state.raw<MuteView[]>([]);
  version = $state('');
  /** Counts up when the stream could not tell everything: whoever shows stored things reads them again. */
  epoch = $state(0);

  #stop: () => void = () => {};
  #told: Told[] = [];
  #events: EventView[] = [];
  #pending = false;
  #listeners = new Set<Listener>();

  waiting = $derived([...this.agents.values()].filter((agent) => stateOf(agent.status).needsYou));

  async start(): Promise<void> {
    whenKeyIsLost(() => (this.keyLost = true));
    this.trouble = null;
    try {
      await this.#readAll();
      this.ready = true;
    } catch (error) {
      this.trouble = error;
    }
  }

  /** Calls `listener` with events as they are stored; gives back how to stop it. */
  onEvents(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #readAll(): Promise<void> {
    const glance = await this.#glance();
    const agents = await everyAgent();
    void permissions.read();
    this.keyLost = false;
    this.agents = new Map(agents.map((agent) => [agent.agent_id, agent]));
    this.#stop();
    this.#told = [];
    const stream = new Stream(glance.stream, (name, data) => this.#heard(name, data), (now) => this.#contact(now), () => this.#probe());
    const unshare = shareWhileHidden(stream);
    this.#stop = () => {
      unshare();
      stream.stop();
    };
  }

  async #glance(): Promise<Glance> {
    const glance = await ask<Glance>('/api/overview');
    setDaemonTime(glance.now_ms);
    this.mutes = glance.mutes;
    return glance;
  }

  async #probe(): Promise<void> {
    await this.#glance();
  }

  #contact(now: Contact): void {
    const back = now === 'open' && this.contact === 'away';
    this.contact = now;
    if (now === 'open') void permissions.read();
    if (back) this.epoch += 1;
  }

  #heard(name: string, data: unknown): void {
    if (name === 'gap') void this.#readAgain();
    else if (name === 'ready') this.version = (data as { version?: string }).version ?? '';
    else if (name === 'permission' || name === 'permission-settled') permissions.heard(name, data);
    else if (name === 'event') this.#events.push(data as EventView);
    else this.#told.push({ name, data });
    this.#schedule();
  }

  async #readAgain(): Promise<void> {
    this.epoch += 1;
    const agents = await everyAgent().catch(() => null);
    if (agents) this.agents = new Map(agents.map((agent) => [agent.agent_id, agent]));
  }

  #schedule(): void {
    if (this.#pending) return;
    this.#pending = true;
    // A hidden page gets no frames, but its title still tells who waits.
    if (document.hidden) setTimeout(() => this.#flush(), 200);
    else requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    this.#pending = false;
    const [told, events] = [this.#told, this.#events];
    [this.#told, this.#events] = [[], []];
    this.agents = take(this.agents, told);
    if (events.length > 0) for (const listener of this.#listeners) listener(events);
  }
}

async function everyAgent(): Promise<AgentView[]> {
  const all: AgentView[] = [];
  let after: string | number | null = null;
  do {
    const page: AgentPage = await ask<AgentPage>('/api/agents', { limit: 500, after });
    all.push(...page.agents);
    after = page.next ?? null;
  } while (after !== null);
  return all;
}

export const live = new Live();
