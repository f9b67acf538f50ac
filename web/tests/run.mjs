// Runs the browser tests against a real daemon: `node tests/run.mjs PROGRAM [--screenshots] [file …]`.
// Every tests/*.test.mjs runs in Debian's chromium, with the cookie by `bellwether open --print`. They share a daemon that
// has seen the morning of feed.mjs; a file that exports `needs = 'an empty daemon'` has one of its own. Files and the
// tests in them run in an order that is drawn anew each time; ORDER repeats one.
// BASE_URL and OPEN_URL instead of a program use a daemon that runs, for all files.
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Daemon } from './daemon.mjs';
import { dirtyRepository, Feed, morning } from './feed.mjs';
import { Rig } from './rig.mjs';

const EMPTY = 'an empty daemon';
const here = dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const only = words.filter((word) => word.endsWith('.mjs'));
const program = words.find((word) => !word.startsWith('--') && !word.endsWith('.mjs')) ?? process.env.BELLWETHER ?? '../target/dist/bellwether';
const { BASE_URL, FEED_URL, OPEN_URL, ORDER = String(Date.now() % 100_000) } = process.env;

async function testFiles() {
  const names = readdirSync(here).filter((name) => name.endsWith('.test.mjs') && (only.length === 0 || only.includes(name)));
  return Promise.all(names.map(async (name) => ({ name, ...(await import(pathToFileURL(join(here, name)).href)) })));
}

/** Opens a daemon and a browser, has the daemon see what `fill` sends it, and closes both after `use`. */
async function withRig(folder, fill, use) {
  const daemon = BASE_URL ? null : new Daemon(program);
  let rig;
  try {
    await daemon?.start();
    const base = BASE_URL ?? daemon.base;
    const feed = new Feed(FEED_URL ?? base);
    await fill(feed);
    rig = await Rig.open({ base, openUrl: OPEN_URL ?? daemon.openUrl(), daemon, feed, folder });
    await use(rig);
    return rig;
  } finally {
    await rig?.close();
    await daemon?.end();
  }
}

async function runTests(folder) {
  const mix = mixer(Number(ORDER));
  const files = mix(await testFiles());
  const isOwn = (file) => !BASE_URL && file.needs === EMPTY;
  const together = files.filter((file) => !isOwn(file));
  const rigs = [];
  if (together.length > 0) {
    rigs.push(await withRig(folder, (feed) => morning(feed, folder), async (rig) => {
      for (const file of together) await rig.file(file, mix);
    }));
  }
  for (const file of files.filter(isOwn)) rigs.push(await withRig(folder, async () => {}, (rig) => rig.file(file, mix)));
  const sum = (what) => rigs.reduce((all, rig) => all + rig[what], 0);
  const [passed, failed] = [sum('passed'), sum('failed')];
  console.log(`in the order ${ORDER}: ${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/** Gives back what mixes lists, in the same way for the same seed. */
function mixer(seed) {
  let state = seed;
  const next = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return (list) => list.map((one) => [next(2 ** 30), one]).sort(([a], [b]) => a - b).map(([, one]) => one);
}

const folder = dirtyRepository();
// The project of what comes by /hook is where its sender stands, as with a client's hook.
process.chdir(folder);
try {
  if (words.includes('--screenshots')) await withRig(folder, (feed) => morning(feed, folder), (await import('./screenshots.mjs')).default);
  else await runTests(folder);
} finally {
  process.chdir('/');
  rmSync(folder, { recursive: true, force: true });
}
