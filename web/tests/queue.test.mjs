// Everybody who needs the person, in one place that is over nothing.
import assert from 'node:assert/strict';

const EDIT = { tool_name: 'Edit', tool_input: { file_path: '/home/dev/q/src/draw.ts', old_string: 'const a = 1;\nconst size = 48;\nend();', new_string: 'const a = 1;\nconst size = 32;\nend();' } };
const QUESTION = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which way round?', header: 'Way', multiSelect: false, options: [{ label: 'Left', description: 'Past the barn' }, { label: 'Right', description: 'By the brook' }] }] } };

async function asking(rig, use) {
  const name = `queue-${Date.now()}`;
  const session = await rig.feed.begin({ name, prompt: 'Ask me everything', kids: ['asker'] });
  try {
    await use(session, name);
  } finally {
    await rig.feed.ingest(rig.feed.event(session, 'SessionEnd', { reason: 'other' }));
  }
}

const region = (page) => page.getByRole('complementary', { name: 'Waiting for your answer' });

export const tests = {
  'questions with their choices, edits with their lines, several of one agent counted, the wait': (rig) => asking(rig, async (session, name) => {
    await rig.feed.ingest(rig.feed.event(session, 'PermissionRequest', QUESTION), rig.feed.event(session, 'PermissionRequest', EDIT));
    const page = await rig.page({ hash: '/tools' });
    const cards = region(page).locator('[data-ask]', { hasText: name });
    await cards.nth(1).waitFor();
    assert.equal(await cards.count(), 2);
    await cards.getByText('1 of 2').waitFor();
    await cards.getByText('2 of 2').waitFor();
    for (const card of [cards.nth(0), cards.nth(1)]) await card.locator('details').evaluate((details) => (details.open = true));
    for (const text of ['Left', 'Past the barn', 'Right', 'By the brook']) await cards.getByText(text, { exact: true }).waitFor();
    const lines = await cards.locator('.diff > div').allInnerTexts();
    assert.deepEqual(lines.map((line) => line.replace(/\s+/g, ' ').trim()), ['const a = 1;', '−const size = 48;', '+const size = 32;', 'end();']);
    await cards.getByText(/^waits \d+ s/).first().waitFor();
    await cards.getByText('Answer this in the terminal.').first().waitFor();
    await rig.axe(page, 'the queue');
    // Answered in the terminal, each goes by itself.
    await rig.feed.ingest(rig.feed.event(session, 'PostToolUse', { ...EDIT, tool_response: {}, tool_use_id: rig.feed.callId() }));
    await cards.nth(1).waitFor({ state: 'detached' });
    await cards.getByText('Which way round?').first().waitFor();
  }),
  'what can be answered here is first, its edit has lines, and the panel of its agent has it too': (rig) => asking(rig, async (session, name) => {
    const page = await rig.page({ hash: '/tools' });
    const said = rig.feed.post('/hook', rig.feed.event(session, 'PermissionRequest', EDIT));
    said.catch(() => undefined);
    const card = region(page).locator('[data-permission]', { hasText: name });
    await card.locator('.diff .comes', { hasText: 'const size = 32;' }).waitFor();
    assert.ok(await region(page).locator('[data-ask]').first().evaluate((first) => first.hasAttribute('data-permission')));
    await card.getByRole('link', { name: 'Open the agent' }).click();
    const panel = page.getByRole('dialog');
    await panel.locator('[data-permission]').getByRole('button', { name: 'Deny', exact: true }).waitFor();
    assert.equal(await card.count(), 0, 'it is in one place at a time');
    await panel.getByRole('button', { name: 'Deny', exact: true }).click();
    assert.equal((await said).hookSpecificOutput?.decision?.behavior, 'deny');
  }),
  'it stands beside the view, folds and stays folded, and a panel is above it': (rig) => asking(rig, async (session, name) => {
    await rig.feed.ask(session, null, 'make folded');
    const page = await rig.page({ hash: '/flock' });
    await region(page).getByText(name, { exact: false }).first().waitFor();
    const over = () => page.evaluate(() => {
      const [main, aside] = ['main', 'aside'].map((name) => document.querySelector(name).getBoundingClientRect());
      return Math.max(0, Math.min(main.right, aside.right) - Math.max(main.left, aside.left));
    });
    assert.equal(await over(), 0, 'the queue is over the view');
    await page.keyboard.press('q');
    await region(page).locator('[data-ask]').first().waitFor({ state: 'detached' });
    await page.reload();
    await region(page).getByRole('button', { expanded: false }).waitFor();
    assert.equal(await region(page).locator('[data-ask]').count(), 0);
    // The key for the next question unfolds it.
    await page.keyboard.press('a');
    await page.waitForFunction(() => document.activeElement?.hasAttribute('data-ask'));
    const first = await page.evaluate(() => document.activeElement.dataset.ask);
    await page.keyboard.press('a');
    await page.waitForFunction((before) => document.activeElement?.dataset.ask && document.activeElement.dataset.ask !== before, first);
    await page.goto(`${rig.base}/#/flock/${session.id}`);
    const panel = page.getByRole('dialog');
    await panel.waitFor();
    const top = await panel.evaluate((one) => {
      const box = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
    });
    assert.ok(top, 'something lies over the panel');
  }),
  'on a phone it is a bar until it is wanted': (rig) => asking(rig, async (session, name) => {
    await rig.feed.ask(session, null, 'make small');
    const page = await rig.page({ width: 360, height: 740 });
    const bar = region(page).getByRole('button', { name: /needs? you/ });
    await bar.waitFor();
    assert.ok((await region(page).boundingBox()).height < 60, 'it takes a line');
    await rig.axe(page, 'the bar of the queue');
    await bar.click();
    await region(page).locator('[data-ask]', { hasText: name }).first().waitFor();
    const box = await region(page).boundingBox();
    assert.ok(box.y > 100 && box.y + box.height <= 740 - 50, `it covers ${JSON.stringify(box)}`);
    await rig.axe(page, 'the queue on a phone');
    await bar.click();
    await region(page).locator('[data-ask]').first().waitFor({ state: 'detached' });
  }),
};
