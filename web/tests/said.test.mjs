// A transcript as it is read on the page: from its end, live, back to its beginning, and at a moment.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LINES = 900;

async function begin(rig, write) {
  const name = `said-${Date.now()}`;
  const folder = join(rig.daemon.home, 'claude/projects', `-home-dev-${name}`);
  mkdirSync(folder, { recursive: true });
  const session = await rig.feed.begin({ name, prompt: 'Say a lot', kids: [] }, folder);
  write(session);
  return session;
}

const said = (words, at) => `${JSON.stringify({ type: 'assistant', timestamp: new Date(at).toISOString(), message: { id: words, model: 'm', content: [{ type: 'text', text: words }] } })}\n`;

export const tests = {
  'a transcript begins at its end, goes on live, and goes back to its beginning': async (rig) => {
    const now = Date.now();
    const words = (number) => `line ${number} ${'and so on '.repeat(90)}`;
    const session = await begin(rig, ({ transcript }) => writeFileSync(transcript, Array.from({ length: LINES }, (_, i) => said(words(i), now - (LINES - i) * 1000)).join('')));
    const page = await rig.page({ hash: `/sessions/${session.id}?part=transcript` });
    const rows = page.locator('ol.said > li');
    await page.getByText(`line ${LINES - 1} `).waitFor();
    assert.equal(await page.getByText('line 0 ', { exact: false }).count(), 0, 'all of it was read at once');
    // Live: who is at the end stays at the end.
    appendFileSync(session.transcript, said('the very newest', now));
    await rig.feed.ingest(rig.feed.event(session, 'PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: {}, tool_use_id: rig.feed.callId() }));
    await page.getByText('the very newest').waitFor();
    await page.waitForFunction(() => innerHeight + scrollY >= document.documentElement.scrollHeight - 40);
    // Back, a screen at a time: what is in sight stays in sight, nothing is missing and nothing stands twice.
    await page.getByRole('button', { name: 'Beginning' }).click();
    await page.getByText('line 0 ').waitFor();
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByText('the very newest').waitFor();
    assert.ok((await rows.count()) < LINES / 2);
    await rig.axe(page, 'a transcript');
    // As with a key that is held down.
    await page.waitForFunction((all) => (scrollTo(0, 0), document.querySelectorAll('ol.said > li').length === all), LINES + 1);
    const numbers = await rows.evaluateAll((all) => all.map((row) => /line (\d+) /.exec(row.textContent)?.[1]).filter(Boolean).map(Number));
    assert.deepEqual(numbers, Array.from({ length: LINES }, (_, i) => i));
    await rig.feed.ingest(rig.feed.event(session, 'SessionEnd', { reason: 'other' }));
  },
  'an event and a refusal lead to their place in the transcript': async (rig) => {
    const session = await begin(rig, () => undefined);
    const at = Date.now();
    await rig.feed.stopped(session, 'rm -rf /home', rig.folder);
    writeFileSync(session.transcript, Array.from({ length: 600 }, (_, i) => said(`around ${i} ${'words '.repeat(60)}`, at + (i - 300) * 60_000)).join(''));
    const page = await rig.page({ hash: `/guard?of=${session.id}` });
    await page.locator('main details summary').first().click();
    await page.getByRole('link', { name: 'In the transcript' }).click();
    const marked = page.locator('li.marked');
    await marked.getByText('around 300 ').waitFor();
    assert.ok(await marked.evaluate((row) => row.getBoundingClientRect().top > 0 && row.getBoundingClientRect().bottom < innerHeight), 'it is in sight');
    await page.goBack();
    await page.waitForFunction(() => location.hash.startsWith('#/guard'));
    await page.goto(`${rig.base}/#/search?session=${session.id}`);
    await page.getByRole('list', { name: 'Events' }).getByRole('button').first().click();
    await page.getByRole('dialog').getByRole('link', { name: 'In the transcript' }).click();
    await marked.getByText(/around (300|299) /).waitFor();
    await rig.feed.ingest(rig.feed.event(session, 'SessionEnd', { reason: 'other' }));
  },
};
