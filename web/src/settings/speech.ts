// Speaking is a matter of each announcement. The page switches all of them at once, and remembers which ones spoke, so
// that on is again what it was. Pure: settings in, changes out.

interface Announcement { enabled?: boolean; voice?: { enabled?: boolean; name?: string } }
export type Hooks = Record<string, Announcement>;
export type Changes = Record<string, unknown>;

export function speaking(hooks: Hooks): string[] {
  return Object.entries(hooks).filter(([, one]) => one.enabled !== false && one.voice?.enabled === true).map(([name]) => name);
}

export function silence(hooks: Hooks): Changes {
  return Object.fromEntries(speaking(hooks).map((name) => [`hooks.${name}.voice.enabled`, false]));
}

/** Lets those speak that are `remembered`; without any, every announcement that is made at all. */
export function speak(hooks: Hooks, remembered: readonly string[]): Changes {
  const known = remembered.filter((name) => hooks[name]?.voice);
  const names = known.length > 0 ? known : Object.keys(hooks).filter((name) => hooks[name]?.voice && hooks[name]?.enabled !== false);
  return Object.fromEntries(names.map((name) => [`hooks.${name}.voice.enabled`, true]));
}

/** Asks `engine` first, and by `voice` where it has voices of its own. */
export function prefer(hooks: Hooks, chain: readonly string[], engine: string, voice: string): Changes {
  const named = Object.keys(hooks).filter((name) => typeof hooks[name]?.voice?.name === 'string');
  return {
    'voice.chain': [engine, ...chain.filter((one) => one !== engine)],
    ...Object.fromEntries(named.map((name) => [`hooks.${name}.voice.name`, voice === engine ? '' : voice])),
  };
}
