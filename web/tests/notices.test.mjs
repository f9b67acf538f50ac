// Notifications of the browser, as the page makes them.
import assert from 'node:assert/strict';

/** Keeps what the page shows, beside showing it; and lets nobody look at the page. */
const watched = () => {
  const Real = window.Notification;
  window.noticed = [];
  window.Notification = class extends Real {
    constructor(title, options) {
      super(title, options);
      this.told = { title, body: options.body, closed: false };
      window.noticed.push(this.told);
    }

    close() {
      this.told.closed = true;
      super.close();
    }
  };
  document.hasFocus = () => false;
};

async function page(rig, permissions) {
  const page = await rig.page({ hash: '/settings' });
  await page.context().grantPermissions(permissions, { origin: rig.base });
  await page.evaluate(watched);
  await page.getByRole('switch', { name: 'Notify me in this browser when an agent needs me' }).click();
  return page;
}

export const tests = {
  'a notification tells who asks for what, and goes with the answer': async (rig) => {
    const tab = await page(rig, ['notifications']);
    const session = await rig.feed.begin({ name: 'noticed', prompt: 'Publish it', kids: [] });
    await rig.feed.ask(session, null, 'npm publish --tag next');
    await tab.waitForFunction(() => window.noticed.some((one) => one.title === 'noticed needs you'));
    const told = await tab.evaluate(() => window.noticed.filter((one) => one.title === 'noticed needs you'));
    assert.equal(told.length, 1);
    assert.match(told[0].body, /npm publish --tag next/);
    await rig.feed.ingest(rig.feed.event(session, 'SessionEnd', { reason: 'other' }));
    await tab.waitForFunction(() => window.noticed.find((one) => one.title === 'noticed needs you').closed);
  },
  'a browser that refuses is named, and the switch stays off': async (rig) => {
    const tab = await page(rig, []);
    await tab.getByText('This browser blocks notifications').waitFor();
    assert.equal(await tab.getByRole('switch', { name: /^Notify me/ }).isChecked(), false);
  },
};
