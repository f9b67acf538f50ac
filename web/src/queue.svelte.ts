// Whether the queue of those who need the person is open. Beside the view it is, until it is folded; on a narrow screen
// it is closed, until it is wanted.
import { prefs } from './prefs.svelte';

const wide = matchMedia('(min-width: 1100px)');

class Queue {
  /** Whether anybody is in it. */
  any = $state(false);
  #wide = $state(wide.matches);
  #wanted = $state(false);

  constructor() {
    wide.addEventListener('change', () => (this.#wide = wide.matches));
  }

  get open(): boolean {
    return this.#wide ? !prefs.queueFolded : this.#wanted;
  }

  /** Whether it takes its place beside the view. */
  get docked(): boolean {
    return this.any && this.open && this.#wide;
  }

  fold(open = !this.open): void {
    if (this.#wide) prefs.setQueueFolded(!open);
    else this.#wanted = open;
  }
}

export const queue = new Queue();
