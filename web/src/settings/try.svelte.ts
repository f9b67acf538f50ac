// A sound to try, through the daemon's own speakers, and what came of it.
import { send } from '../api/ask';
import { prefs } from '../prefs.svelte';

export const tried = $state({ effect: '', voice: '' });

export async function tryOut(what: { effect: string } | { text: string; voice?: string }): Promise<void> {
  const place = 'effect' in what ? 'effect' : 'voice';
  const words = prefs.words.settings;
  tried[place] = '';
  try {
    const { heard, why } = await send('POST', '/api/sounds/test', {}, what);
    tried[place] = heard ? words.heard : words.notHeard(why ?? '');
  } catch (error) {
    tried[place] = words.notHeard(error instanceof Error ? error.message : String(error));
  }
}
