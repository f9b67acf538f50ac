// What the page knows live: the agents, the questions that wait, how the connection is.
// Whatever the stream tells is collected and shown once a frame; nothing runs while nothing comes.
import { ask, whenKeyIsLost } from './api/ask';
import type { Agents as AgentPage, AgentView, EventView, Glance, MuteView } from './api/types';
import { Stream, type Contact, type Message } from './api/stream';
import { shareWhileHidden } from './api/tabs';
import { setDaemonTime } from './clock.svelte';
import { take, type Agents } from './flock/keep';
import { stateOf } from './flock/states';
import { permissions } from './permissions.svelte';
import { workflows } from './workflows.svelte';

type Listener = (events: EventView[]) => void;

class Live {
  agents = $state.raw<Agents>(new Map());
  contact = $state<Contact>('connecting');
  keyLost = $state(false);
  ready = $state(false);
  trouble = $state<unknown>(null);
  mutes = $state.raw<MuteView[]>([]);
  version = $state('');
  /** How many calls the guard has refused since somebody last looked at its view. */
  refusals = $state(0);
  /** Counts up when the stream could not tell everything: whoever shows stored things reads them again. */
  epoch = $state(0);

  #stop: () => void = () => {};
  #told: Message[] = [];
  #events: EventView[] = [];
  #pending = false;
  #listeners = new Set<Listener>();
  #anything = new Set<() => void>();

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

  /** Calls `listener` whenever an event was stored or an agent has changed; gives back how to stop it. */
  onAny(listener: () => void): () => void {
    this.#anything.add(listener);
    return () => this.#anything.delete(listener);
  }

  async #readAll(): Promise<void> {
    const glance = await this.#glance();
    const agents = await everyAgent();
    void permissions.read();
    void workflows.read();
    this.keyLost = false;
    this.agents = new Map(agents.map((agent) => [agent.agent_id, agent]));
    this.#stop();
    this.#told = [];
    const stream = new Stream(glance.stream, (message) => this.#heard(message), (now) => this.#contact(now), () => this.#probe());
    const unshare = shareWhileHidden(stream);
    this.#stop = () => {
      unshare();
      stream.stop();
    };
  }

  async #glance(): Promise<Glance> {
    const glance = await ask('/api/overview', {});
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

  #heard(message: Message): void {
    if (message.name === 'gap') void this.#readAgain();
    else if (message.name === 'ready') this.version = message.data.version;
    else if (message.name === 'permission') permissions.began(message.data);
    else if (message.name === 'permission-settled') permissions.ended(message.data);
    else if (message.name === 'workflow') workflows.moved();
    else if (message.name === 'event') this.#events.push(message.data);
    else this.#told.push(message);
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
    this.refusals += events.filter((event) => event.stopped?.how === 'refused').length;
    if (events.length > 0) for (const listener of this.#listeners) listener(events);
    if (events.length > 0 || told.length > 0) for (const listener of this.#anything) listener();
  }
}

async function everyAgent(): Promise<AgentView[]> {
  const all: AgentView[] = [];
  let after: string | null = null;
  do {
    const page: AgentPage = await ask('/api/agents', { limit: 500, after });
    all.push(...page.agents);
    after = page.next;
  } while (after !== null);
  return all;
}

export const live = new Live();
