// What agents use, by their transcripts: written where the client would write them, and summed up here once more.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wait } from './feed.mjs';

const OPUS = 'claude-opus-5-5';
const HAIKU = 'claude-haiku-5-5';
/** US dollars for a million tokens: in, out, cached for five minutes, read from the cache. */
const RATES = { [OPUS]: [4, 20, 5, 0.2], [HAIKU]: [0.1, 0.5, 0.125, 0.01] };

function line(id, model, [input, output, write, read], more = {}) {
  const usage = { input_tokens: input, output_tokens: output, cache_creation_input_tokens: write, cache_read_input_tokens: read };
  return `${JSON.stringify({ type: 'assistant', timestamp: new Date().toISOString(), gitBranch: 'fix/voucher', message: { id, model, usage, content: [{ type: 'text', text: 'Done.' }] }, ...more })}\n`;
}

/** What the messages cost by the table: each counts once, as its last line tells. */
function sum(messages) {
  return messages.reduce((usd, [, model, tokens]) => usd + tokens.reduce((part, count, i) => part + (count / 1e6) * (RATES[model]?.[i] ?? 0), 0), 0);
}

async function begin(rig, project) {
  const folder = join(rig.daemon.home, 'claude/projects', `-home-dev-${project.name}`);
  mkdirSync(folder, { recursive: true });
  return rig.feed.begin(project, folder);
}

const ask = (page, path) => page.evaluate(async (from) => (await fetch(from)).json(), path);

async function until(get, holds, what) {
  for (let i = 0; i < 200; i += 1) {
    const got = await get();
    if (holds(got)) return got;
    await wait(50);
  }
  throw new Error(`waited in vain: ${what}`);
}

