// A session as an exported page: one file, opened as a person would open it. Nothing may leave it, and nothing in a
// transcript may do anything.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exported as exportedBy, SHOP, SUB } from './exported.mjs';
import { texts } from './rig.mjs';

const SIZES = [{ width: 1280, height: 800 }, { width: 360, height: 740 }];
const exported = (rig, transcripts, use) => exportedBy(rig.daemon.path, transcripts, use);

/** A page from a file. It fails its test when anything was asked for, refused by the policy or thrown. */
async function open(rig, file, { theme = 'light', width = 1280, height = 800 } = {}) {
  const context = await rig.browser.newContext({ colorScheme: theme, locale: 'en-US', viewport: { width, height } });
  const page = await context.newPage();
  page.troubles = [];
  page.on('request', (request) => {
    const url = request.url();
    if (url !== `file://${file}` && !url.startsWith('data:image/')) page.troubles.push(`asked for ${url.slice(0, 200)}`);
  });
  page.on('pageerror', (error) => page.troubles.push(`threw: ${error.message}`));
  page.on('dialog', (dialog) => { page.troubles.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  page.on('console', (message) => page.troubles.push(`console: ${message.text()}`));
  await page.goto(`file://${file}`);
  rig.open.push(page);
  return page;
}

const fits = async (page) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} pixels too wide`);
};

const PAYLOADS = [
  '</script><script>globalThis.pwned = 1</script>',
  ']]><img src=x onerror="globalThis.pwned=2">',
  '"><svg onload="globalThis.pwned=3">',
  "' onmouseover='globalThis.pwned=4' x='",
  '[link](javascript:globalThis.pwned=5) <javascript:globalThis.pwned=6> ![img](https://example.invalid/x.png)',
  '</style><style>body{background:url(https://example.invalid/y)}</style>',
  '</details></pre></main></body><iframe src="https://example.invalid/z"></iframe>',
  '<a href="javascript:globalThis.pwned=7" autofocus onfocus="globalThis.pwned=8">x</a>',
  '<meta http-equiv="refresh" content="0;url=https://example.invalid/"><base href="https://example.invalid/">',
  '{{constructor.constructor("globalThis.pwned=9")()}} ${globalThis.pwned=10} &lt;script&gt;',
];

/** A transcript with something bad in every field. */
function hostile() {
  const at = (number) => new Date(1_794_771_100_000 + number * 1000).toISOString();
  const lines = [];
  PAYLOADS.forEach((bad, number) => {
    const put = (more) => lines.push(JSON.stringify({ sessionId: bad, cwd: bad, gitBranch: bad, version: bad, timestamp: at(lines.length), ...more }));
    const call = (id, name, input) => put({ type: 'assistant', message: { id: `m${number}${id}`, model: bad, usage: { input_tokens: 1 }, content: [{ type: 'tool_use', id: `${id}${number}`, name, input }] } });
    const answer = (id, told) => put({ type: 'user', toolUseResult: told, message: { content: [{ type: 'tool_result', tool_use_id: `${id}${number}`, is_error: number % 2 === 0, content: [{ type: 'text', text: `${bad}\u001b[2J\u202e` }, { type: 'image', source: { type: 'base64', media_type: bad, data: bad } }] }] } });
    put({ type: 'ai-title', aiTitle: bad });
    put({ type: 'user', message: { content: [{ type: 'text', text: bad }, { type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: Buffer.from(`<svg onload="${bad}"/>`).toString('base64') } }] } });
    put({ type: 'system', subtype: 'informational', content: bad });
    put({ type: 'assistant', message: { id: `w${number}`, model: bad, content: [{ type: 'text', text: `${bad}\n\n\`\`\`${bad}\n${bad}\n\`\`\`\n\n# ${bad}\n\n| ${bad} |\n|-|\n| ${bad} |` }, { type: 'thinking', thinking: bad }] } });
    call('a', 'Bash', { command: bad, description: bad });
    answer('a', { stdout: bad });
    call('b', 'Edit', { file_path: bad, old_string: bad, new_string: `${bad}!` });
    answer('b', { structuredPatch: [{ oldStart: 1, newStart: 1, lines: [`-${bad}`, `+${bad}!`] }] });
    call('c', 'AskUserQuestion', { questions: [{ question: bad, options: [{ label: bad, description: bad }] }] });
    answer('c', { answers: { [bad]: bad } });
    call('d', 'ExitPlanMode', { plan: bad });
    call('e', 'TodoWrite', { todos: [{ content: bad, status: bad }] });
    call('f', bad, { [bad]: bad, list: [bad] });
    call('g', 'Agent', { description: bad, subagent_type: bad, prompt: bad });
    answer('g', { content: [{ type: 'text', text: bad }] });
    put({ type: 'user', isCompactSummary: true, message: { content: bad } });
  });
  lines.push('{"torn":', 'not json', JSON.stringify({ type: 'user', message: { content: 'x'.repeat(3_000_000) } }));
  return `${lines.join('\n')}\n`;
}

