// The live stream: one EventSource at a time, opened again behind the last id for as long as the page is there.
// It does not leave that to the browser, which gives up at an answer that is no stream (a daemon that is just starting).
import { TOLD, type Told } from './types';

/** An event of the stream: its name, and the data that goes with it. */
export type Message = { [Name in keyof Told]: { name: Name; data: Told[Name] } }[keyof Told];
export type Contact = 'connecting' | 'open' | 'away';

const WAITS_MS = [250, 500, 1000, 2000, 3000];
const AWAY_AFTER_MS = 2000;

export class Stream {
  #source: EventSource | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #away: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #stopped = false;

  constructor(
    private last: string,
    private readonly heard: (message: Message) => void,
    private readonly contact: (now: Contact) => void,
    /** Asked before each new attempt, so that a lost key is noticed: EventSource does not tell a status. */
    private readonly probe: () => Promise<void>,
  ) {
    this.#open();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#away);
    this.#source?.close();
  }

  /** Lets the connection go without a word; `resume` goes on behind what was heard last. */
  pause(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  resume(): void {
    if (this.#source === null && !this.#stopped) this.#open();
  }

  #open(): void {
    const source = new EventSource(`/events/stream?last_event_id=${encodeURIComponent(this.last)}`);
    this.#source = source;
    for (const name of TOLD) source.addEventListener(name, (event) => this.#take(name, event));
    source.onopen = () => this.#opened();
    source.onerror = () => this.#lost(source);
  }

  #take(name: keyof Told, event: MessageEvent<string>): void {
    if (event.lastEventId) this.last = event.lastEventId;
    try {
      this.heard({ name, data: JSON.parse(event.data) } as Message);
    } catch {
      // A line that is no JSON is the next version's; the others still count.
    }
  }

  #opened(): void {
    this.#failures = 0;
    clearTimeout(this.#away);
    this.#away = undefined;
    this.contact('open');
  }

  #lost(source: EventSource): void {
    source.close();
    if (this.#stopped || source !== this.#source) return;
    this.#away ??= setTimeout(() => this.contact('away'), AWAY_AFTER_MS);
    const wait = WAITS_MS[Math.min(this.#failures, WAITS_MS.length - 1)];
    this.#failures += 1;
    this.#retry = setTimeout(() => void this.#again(), wait);
  }

  async #again(): Promise<void> {
    await this.probe().catch(() => undefined);
    if (!this.#stopped) this.#open();
  }
}