export const tests = {
  'what was used is told once: by session, agent, model, project and day': async (rig) => {
    const name = `till-${Date.now()}`;
    const session = await begin(rig, { name, prompt: 'Count the till', kids: [] });
    const { feed } = rig;
    const messages = [['m1', OPUS, [100_000, 20_000, 50_000, 400_000]], ['m2', HAIKU, [50_000, 1_000, 0, 0]], ['m3', 'some-model-9', [10, 10, 0, 0]]];
    // A message has a line for each of its blocks, and the first may have been written before all of it had come.
    const before = line('m1', OPUS, [100_000, 3, 50_000, 400_000]);
    writeFileSync(session.transcript, before + messages.map((one) => line(...one)).join(''));
    const child = { id: 'achild00000000001', type: 'Explore' };
    const childFile = join(session.transcript.replace(/\.jsonl$/, ''), 'subagents', 'agent-achild00000000001.jsonl');
    mkdirSync(join(childFile, '..'), { recursive: true });
    const ofChild = [['c1', HAIKU, [90_000, 2_000, 0, 0]]];
    writeFileSync(childFile, ofChild.map(([...one]) => line(...one, { isSidechain: true })).join(''));
    await feed.ingest(feed.event(session, 'SubagentStart', feed.by(child)));
    await feed.ingest(feed.event(session, 'SubagentStop', { ...feed.by(child), agent_transcript_path: childFile, stop_hook_active: false }));
    await feed.ingest(feed.event(session, 'Stop', { stop_hook_active: false }));
    const page = await rig.page({ hash: '/today' });
    const wanted = sum([...messages, ...ofChild]);
    const near = (usd) => typeof usd === 'number' && Math.abs(usd - wanted) < 1e-9;
    const read = () => ask(page, `/api/session-table?text=${name}`);
    const [row] = (await until(read, (table) => near(table.rows[0]?.session.usage.cost_usd), `${wanted} dollars`)).rows;
    assert.deepEqual([row.session.usage.messages, row.session.usage.unpriced, row.session.branch, row.session.model], [4, 1, 'fix/voucher', 'some-model-9']);
    // Two ends at once, and more written meanwhile: only that is added.
    const more = [['m4', OPUS, [1_000_000, 0, 0, 0]]];
    appendFileSync(session.transcript, line(...more[0]));
    await feed.ingest(feed.event(session, 'Stop', { stop_hook_active: false }), feed.event(session, 'SessionEnd', { reason: 'other' }));
    const all = wanted + sum(more);
    await until(read, (table) => Math.abs((table.rows[0]?.session.usage.cost_usd ?? 0) - all) < 1e-9, `${all} dollars`);
    await wait(1500);
    const costs = await ask(page, `/api/costs?since=${Date.now() - 7_200_000}`);
    const project = costs.spending.projects.find((one) => one.project === name);
    assert.ok(Math.abs(project.usage.cost_usd - all) < 1e-9, `${project.usage.cost_usd} and not ${all}`);
    const agents = await ask(page, `/api/agents?session=${session.id}&presence=all`).catch(() => null);
    assert.ok(agents);
    await page.getByRole('link', { name, exact: true }).first().waitFor();
    await page.getByRole('cell', { name: '≈ $5', exact: false }).first().waitFor();
    await page.goto(`${rig.base}/#/sessions/${session.id}`);
    await page.getByText(`≈ $${all.toFixed(2)}+`).first().waitFor();
    await page.getByText('By model:').waitFor();
  },
  'today: figures, hours, the day before in the address, and back': async (rig) => {
    const page = await rig.page({ hash: '/today' });
    await page.getByText('Refused by the guard').waitFor();
    assert.ok(Number(await page.locator('dl a').first().innerText()) >= 5, 'what the guard refused is counted');
    assert.equal(await page.getByRole('list', { name: 'By hour' }).getByRole('listitem').count(), 24);
    await page.getByRole('button', { name: 'The day before' }).click();
    await page.getByText('Nothing happened on this day').waitFor();
    assert.match(page.url(), /day=\d{4}-\d\d-\d\d/);
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    await page.getByText('Refused by the guard').waitFor();
  },
  'how long an agent has waited counts once it goes on': async (rig) => {
    const name = `waiter-${Date.now()}`;
    const session = await rig.feed.begin({ name, prompt: 'Wait for me', kids: [] });
    const call = { tool_name: 'Bash', tool_input: { command: 'make wait' } };
    const page = await rig.page({ hash: '/today' });
    await rig.feed.ingest(rig.feed.event(session, 'PermissionRequest', call));
    await wait(1100);
    await rig.feed.ingest(rig.feed.event(session, 'PostToolUse', { ...call, tool_response: {}, tool_use_id: rig.feed.callId() }));
    const work = async () => (await ask(page, `/api/costs?since=${Date.now() - 7_200_000}`)).spending.projects.find((one) => one.project === name)?.work;
    const waited = await until(work, (found) => found?.waits === 1, 'a wait');
    assert.ok(waited.waited_ms >= 1000 && waited.waited_ms < 60_000, `${waited.waited_ms} ms`);
    await rig.feed.ingest(rig.feed.event(session, 'SessionEnd', { reason: 'other' }));
  },
  'the table of sessions is sorted and filtered, and stays as it is under the mouse': async (rig) => {
    const name = `tables-${Date.now()}`;
    const sessions = [];
    for (const prompt of ['Apples first', 'Pears second', 'Plums third']) sessions.push(await begin(rig, { name, prompt, kids: [] }));
    const spend = async (session, output) => {
      appendFileSync(session.transcript, line(`x${output}${Math.random()}`, OPUS, [0, output, 0, 0]));
      await rig.feed.ingest(rig.feed.event(session, 'Stop', { stop_hook_active: false }));
    };
    for (const [i, session] of sessions.entries()) await spend(session, (i + 1) * 100_000);
    const page = await rig.page({ hash: `/sessions?project=${name}&sort=cost` });
    const titles = () => page.locator('tbody .about > a').allInnerTexts();
    await until(titles, (now) => now.join() === 'Plums third,Pears second,Apples first', 'the dearest first');
    await page.getByRole('button', { name: 'Cost' }).click();
    await until(titles, (now) => now[0] === 'Apples first', 'the cheapest first');
    assert.equal(await page.locator('th[aria-sort=ascending]').innerText(), 'Cost');
    await page.getByRole('button', { name: 'Cost' }).click();
    await until(titles, (now) => now[0] === 'Plums third', 'the dearest first again');
    // The cheapest becomes the dearest while somebody points at the table.
    await page.locator('tbody tr').nth(1).hover();
    await spend(sessions[0], 900_000);
    await page.locator('tbody tr', { hasText: 'Apples first' }).getByText('≈ $20.00').waitFor();
    assert.equal((await titles())[0], 'Plums third', 'it has moved under the mouse');
    await page.mouse.move(0, 0);
    await until(titles, (now) => now[0] === 'Apples first', 'the new order');
    await page.getByRole('searchbox', { name: 'Find by title' }).fill('pears');
    await until(titles, (now) => now.join() === 'Pears second', 'what was looked for');
    assert.match(page.url(), /text=pears/);
    await page.getByRole('searchbox', { name: 'Find by title' }).fill('');
    await rig.feed.ask(sessions[1], null, 'make needy');
    await page.locator('tr.asks', { hasText: 'Pears second' }).getByText('needs you').waitFor();
    await page.getByRole('button', { name: 'Needs you', exact: true }).click();
    await until(titles, (now) => now.join() === 'Pears second', 'who needs me');
    await page.locator('tbody .about > a').first().click();
    await page.getByRole('region', { name: 'Details' }).getByRole('heading', { name: 'Pears second' }).waitFor();
    await page.goBack();
    await until(titles, (now) => now.join() === 'Pears second', 'Back to the table as it was');
    for (const session of sessions) await rig.feed.ingest(rig.feed.event(session, 'SessionEnd', { reason: 'other' }));
  },
  'three sessions of one project are told apart by their pens': async (rig) => {
    const name = `trio-${Date.now()}`;
    const sessions = [];
    for (const prompt of ['Mend the voucher test', 'Translate the receipts', 'Draw the new logo']) sessions.push(await begin(rig, { name, prompt, kids: [] }));
    const [first] = sessions;
    writeFileSync(first.transcript, `${line('a', OPUS, [1_000, 500, 3_000, 146_000])}${JSON.stringify({ type: 'ai-title', aiTitle: 'Vouchers on Fridays' })}\n`);
    // Also without an end of a turn: it goes on working.
    await rig.feed.ingest(rig.feed.event(first, 'PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: {}, tool_use_id: rig.feed.callId() }));
    const page = await rig.page({ hash: `/flock?project=${name}` });
    const pen = page.locator('.pen', { hasText: 'Vouchers on Fridays' });
    await pen.getByText('fix/voucher').waitFor({ timeout: 15_000 });
    for (const text of [name, 'Opus 5.5', '151k tokens', '≈ $0.06']) await pen.getByText(text, { exact: false }).first().waitFor();
    await pen.getByRole('img', { name: 'The context is 75% full.' }).waitFor();
    assert.deepEqual(new Set(await page.locator('.pen h2').allInnerTexts()), new Set(['Vouchers on Fridays', 'Translate the receipts', 'Draw the new logo']));
    for (const width of [1280, 900, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const cut = await page.locator('.pen header p').evaluateAll((lines) => lines.filter((line) => line.getBoundingClientRect().height > 20).length);
      assert.equal(cut, 0, `a line of a pen's head is broken at ${width}`);
    }
    for (const session of sessions) await rig.feed.ingest(rig.feed.event(session, 'SessionEnd', { reason: 'other' }));
  },
};