export const tests = Object.fromEntries([
  ...['light', 'dark'].flatMap((theme) => SIZES.map((size) => [
    `axe finds nothing grave in an exported page and its index, ${theme}, ${size.width} pixels`,
    (rig) => exported(rig, [SHOP, SUB], async (folder, files) => {
      for (const file of [...files, join(folder, 'index.html')]) {
        const page = await open(rig, file, { theme, ...size });
        await fits(page);
        await rig.axe(page, `${file} folded`);
        if (await page.locator('#unfold').count()) await page.locator('#unfold').click();
        await page.evaluate(() => document.querySelectorAll('.turn').forEach((turn) => turn.scrollIntoView()));
        await fits(page);
        await rig.axe(page, `${file} unfolded`);
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(ground, theme === 'dark' ? 'rgb(11, 16, 34)' : 'rgb(243, 245, 253)');
      }
    }),
  ])),
  ['turns, calls, changes, subagents, images and figures are there', (rig) => exported(rig, [SHOP], async (_, [file]) => {
    const page = await open(rig, file);
    assert.equal(await page.title(), 'Mend the flaky checkout test');
    assert.equal(await page.locator('.turn').count(), 3);
    assert.match((await texts(page, '.numbers')).join(' '), /Turns\s+3[\s\S]*Cost\s+\$0\.22/);
    const edit = page.locator('.call', { hasText: 'src/vouchers.ts' }).filter({ has: page.locator('.diff') });
    assert.equal(await edit.locator('.diff .plus').count(), 5);
    assert.equal(await page.locator('.call .agent .call').count(), 3, 'the subagent stands inside its call');
    const stopped = page.locator('.call.stopped');
    assert.deepEqual([await stopped.count(), await stopped.evaluate((call) => call.open)], [1, true]);
    assert.match(await stopped.innerText(), /The guard stopped this by the rule delete/);
    assert.equal(await page.locator('.contents .mark.stop').count(), 1);
    const drawn = await page.locator('img.shot').first().evaluate((image) => image.complete && image.naturalWidth);
    assert.equal(drawn, 372);
    assert.ok((await page.content()).includes('[masked]') && !(await page.content()).includes('hunter2'));
  })],
  ['folding works by keyboard, and the keys of the page do', (rig) => exported(rig, [SHOP], async (_, [file]) => {
    const page = await open(rig, file);
    const first = page.locator('details.call').first();
    await first.locator('summary').focus();
    for (const [key, open] of [['Enter', true], ['Space', false], ['Enter', true]]) {
      await page.keyboard.press(key);
      assert.equal(await first.evaluate((fold) => fold.open), open, key);
    }
    await page.keyboard.press('u');
    assert.equal(await page.locator('details.call:not([open])').count(), 0);
    await page.keyboard.press('u');
    assert.equal(await page.locator('details.call[open]').count(), 0);
    const dark = () => page.evaluate(() => document.documentElement.dataset.theme);
    await page.keyboard.press('t');
    assert.equal(await dark(), 'dark');
    await page.evaluate(() => scrollTo(0, 0));
    for (const number of ['1', '2', '3']) {
      await page.keyboard.press('j');
      await page.waitForFunction((wanted) => document.activeElement?.textContent.endsWith(wanted), number);
    }
    await page.keyboard.press('k');
    await page.waitForFunction(() => document.activeElement?.textContent.endsWith('2'));
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'search');
  })],
  ['the search counts, unfolds and goes from match to match', (rig) => exported(rig, [SHOP], async (_, [file]) => {
    const page = await open(rig, file);
    const found = page.locator('#found');
    await page.fill('#search', 'for (const order');
    await found.getByText('1 of 1', { exact: true }).waitFor();
    const place = page.locator('.agent .listing', { hasText: 'for (const order' });
    assert.ok(await place.isVisible(), 'two folds were opened');
    await page.fill('#search', 'VOUCHER');
    await found.getByText(/^1 of \d\d/).waitFor();
    await page.locator('#search').press('Enter');
    await found.getByText(/^2 of /).waitFor();
    await page.locator('#search').press('Shift+Enter');
    await found.getByText(/^1 of /).waitFor();
    assert.ok(await page.evaluate(() => CSS.highlights.has('hit') && CSS.highlights.has('hit-now')));
    await page.fill('#search', 'no such words');
    await found.getByText('nothing found').waitFor();
    await page.locator('#search').press('Escape');
    assert.equal(await page.inputValue('#search'), '');
  })],
  ['a link leads to a turn, and paper gets no buttons', (rig) => exported(rig, [SHOP], async (_, [file]) => {
    const page = await open(rig, file);
    await page.locator('.contents a').nth(1).click();
    await page.waitForFunction(() => Math.abs(document.getElementById('t2').getBoundingClientRect().top - 72) < 40);
    await page.emulateMedia({ media: 'print' });
    assert.ok(!(await page.locator('.bar').isVisible()) && !(await page.locator('.contents').isVisible()));
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), 'rgb(0, 0, 0)');
  })],
  ['without a script everything can still be read and unfolded', (rig) => exported(rig, [SHOP], async (_, [file]) => {
    const context = await rig.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    page.troubles = [];
    rig.open.push(page);
    await page.goto(`file://${file}`);
    assert.ok(!(await page.locator('.bar').isVisible()));
    await page.locator('.call > summary').first().click();
    assert.ok(await page.locator('.call .body').first().isVisible());
  })],
  ['a hostile transcript is text', async (rig) => {
    const folder = mkdtempSync(join(tmpdir(), 'bellwether-hostile-'));
    mkdirSync(join(folder, 'p'));
    const transcript = join(folder, 'p/bad.jsonl');
    writeFileSync(transcript, hostile());
    try {
      await exported(rig, [transcript], async (out, [file]) => {
        for (const at of [file, join(out, 'index.html')]) {
          const page = await open(rig, at);
          if (at === file) await page.locator('#unfold').click();
          // What waits for a pointer or the focus has its chance.
          await page.evaluate(() => document.querySelectorAll('main *').forEach((one) => {
            for (const kind of ['mouseover', 'focus', 'error', 'load']) one.dispatchEvent(new Event(kind));
          }));
          for (const link of await page.locator('main a').all()) {
            assert.match(await link.getAttribute('href'), /^(https?:|mailto:|#t\d+$|\.\/[\w%.-]+$)/);
          }
          assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
          const counts = await page.evaluate(() => ['script', 'style', 'iframe', 'base', 'main', 'svg[onload]', 'img:not([src^="data:image/"])', '[onmouseover], [onfocus], [onerror]'].map((one) => document.querySelectorAll(one).length));
          assert.deepEqual(counts, [1, 1, 0, 0, 1, 0, 0, 0]);
          if (at === file) {
            const shown = await page.evaluate(() => document.querySelector('main').textContent);
            for (const bad of PAYLOADS.slice(0, 4)) assert.ok(shown.includes(bad), bad);
            assert.ok(!/[\u001b\u202e]/.test(shown));
            assert.match(shown, /bytes in all/);
          }
        }
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }],
  ['the page offers a session’s export, and opens it', async (rig) => {
    const folder = join(rig.daemon.home, 'claude/projects/-home-ann-shop');
    mkdirSync(folder, { recursive: true });
    const session = { id: crypto.randomUUID(), name: 'exported', cwd: '/home/ann/shop', promptId: 'p' };
    session.transcript = join(folder, `${session.id}.jsonl`);
    copyFileSync(SHOP, session.transcript);
    await rig.feed.ingest(rig.feed.event(session, 'SessionStart', { source: 'startup' }));
    const page = await rig.page({ hash: `/sessions/${session.id}?part=transcript` });
    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'Open as a page' }).click()]);
    const troubles = [];
    opened.on('console', (message) => troubles.push(message.text()));
    await opened.getByRole('heading', { level: 1, name: 'Mend the flaky checkout test' }).waitFor();
    await opened.fill('#search', 'voucher');
    await opened.locator('#found').getByText(/^1 of/).waitFor();
    assert.deepEqual(troubles, []);
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Save as Markdown' }).click()]);
    assert.equal(saved.suggestedFilename(), `session-${session.id}.md`);
    assert.match(readFileSync(await saved.path(), 'utf8'), /^<!-- bellwether-transcript -->\n\n# Mend the flaky checkout test/);
  }],
  ['the index is filtered, sorted and leads to the pages', (rig) => exported(rig, [SHOP, SUB], async (folder) => {
    const page = await open(rig, join(folder, 'index.html'));
    const titles = () => texts(page, '.sessions tbody tr:not([hidden]) td:nth-child(2)');
    assert.equal((await titles()).length, 2);
    await page.fill('#search', 'checkout shop');
    assert.deepEqual(await titles(), ['Mend the flaky checkout test']);
    await page.fill('#search', 'nothing like it');
    await page.getByText('No session fits.').waitFor();
    await page.fill('#search', '');
    await page.getByRole('button', { name: 'Turns' }).click();
    assert.equal((await titles())[0], 'Mend the flaky checkout test');
    await page.getByRole('button', { name: 'Turns' }).click();
    assert.equal((await titles())[1], 'Mend the flaky checkout test');
    page.troubles = [];
    await page.getByRole('link', { name: 'Mend the flaky checkout test' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mend the flaky checkout test' }).waitFor();
    page.troubles = page.troubles.filter((trouble) => !trouble.includes('.html'));
  })],
]);
