// A daemon that is killed and comes back.
import assert from 'node:assert/strict';
import { wait } from './feed.mjs';

export const needs = 'an empty daemon';

export const tests = {
  'the daemon dies and comes back: a banner, then everything goes on without a reload': async (rig) => {
    if (!rig.daemon) return;
    await rig.feed.begin({ name: 'before-the-fall', prompt: 'Begin', kids: ['Explore'] });
    const page = await rig.page();
    await page.waitForSelector('.agent');
    await rig.daemon.kill();
    await page.getByText('The daemon is not running').waitFor({ timeout: 10_000 });
    assert.ok((await page.locator('.agent').count()) > 0, 'what was known stays');
    await rig.daemon.start();
    await page.getByText('The daemon is not running').waitFor({ state: 'detached', timeout: 15_000 });
    const session = await rig.feed.begin({ name: 'after-the-fall', prompt: 'Go on', kids: [] });
    await page.waitForSelector(`[data-agent="${session.id}"]`, { timeout: 5000 });
    // What an earlier daemon has stored is stored.
    await page.evaluate(() => (location.hash = '/settings'));
    const stored = page.locator('dl > div', { hasText: 'Events stored' });
    await stored.waitFor();
    assert.ok(Number(/\d+/.exec(await stored.innerText())[0]) >= 6, await stored.innerText());
  },
  'a daemon that is back at once is not even mentioned': async (rig) => {
    if (!rig.daemon) return;
    await rig.feed.begin({ name: 'before-the-fall', prompt: 'Begin', kids: ['Explore'] });
    const page = await rig.page();
    await page.waitForSelector('.agent');
    const begun = Date.now();
    await rig.daemon.kill();
    await rig.daemon.start();
    const session = await rig.feed.begin({ name: 'second-wind', prompt: 'Go on', kids: [] });
    await page.waitForSelector(`[data-agent="${session.id}"]`, { timeout: 8000 });
    if (Date.now() - begun < 1500) assert.equal(await page.getByText('The daemon is not running').count(), 0);
    await wait(50);
  },
};
