// A real daemon with a fresh home and port.
import { spawn, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { wait } from './feed.mjs';

export class Daemon {
  constructor(path) {
    this.path = resolve(path);
    this.home = mkdtempSync(join(tmpdir(), 'bellwether-page-'));
  }

  async start() {
    this.port ??= await freePort();
    mkdirSync(join(this.home, 'config'), { recursive: true });
    const config = `daemon:\n  port: ${this.port}\naudio:\n  enabled: false\npage:\n  answer: true\n`;
    writeFileSync(join(this.home, 'config/config.yaml'), config);
    // Where the client would keep its transcripts.
    const env = { ...process.env, CLAUDE_CONFIG_DIR: join(this.home, 'claude') };
    this.process = spawn(this.path, ['--home', this.home, 'daemon', 'run'], { stdio: 'ignore', env });
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
