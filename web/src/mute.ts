// Muting: everywhere or in a project, for a while or until it is lifted.
import { address, send } from './api/ask';
import type { MuteList } from './api/shapes';
import { live } from './live.svelte';

/** Mutes as wished; `null` lifts every mute. */
export async function setMute(wish: { project?: string; seconds?: number } | null): Promise<void> {
  const list = wish ? await send<MuteList>('PUT', '/api/mutes', wish) : await send<MuteList>('DELETE', '/api/mutes');
  live.mutes = list.mutes;
}

export async function liftMute(project: string | null | undefined): Promise<void> {
  const list = await send<MuteList>('DELETE', address('/api/mutes', { project }));
  live.mutes = list.mutes;
}
