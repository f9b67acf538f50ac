import assert from 'node:assert/strict';

export const tests = {
  'timeline: lanes, zoom, a lane’s spans as a list, an event from it': async (rig) => {
    const page = await rig.page({ hash: '/timeline' });
    const lanes = page.locator('.names button');
    await lanes.first().waitFor();
    assert.ok((await lanes.count()) >= 6);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.keyboard.press('-');
    await page.getByRole('button', { name: 'Live' }).click();
    await lanes.first().click();
    const rows = page.locator('section[aria-label^="Spans of"] tbody button');
    await rows.first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('pre').first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  },
  'timeline: arrow keys go from span to span and tell what they are on': async (rig) => {
    const page = await rig.page({ hash: '/timeline' });
    await page.getByRole('application').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => document.querySelector('#span-told').textContent.length > 5);
  },
  'timeline: what runs grows by itself': async (rig) => {
    const page = await rig.page({ hash: '/timeline' });
    const fleet = rig.feed.sessions.find((one) => one.name === 'fleet-api');
    await page.locator('.names button', { hasText: 'fleet-api' }).first().click();
    const command = `sleep ${Date.now()}`;
    await rig.feed.ingest(rig.feed.event(fleet, 'PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: rig.feed.callId() }));
    await page.locator('section[aria-label^="Spans of"] tbody', { hasText: command }).waitFor({ timeout: 10_000 });
  },
  'sessions: list, tree of agents, prompts, failures, a link that lasts': async (rig) => {
    const page = await rig.page({ hash: '/sessions' });
    await page.getByRole('link', { name: /Draw the flock/ }).click();
    const detail = page.getByRole('region', { name: 'Details' });
    await detail.getByText('illustrator').waitFor();
    const address = page.url();
    await detail.getByRole('button', { name: 'Prompts' }).click();
    await detail.getByText('Draw the flock so that a hundred agents').last().waitFor();
    await detail.getByRole('button', { name: 'Failures' }).click();
    await detail.locator('[role=list], p.muted').first().waitFor();
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByRole('region', { name: 'Details' }).getByText('illustrator').waitFor();
  },
  'sessions: a transcript, or why there is none': async (rig) => {
    const page = await rig.page({ hash: `/sessions/${rig.feed.sessions[0].id}?part=transcript` });
    await page.locator('ol li article, section p.muted').last().waitFor();
    assert.equal(await page.locator('[role=alert]').count(), 0);
  },
  'tools: counts and durations, sorted by a click, over a time': async (rig) => {
    const page = await rig.page({ hash: '/tools' });
    const first = page.locator('tbody tr').first();
    await first.waitFor();
    assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Calls');
    await page.getByRole('button', { name: 'Tool', exact: true }).click();
    const names = await page.locator('tbody tr td:first-child').allInnerTexts();
    assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b)));
    await page.getByRole('button', { name: 'Last hour' }).click();
    await page.waitForFunction(() => location.hash.includes('h1'));
    await first.waitFor();
  },
  'guard: what was stopped and why, the filter, the chain explained': async (rig) => {
    const page = await rig.page({ hash: '/guard' });
    await page.locator('details').first().waitFor();
    const subjects = await page.locator('summary code').allInnerTexts();
    assert.ok(subjects.some((one) => one.includes('rm -rf /home')), `stopped: ${subjects}`);
    await page.locator('summary').first().click();
    await page.locator('details[open] dl').waitFor();
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    await page.getByText(/The record is complete: \d+ line/).waitFor();
    await page.getByRole('button', { name: 'Asked' }).click();
    await page.waitForFunction(() => [...document.querySelectorAll('.said')].every((one) => one.textContent.includes('asked')));
  },
  'settings: file, mute and unmute, language and theme, how the daemon is': async (rig) => {
    const page = await rig.page({ hash: '/settings' });
    await page.getByText('config.yaml').first().waitFor();
    const mute = page.getByRole('region', { name: 'Mute' });
    await mute.getByRole('button', { name: '30 minutes' }).click();
    await mute.getByRole('button', { name: 'Unmute', exact: true }).click();
    await mute.getByText('Nothing is muted.').waitFor();
    await page.getByRole('button', { name: 'Light' }).click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    await page.getByRole('button', { name: '한국어' }).click();
    await page.getByRole('heading', { name: '설정' }).waitFor();
    await page.getByRole('region', { name: '데몬' }).getByText('버전').waitFor();
  },
  'settings: a change is written to the file, sounds can be tried': async (rig) => {
    const page = await rig.page({ hash: '/settings' });
    await page.getByRole('switch', { name: 'Nothing about subagents' }).click();
    await page.getByText('Saved.').waitFor();
    const answer = await page.evaluate(async () => (await (await fetch('/api/settings')).json()).settings.quiet.subagents);
    assert.equal(answer, true);
    await page.getByRole('region', { name: 'Sound' }).locator('summary').click();
    await page.getByRole('region', { name: 'Sound' }).getByRole('button', { name: /^Play / }).first().click();
    await page.getByRole('region', { name: 'Sound' }).getByText(/Played|Not heard/).waitFor();
  },
  'search: one box finds agents, sessions, events and refusals': async (rig) => {
    const page = await rig.page();
    await page.keyboard.press('/');
    await page.keyboard.type('checkout');
    await page.getByRole('region', { name: 'Sessions' }).getByText('Move the cart').waitFor();
    await page.getByRole('list', { name: 'Events' }).getByRole('button').first().waitFor();
    await page.locator('#search').fill('illustrator');
    await page.getByRole('region', { name: 'Agents' }).getByText('illustrator').waitFor();
    await page.locator('#search').fill('nothingofthesort');
    await page.getByText('Nothing found').waitFor();
  },
  'search: an event opens whole': async (rig) => {
    const page = await rig.page({ hash: '/search' });
    await page.getByRole('list', { name: 'Events' }).getByRole('button').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('pre').last().waitFor();
    assert.ok(JSON.parse(await dialog.locator('pre').last().innerText()));
  },
};
