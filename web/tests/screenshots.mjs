// Makes the pictures of README and docs: `node tests/run.mjs PROGRAM --screenshots`. They show what the tests' morning left.
// ONLY=workflow or ONLY=transcripts makes those alone.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exported, SHOP } from './exported.mjs';
import { wait } from './feed.mjs';
import { Planned } from './planned.mjs';
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

/** A session as an exported page: by day from the top, by night with a subagent unfolded. */
async function transcripts(rig) {
  await exported(rig.daemon.path, [SHOP], async (_, [file]) => {
    for (const [name, theme] of [['transcript-light', 'light'], ['transcript', 'dark']]) {
      const context = await rig.browser.newContext({ colorScheme: theme, locale: 'en-US', viewport: { width: 1080, height: 960 } });
      const page = await context.newPage();
      await page.goto(`file://${file}`);
      if (theme === 'dark') {
        await page.locator('.call', { has: page.locator('.agent') }).first().evaluate((call) => { call.open = true; call.querySelector('.agent').open = true; });
        await page.locator('.call', { hasText: 'src/vouchers.ts' }).last().evaluate((call) => { call.open = true; });
        await page.locator('.agent').evaluate((agent) => scrollTo(0, agent.getBoundingClientRect().top + scrollY - 90));
      }
      await picture(page, name);
      await context.close();
    }
  });
}

/** Planned work at four places: finished, taken up again, being done by a team, and waiting for a review. */
function plan(shop) {
  let id = 0;
  const done = (subject) => shop.done(String((id += 1)), subject);
  for (const feature of ['search', 'exports', 'checkout', 'vouchers']) for (const phase of ['Plan', 'Design']) done(`[${phase}] ${feature}`);
  for (const feature of ['search', 'exports', 'vouchers']) shop.person('next', feature, '--reason', 'read and agreed');
  for (const [feature, rate] of [['search', 84], ['exports', 96]]) {
    done(`[Do] ${feature}`);
    shop.check(String((id += 1)), feature, rate);
  }
  done('[Report] exports');
  for (const [name, subject] of [['developer', '[Do] vouchers - developer: the ledger'], ['tester', '[Do] vouchers - tester: edge cases']]) {
    shop.create(String((id += 1)), subject);
    shop.hook('SubagentStart', { agent_id: `a${name}-20abaa3412251a65`, agent_type: name, teammate_name: name, team_name: 'shop' });
    shop.move(String(id), 'in_progress', { owner: name });
  }
}

async function workflow(rig) {
  const shop = new Planned(rig.daemon, 'shop');
  try {
    plan(shop);
    const page = await rig.page({ hash: '/workflow', width: 1240, height: 640 });
    await page.getByRole('button', { name: 'Begin do' }).waitFor();
    await foldQueue(page);
    await picture(page, 'workflow');
  } finally {
    shop.end();
  }
}

/** The picture is about the view beside it. */
async function foldQueue(page) {
  await page.locator('aside').waitFor();
  await page.keyboard.press('q');
  await page.locator('aside.folded').waitFor();
}

export default async function screenshots(rig) {
  mkdirSync(folder, { recursive: true });
  rig.open = [];
  const { ONLY } = process.env;
  if (ONLY) return { workflow, transcripts }[ONLY](rig);
  await work(rig, 6);
  await questions(rig);
  for (const [name, options] of [
    ['flock', { width: 1160, height: 580 }], ['flock-light', { theme: 'light', width: 1160, height: 580 }], ['phone', { width: 360, height: 740, scale: 1.5 }],
  ]) {
    const page = await rig.page(options);
    if (options.width > 400) await foldQueue(page);
    await picture(page, name);
  }

  const timeline = await rig.page({ hash: '/timeline', width: 1160, height: 580 });
  await foldQueue(timeline);
  await timeline.locator('.names button').first().waitFor();
  for (let i = 0; i < 6; i += 1) await timeline.getByRole('button', { name: 'Zoom in' }).click();
  await timeline.evaluate(() => document.activeElement?.blur());
  await picture(timeline, 'timeline');

  const guard = await rig.page({ hash: '/guard', width: 1200, height: 620 });
  await foldQueue(guard);
  await guard.locator('main summary').nth(1).click();
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
  await workflow(rig);
  await transcripts(rig);
}
