// Makes the README's pictures: `node tests/run.mjs PROGRAM --screenshots`. They show what the tests' morning left.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wait } from './feed.mjs';
import { tighter } from './png.mjs';

const folder = process.env.PICTURES ?? join(dirname(fileURLToPath(import.meta.url)), '../../docs/pictures');
const MOST_BYTES = 200_000;
const ASKED = 'git reset --hard origin/main';

/** A few minutes of work, so that the timeline has something to show. */
async function work(rig, rounds) {
  const { feed } = rig;
  const busy = feed.sessions.filter((session) => ['shop', 'meadow', 'fleet-api', 'payments'].includes(session.name));
  for (const end of feed.running) await end();
  for (let round = 0; round < rounds; round += 1) {
    const ends = [];
    for (const [i, session] of busy.entries()) {
      for (const [k, agent] of [null, ...session.kids].entries()) {
        if ((round + i + k) % 3 === 0) continue;
        ends.push(await feed.start(session, agent, round * 3 + i + k));
      }
    }
    for (const [i, end] of ends.entries()) {
      await wait(60 + ((i * 37 + round * 53) % 400));
      await end((i + round) % 11 === 5);
    }
  }
  for (const [i, session] of busy.slice(0, 3).entries()) {
    for (const [k, agent] of [null, ...session.kids].entries()) if (agent !== feed.sessions[0].kids[1]) await feed.start(session, agent, 2 + i * 3 + k);
  }
}

async function questions({ feed }) {
  const [shop, , , , payments] = feed.sessions;
  await feed.ask(shop, shop.kids[1], 'rm -r build/ && make dist');
  await feed.ask(payments, null, 'gpg --batch --gen-key keys.conf');
}

async function picture(page, name) {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForFunction(() => [...document.images].every((one) => one.complete));
  await wait(400);
  const path = join(folder, `${name}.png`);
  const png = tighter(await page.screenshot({ animations: 'disabled' }));
  writeFileSync(path, png);
  const size = png.length;
  console.log(`${name}: ${Math.round(size / 1000)} kB`);
  if (size > MOST_BYTES) throw new Error(`${name} is larger than ${MOST_BYTES} bytes`);
}

export default async function screenshots(rig) {
  mkdirSync(folder, { recursive: true });
  rig.open = [];
  await work(rig, 6);
  await questions(rig);
  for (const [name, options] of [
    ['flock', { width: 1160, height: 580 }], ['flock-light', { theme: 'light', width: 1160, height: 580 }], ['phone', { width: 360, height: 740, scale: 1.5 }],
  ]) await picture(await rig.page(options), name);

  const timeline = await rig.page({ hash: '/timeline', width: 1160, height: 580 });
  await timeline.locator('.names button').first().waitFor();
  for (let i = 0; i < 6; i += 1) await timeline.getByRole('button', { name: 'Zoom in' }).click();
  await timeline.evaluate(() => document.activeElement?.blur());
  await picture(timeline, 'timeline');

  const guard = await rig.page({ hash: '/guard', width: 1200, height: 620 });
  await guard.locator('summary').nth(1).click();
  await guard.getByRole('button', { name: 'Verify the chain' }).click();
  await guard.getByText('The record is complete').waitFor();
  await guard.mouse.move(0, 0);
  await picture(guard, 'guard');

  await questions(rig);
  const page = await rig.page({ width: 1160, height: 580 });
  const said = rig.feed.stopped(rig.feed.sessions[0], ASKED, rig.folder).catch(() => null)
    .then(() => rig.feed.post('/hook', { ...rig.feed.event(rig.feed.sessions[0], 'PermissionRequest', { tool_name: 'Bash', tool_input: { command: ASKED } }), cwd: rig.folder }));
  await page.locator('[data-permission]').waitFor();
  await wait(600);
  await picture(page, 'permission');
  await page.locator('[data-permission]').getByRole('button', { name: 'Deny', exact: true }).click();
  await said;
}
