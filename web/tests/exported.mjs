// Sessions as exported pages, for tests and pictures.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const fixtures = resolve(dirname(fileURLToPath(import.meta.url)), '../../crates/transcript/fixtures');
const SHOP_ID = '5c0ffee5-0f1a-4b1e-9d2c-7a11ce5ca7e5';
export const SHOP = join(fixtures, `shop/${SHOP_ID}.jsonl`);
export const SUB = join(fixtures, 'sub/da6df7c4-71d5-498a-a01d-bd54de3581bd.jsonl');

/** What the guard has on record of a call in the session of the shop. */
const STOP = {
  seq: 1, at: '2026-11-16T09:16:20Z', said: 'deny', verdict: 'deny', rules: ['delete'], severity: 'critical',
  reason: 'it deletes /home/ann/shop/backups, which is not in git', session: SHOP_ID, agent: null, project: '/home/ann/shop', mode: 'default',
  tool: 'Bash', call: 'toolu_0060', subject: 'rm -rf ~/shop/dumps ~/shop/.git/../backups', subject_hash: '', prev: '', hash: '',
};

/** Exports into a folder that is gone after `use`, which is given the folder and the pages in it. */
export async function exported(program, transcripts, use) {
  const root = mkdtempSync(join(tmpdir(), 'bellwether-export-'));
  const [home, folder] = [join(root, 'home'), join(root, 'kept')];
  try {
    mkdirSync(join(home, 'state'), { recursive: true });
    writeFileSync(join(home, 'state/audit.jsonl'), `${JSON.stringify(STOP)}\n`);
    for (const path of transcripts) {
      const words = ['--home', home, 'transcript', 'export', path, '--folder', folder];
      execFileSync(program, words, { stdio: 'pipe', env: { ...process.env, TZ: 'UTC' } });
    }
    await use(folder, readdirSync(folder).filter((name) => name !== 'index.html').map((name) => join(folder, name)));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
