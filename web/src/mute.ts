// Muting: everywhere or in a project, for a while or until it is lifted.
import { send } from './api/ask';
import type { MuteWish } from './api/types';
import { live } from './live.svelte';

/** Mutes as wished; `null` lifts every mute. */
export async function setMute(wish: MuteWish | null): Promise<void> {
  const list = wish ? await send('PUT', '/api/mutes', {}, wish) : await send('DELETE', '/api/mutes', {});
  live.mutes = list.mutes;
}

export async function liftMute(project: string): Promise<void> {
  const list = await send('DELETE', '/api/mutes', { project });
  live.mutes = list.mutes;
}
