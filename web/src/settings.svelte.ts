// The settings as the daemon knows them; every change is written to the person's file by the daemon.
import { ask, send } from './api/ask';
import type { SettingsAnswer } from './api/shapes';
import { prefs } from './prefs.svelte';

class Settings {
  answer = $state.raw<SettingsAnswer | null>(null);
  said = $state<{ good: boolean; text: string } | null>(null);
  trouble = $state.raw<unknown>(null);

  read = async (): Promise<void> => {
    try {
      this.answer = await ask<SettingsAnswer>('/api/settings');
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

  async set(changes: Record<string, unknown>): Promise<boolean> {
    try {
      this.answer = await send<SettingsAnswer>('PUT', '/api/settings', { changes });
      this.said = { good: true, text: prefs.words.settings.saved };
      return true;
    } catch (error) {
      this.said = { good: false, text: prefs.words.settings.notSaved(error instanceof Error ? error.message : String(error)) };
      return false;
    }
  }
}

export const settings = new Settings();
