// The questions that wait for the person, and for a moment those that were just settled.
import { ask, send, Trouble } from './api/ask';
import type { PermissionAnswer, PermissionSettled, PermissionView, SettledHow } from './api/types';

export interface Card { permission: PermissionView; settled: SettledHow | null; trouble: string | null }

const SHOWN_AFTER_MS = 4000;

class Waiting {
  enabled = $state<boolean | null>(null);
  cards = $state<Card[]>([]);

  async read(): Promise<void> {
    // One that begins to wait while this is read may be missing in the answer.
    const known = new Set(this.cards.map((card) => card.permission.id));
    try {
      const answer = await ask('/api/permissions', {});
      this.enabled = answer.enabled;
      const here = new Set(answer.waiting.map((permission) => permission.id));
      for (const card of this.cards) if (known.has(card.permission.id) && !here.has(card.permission.id)) this.#settle(card, 'gone');
      for (const permission of answer.waiting) this.#add(permission);
    } catch {
      // The connection's own banner tells of a daemon that is away.
    }
  }

  began(permission: PermissionView): void {
    this.#add(permission);
  }

  ended({ id, how }: PermissionSettled): void {
    const card = this.cards.find((one) => one.permission.id === id);
    if (card) this.#settle(card, how);
  }

  async answer(card: Card, answer: PermissionAnswer['answer'], more: Omit<PermissionAnswer, 'answer'> = {}): Promise<void> {
    card.trouble = null;
    try {
      await send('POST', '/api/permissions/{id}', { id: card.permission.id }, { answer, ...more });
      this.#settle(card, answer === 'allow' ? 'allowed' : 'denied');
    } catch (error) {
      card.trouble = error instanceof Error ? error.message : String(error);
      if (error instanceof Trouble && (error.status === 404 || error.status === 409)) this.#settle(card, 'gone');
    }
  }

  dismiss(card: Card): void {
    this.cards = this.cards.filter((one) => one.permission.id !== card.permission.id);
  }

  #add(permission: PermissionView): void {
    if (this.cards.some((card) => card.permission.id === permission.id)) return;
    this.cards.push({ permission, settled: null, trouble: null });
  }

  #settle(card: Card, how: SettledHow): void {
    // The page's own answer comes back over the stream as well.
    if (card.settled) return;
    card.settled = how;
    setTimeout(() => this.dismiss(card), SHOWN_AFTER_MS);
  }
}

export const permissions = new Waiting();
