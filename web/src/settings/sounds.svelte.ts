// What can be heard, read once for all blocks that show it.
import { ask } from '../api/ask';
import type { Sounds } from '../api/types';
import { Reading } from '../reading.svelte';

export const sounds = new Reading<Sounds>();

export function readSounds(): void {
  if (!sounds.value && !sounds.busy) void sounds.read((signal) => ask('/api/sounds', {}, signal));
}
