// What a browser test stands on: a browser with the cookie, pages that record every request, every error and every
// violation of the content security policy, and the axe-core rules.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const GRAVE = ['serious', 'critical'];

export class Rig {
  passed = 0;
  failed = 0;

  static async open(parts) {
    const rig = Object.assign(new Rig(), parts);
    await rig.#launch();
    const context = await rig.browser.newContext();
    const page = await context.newPage();
    await page.goto(rig.openUrl);
    rig.state = await context.storageState();
    await context.close();
    return rig;
  }

  async #launch() {
    this.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  }

  /** Runs something, and once more in a new browser when it has hung, and says so: on a busy machine Chromium's raster
   * workers now and then stand still, whatever the page does. What takes long calls `beat` whenever it got further. */
  async again(run, after = 20_000) {
    let alive = performance.now();
    const first = run(() => (alive = performance.now()));
    first.catch(() => undefined);
    const hung = Symbol('hung');
    const watch = async () => {
      while (performance.now() - alive < after) await sleep(100);
      return hung;
    };
    const got = await Promise.race([first, watch()]);
    if (got !== hung) return got;
    console.log(`       the browser hung for ${after / 1000} s: tried again in a new one`);
    [this.open, this.begun] = [[], performance.now()];
    await Promise.race([this.browser.close(), sleep(5_000)]);
    await this.#launch();
    return run(() => undefined);
  }

  /** Fails when a test has hung. */
  async #late() {
    while (performance.now() - this.begun < 60_000) await sleep(200);
    throw new Error('hung for a minute');
  }

  /** A page with the cookie. It fails its test when it asked another origin or broke the policy. */
  async page({ hash = '/flock', theme = 'dark', width = 1280, height = 800, locale = 'en-US', help = 'read', scale = 1, key = true } = {}) {
    const context = await this.browser.newContext({
      ...(key ? { storageState: this.state } : {}), colorScheme: theme, locale, viewport: { width, height }, deviceScaleFactor: scale,
    });
    const page = await context.newPage();
    page.troubles = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== this.base) page.troubles.push(`asked another origin: ${url}`);
    });
    page.on('pageerror', (error) => page.troubles.push(`threw: ${error.message}`));
    page.on('console', (message) => {
      if (/Content.Security.Policy|securitypolicyviolation/i.test(message.text())) page.troubles.push(message.text());
    });
    await page.addInitScript((read) => {
      try {
        localStorage.setItem('bellwether.help', read);
      } catch {
        // about:blank has no storage.
      }
      document.addEventListener('securitypolicyviolation', (event) => console.log('securitypolicyviolation', event.violatedDirective, event.blockedURI));
    }, help);
    await page.goto(`${this.base}/#${hash}`);
    if (key) {
      await page.waitForSelector('main h1');
      // Before the stream is open nobody watches, and a permission request would not wait for the page.
      await page.waitForSelector('.live:not(.off)', { state: 'attached' });
    }
    this.open?.push(page);
    return page;
  }

  async axe(page, what) {
    // Under the policy of the page a script tag is refused; the debugger's own door is not.
    await page.evaluate(axe);
    const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
    const grave = found.violations.filter((one) => GRAVE.includes(one.impact));
    const said = grave.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} (${node.any[0]?.message ?? ''})`).join(' | ')}`);
    if (said.length > 0) throw new Error(`axe, ${what}:\n  ${said.join('\n  ')}`);
  }

  /** Runs every test that a file exports as `tests`, name to function, as `mix` orders them. */
  async file({ name, tests }, mix) {
    for (const [title, run] of mix(Object.entries(tests))) {
      this.open = [];
      const begun = performance.now();
      let trouble = null;
      try {
        this.begun = begun;
        await Promise.race([run(this), this.#late()]);
        for (const page of this.open) if (page.troubles.length > 0) throw new Error(page.troubles.join('\n'));
      } catch (error) {
        trouble = error;
      }
      for (const page of this.open) await page.context().close();
      this[trouble ? 'failed' : 'passed'] += 1;
      console.log(`${trouble ? 'FAILED' : 'ok    '} ${name.replace('.test.mjs', '')}: ${title} (${Math.round(performance.now() - begun)} ms)`);
      if (trouble) console.log(`       ${String(trouble.stack ?? trouble).replaceAll('\n', '\n       ')}`);
    }
  }

  async close() {
    await this.browser.close();
  }
}

const sleep = (ms, what) => new Promise((done) => setTimeout(done, ms, what).unref());

export async function texts(page, selector) {
  return page.locator(selector).allInnerTexts();
}
