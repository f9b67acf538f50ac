// Answers one permission request from the page as a person would: `node tests/client.mjs OPEN_URL COMMAND allow|deny`.
// The end-to-end tests put it into the network of a session of the real client. It says `ready` once the page is open.
import { chromium } from 'playwright-core';

const NAMES = { allow: 'Allow', deny: 'Deny' };
const [, , openUrl, command, answer] = process.argv;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  await page.goto(openUrl);
  await page.locator('.live:not(.off)').waitFor({ state: 'attached' });
  console.log('ready');
  const card = page.locator('[data-permission]', { hasText: command });
  await card.waitFor({ timeout: 60_000 });
  await card.getByRole('button', { name: NAMES[answer], exact: true }).click();
  await card.getByRole('status').waitFor();
  console.log('answered');
} finally {
  await browser.close();
}
