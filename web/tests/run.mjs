// Runs the browser tests against a real daemon: `node tests/run.mjs PROGRAM [--screenshots] [file …]`.
// A fresh home and port, the morning of feed.mjs through /ingest and /hook, the cookie by `bellwether open --print`,
// then every tests/*.test.mjs in Debian's chromium. BASE_URL and OPEN_URL instead of a program use a daemon that runs.
import { spawn, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dirtyRepository, morning, wait } from './feed.mjs';
import { Rig } from './rig.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const screenshots = words.includes('--screenshots');
const only = words.filter((word) => word.endsWith('.mjs'));
const program = words.find((word) => !word.startsWith('--') && !word.endsWith('.mjs')) ?? process.env.BELLWETHER ?? '../target/dist/bellwether';

class Daemon {
  constructor(path) {
    this.path = resolve(path);
    this.home = mkdtempSync(join(tmpdir(), 'bellwether-page-'));
  }

  async start() {
    this.port ??= await freePort();
    mkdirSync(join(this.home, 'config'), { recursive: true });
    const config = `daemon:\n  port: ${this.port}\naudio:\n  enabled: false\npage:\n  answer: true\n`;
    writeFileSync(join(this.home, 'config/config.yaml'), config);
    this.process = spawn(this.path, ['--home', this.home, 'daemon', 'run'], { stdio: 'ignore' });
    this.base = `http://127.0.0.1:${this.port}`;
    await until(async () => (await fetch(`${this.base}/health`)).ok, 'the daemon answers');
  }

  /** As a crash: nothing is said to anybody. */
  async kill() {
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGKILL');
    await gone;
  }

  openUrl() {
    return execFileSync(this.path, ['--home', this.home, 'open', '--print'], { encoding: 'utf8' }).trim().split('\n').pop();
  }

  async end() {
    if (this.process?.exitCode === null) await this.kill();
    rmSync(this.home, { recursive: true, force: true });
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function until(holds, what, most = 20_000) {
  const end = Date.now() + most;
  for (;;) {
    if (await holds().catch(() => false)) return;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await wait(25);
  }
}

async function main() {
  const daemon = process.env.BASE_URL ? null : new Daemon(program);
  const folder = dirtyRepository();
  // The project of what comes by /hook is where its sender stands, as with a client's hook.
  process.chdir(folder);
  let rig;
  try {
    await daemon?.start();
    const base = process.env.BASE_URL ?? daemon.base;
    const feed = await morning(process.env.FEED_URL ?? base, folder);
    rig = await Rig.open({ base, openUrl: process.env.OPEN_URL ?? daemon.openUrl(), daemon, feed, folder });
    if (screenshots) return await (await import('./screenshots.mjs')).default(rig);
    const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs') && (only.length === 0 || only.includes(name))).sort();
    for (const file of files) await rig.file(file, await import(pathToFileURL(join(here, file)).href));
    console.log(`${rig.passed} passed, ${rig.failed} failed`);
    process.exitCode = rig.failed > 0 || rig.passed === 0 ? 1 : 0;
  } finally {
    await rig?.close();
    await daemon?.end();
    process.chdir('/');
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
