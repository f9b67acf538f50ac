import assert from 'node:assert/strict';

const MENU = ['Flock', 'Timeline', 'Sessions', 'Tools', 'Guard', 'Workflow', 'Today', 'Settings'];

/** The place of every view: those of the menu, and the one behind the search box. */
async function everyView(page) {
  const places = await page.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href').slice(1)));
  assert.ok(places.length >= MENU.length, `views: ${places}`);
  return [...places, '/search?q=cart'];
}

async function look(rig, page, what) {
  await page.waitForTimeout(300);
  await rig.axe(page, what);
}

const sizes = [
  { name: 'at 1000 pixels', width: 1000, height: 700 },
  { name: 'wide', width: 1280, height: 800 },
  { name: 'at 360 pixels', width: 360, height: 740 },
];

export const tests = Object.fromEntries([
  ...['dark', 'light'].flatMap((theme) => sizes.map((size) => [
    `axe finds nothing grave, ${theme}, ${size.name}`,
    async (rig) => {
      const page = await rig.page({ theme, ...size });
      for (const view of await everyView(page)) {
        await page.goto(`${rig.base}/#${view}`);
        await look(rig, page, `${view} ${theme} ${size.name}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${view} is ${wide} pixels too wide`);
      }
      await page.goto(`${rig.base}/#/sessions/${rig.feed.sessions[2].id}`);
      await look(rig, page, `session ${theme}`);
      await page.goto(`${rig.base}/#/flock/${rig.feed.sessions[2].id}`);
      await page.getByRole('dialog').waitFor();
      await look(rig, page, `panel ${theme}`);
    },
  ])),
  ['the keyboard alone reaches every view', async (rig) => {
    const page = await rig.page();
    const names = await page.locator('nav a > span').allInnerTexts();
    assert.deepEqual(names.slice(0, MENU.length), MENU);
    const keys = names.map((name, i) => [String(i + 1), name]);
    for (const [key, name] of [...keys.slice(1), keys[0]]) {
      await page.keyboard.press(key);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'search');
  }],
  ['Tab walks from the skip link through the menu into the flock', async (rig) => {
    const page = await rig.page();
    await page.evaluate(() => document.activeElement?.blur());
    const walked = [];
    for (let i = 0; i < 30; i += 1) {
      await page.keyboard.press('Tab');
      walked.push(await page.evaluate(() => document.activeElement?.className + ' ' + (document.activeElement?.textContent ?? '').trim().slice(0, 20)));
    }
    assert.match(walked[0], /skip/);
    assert.ok(walked.some((one) => one.includes('Timeline')));
    assert.ok(walked.some((one) => one.startsWith('agent')), walked.join('\n'));
  }],
  ['Korean from the browser’s language', async (rig) => {
    const shop = rig.feed.sessions[0];
    await rig.feed.ask(shop, shop.kids[1], 'make dist');
    const page = await rig.page({ locale: 'ko-KR' });
    await page.getByRole('heading', { level: 1, name: '무리' }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'ko');
    await page.locator('.agent', { hasText: '응답 필요' }).first().waitFor();
  }],
  ['nothing moves when nothing happens and motion is not wanted', async (rig) => {
    const page = await rig.page({ hash: '/tools' });
    await page.waitForTimeout(500);
    const frames = await page.evaluate(() => new Promise((done) => {
      let asked = 0;
      const real = requestAnimationFrame;
      globalThis.requestAnimationFrame = (call) => ((asked += 1), real(call));
      setTimeout(() => done(asked), 1500);
    }));
    assert.ok(frames <= 2, `${frames} frames were asked for`);
  }],
  ['without a key the page says how to get one', async (rig) => {
    const page = await rig.page({ key: false });
    await page.getByText('bellwether open').first().waitFor();
  }],
]);
