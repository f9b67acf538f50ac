// The settings as the daemon knows them; every change is written to the person's file by the daemon.
import { ask, send } from './api/ask';
import type { Changes, Settings as Answer } from './api/types';
import { prefs } from './prefs.svelte';

class Settings {
  answer = $state.raw<Answer | null>(null);
  said = $state<{ good: boolean; text: string } | null>(null);
  trouble = $state.raw<unknown>(null);

  read = async (): Promise<void> => {
    try {
      this.answer = await ask('/api/settings', {});
      this.trouble = null;
    } catch (error) {
      this.trouble = error;
    }
  };

  /** The value of `audio.volume` and the like. */
  get<T>(key: string, missing: T): T {
    let value: unknown = this.answer?.settings;
    for (const part of key.split('.')) {
      if (typeof value !== 'object' || value === null) return missing;
      value = (value as Record<string, unknown>)[part];
    }
    return value === undefined || value === null ? missing : (value as T);
  }

  async set(changes: Changes['changes']): Promise<boolean> {
    try {
      this.answer = await send('PUT', '/api/settings', {}, { changes });
      this.said = { good: true, text: prefs.words.settings.saved };
      return true;
    } catch (error) {
      this.said = { good: false, text: prefs.words.settings.notSaved(error instanceof Error ? error.message : String(error)) };
      return false;
    }
  }
}

export const settings = new Settings();
