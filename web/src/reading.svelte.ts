// Something read from the daemon: there, on its way, or not to be had. Only the newest wish counts.
import { wasAborted } from './api/ask';

export class Reading<T> {
  value = $state.raw<T | null>(null);
  trouble = $state.raw<unknown>(null);
  busy = $state(false);
  #abort: AbortController | null = null;
  #again: (() => Promise<void>) | null = null;

  async read(get: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.#again = () => this.read(get);
    this.busy = true;
    try {
      const value = await get(abort.signal);
      if (abort !== this.#abort) return;
      [this.value, this.trouble] = [value, null];
    } catch (error) {
      if (wasAborted(error) || abort !== this.#abort) return;
      this.trouble = error;
    }
    this.busy = false;
  }

  /** Forgets what was read, for a subject that is another one now. */
  clear(): void {
    this.#abort?.abort();
    this.#abort = null;
    [this.value, this.trouble, this.busy] = [null, null, false];
  }

  retry = (): void => {
    void this.#again?.();
  };
}
