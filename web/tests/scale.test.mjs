// Many agents and many events: few elements, few rows in memory, smooth scrolling.
import assert from 'node:assert/strict';

export const needs = 'an empty daemon';

const EVENTS = Number(process.env.EVENTS ?? 6000);
const CROWD = 1000;

/** Scrolls by `step` a frame and tells how long frames took, and what each cost the page's own thread. */
async function scroll(page, frames, step) {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Performance.enable');
  const spent = async () => {
    const { metrics } = await tools.send('Performance.getMetrics');
    const of = (name) => metrics.find((one) => one.name === name)?.value ?? 0;
    return 1000 * (of('ScriptDuration') + of('LayoutDuration') + of('RecalcStyleDuration'));
  };
  const before = await spent();
  const gaps = await page.evaluate(([count, by]) => new Promise((done) => {
    const gaps = [];
    let last = performance.now();
    const next = (now) => {
      gaps.push(now - last);
      last = now;
      scrollBy(0, by);
      if (gaps.length < count) requestAnimationFrame(next);
      else done(gaps.slice(2).sort((a, b) => a - b));
    };
    requestAnimationFrame(next);
  }), [frames, step]);
  const at = (share) => gaps[Math.floor(gaps.length * share)].toFixed(1);
  const cost = ((await spent()) - before) / frames;
  return { cost, told: `frames: median ${at(0.5)} ms, p95 ${at(0.95)} ms; script, style and layout ${cost.toFixed(1)} ms a frame` };
}

export const tests = {
  'a list of many events is scrolled with few rows drawn and held': async (rig) => {
    const session = await rig.feed.begin({ name: 'bulk', prompt: 'Read everything', kids: [] });
    for (let at = 0; at < EVENTS; at += 500) {
      await rig.feed.ingest(...Array.from({ length: 500 }, (_, i) => rig.feed.event(session, 'PreToolUse', { tool_name: 'Read', tool_input: { file_path: `/home/dev/f${at + i}` }, tool_use_id: `bulk-${at + i}` })));
    }
    const [page, { told }] = await rig.again(async (beat) => {
      const page = await rig.page({ hash: '/search' });
      await page.getByRole('list', { name: 'Events' }).getByRole('button').first().waitFor();
      for (let part = 0; part < 3; part += 1) {
        await scroll(page, 100, 400);
        beat();
      }
      return [page, await scroll(page, 100, 400)];
    });
    const held = Number(await page.locator('.rows').getAttribute('data-held'));
    const drawn = await page.locator('.rows [role=listitem]').count();
    console.log(`       ${told}; ${held} rows held, ${drawn} drawn`);
    assert.ok(held <= 2100 && drawn <= 60);
    // Jumps that come faster than pages are read: what is in sight in the end is filled.
    for (const share of [0, 0.7, 0.2, 0.9, 0.05]) await page.evaluate((to) => scrollTo(0, to * document.body.scrollHeight), share);
    await page.waitForFunction(() => {
      const seen = [...document.querySelectorAll('.rows [role=listitem]')].filter((row) => row.getBoundingClientRect().bottom > 0 && row.getBoundingClientRect().top < innerHeight);
      return seen.length > 5 && seen.every((row) => row.textContent.trim() !== '');
    }, undefined, { timeout: 10_000 });
  },
  'what hangs is tried again in a new browser': async (rig) => {
    const before = rig.browser;
    let runs = 0;
    const got = await rig.again(() => ((runs += 1) === 1 ? new Promise(() => {}) : rig.page()), 300);
    assert.notEqual(rig.browser, before);
    assert.equal(await got.locator('main h1').count(), 1);
  },
  'a thousand agents are shown with few of them drawn': async (rig) => {
    const session = await rig.feed.begin({ name: 'crowd', prompt: 'Everybody', kids: [] });
    for (let at = 0; at < CROWD; at += 250) {
      await rig.feed.ingest(...Array.from({ length: 250 }, (_, i) => rig.feed.event(session, 'SubagentStart', { agent_id: `crowd${at + i}`, agent_type: `worker-${at + i}` })));
    }
    const page = await rig.page({ hash: '/flock?project=crowd' });
    await page.waitForFunction((count) => Number(document.querySelector('[aria-pressed=true] .number')?.textContent) >= count, CROWD, { timeout: 20_000 });
    await page.waitForSelector('.agent');
    const { told } = await scroll(page, 200, 60);
    const drawn = await page.locator('.agent').count();
    console.log(`       ${told}; ${drawn} agents drawn`);
    assert.ok(drawn < 150, `${drawn} agents are drawn`);
    await rig.feed.ingest(rig.feed.event(session, 'SessionEnd', { reason: 'other' }));
  },
};
