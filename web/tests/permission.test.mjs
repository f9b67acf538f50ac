// A permission request that waits, answered from the page: the client's HTTP hook stands still until somebody does.
import assert from 'node:assert/strict';

/** Asks as the client would; gives what the hook says in the end. */
function ask(rig, command) {
  const shop = rig.feed.sessions[0];
  const said = rig.feed.post('/hook', rig.feed.event(shop, 'PermissionRequest', { tool_name: 'Bash', tool_input: { command, description: 'Clean up' } }));
  // Whoever waits for it hears of a failure; a test that has failed before must not end the whole run.
  said.catch(() => undefined);
  return said;
}

const card = (page, command) => page.locator('[data-permission]', { hasText: command });

export const tests = {
  'allowed from the page, in every view, and not by accident': async (rig) => {
    const page = await rig.page({ hash: '/tools' });
    const command = `make dist-${Date.now()}`;
    // Seen from within: a slow machine would miss the third of a second.
    await page.evaluate(() => {
      globalThis.asleep = new Promise((done) => {
        new MutationObserver(() => {
          const button = document.querySelector('[data-permission] .allow');
          if (button) done(button.disabled);
        }).observe(document.body, { subtree: true, childList: true });
      });
      return null;
    });
    const said = ask(rig, command);
    await card(page, command).waitFor();
    assert.ok(await page.evaluate(() => globalThis.asleep), 'asleep at first');
    assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BUTTON');
    await page.keyboard.press('a');
    assert.ok(await page.evaluate(() => document.activeElement?.hasAttribute('data-permission')));
    await rig.axe(page, 'permission card');
    await page.waitForFunction(() => !document.querySelector('[data-permission] button').disabled);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const answer = await said;
    assert.equal(answer.hookSpecificOutput?.decision?.behavior, 'allow', JSON.stringify(answer));
    await page.getByText('Allowed.').waitFor();
  },
  'denied with words for the agent': async (rig) => {
    const page = await rig.page();
    const command = `make clean-${Date.now()}`;
    const said = ask(rig, command);
    const here = card(page, command);
    await here.getByRole('button', { name: 'Say why…' }).click();
    await here.getByRole('textbox').fill('Use cargo clean.');
    await here.getByRole('button', { name: 'Deny with this message' }).click();
    const decision = (await said).hookSpecificOutput?.decision;
    assert.equal(decision?.behavior, 'deny');
    assert.match(decision?.message ?? '', /Use cargo clean/);
  },
  'what the guard asks about is allowed for ten minutes': async (rig) => {
    const page = await rig.page();
    const command = `rm -rf "$FOLDER_${Date.now()}/data"`;
    const said = ask(rig, command);
    const here = card(page, command);
    await here.getByText('The guard would ask').waitFor();
    await here.getByRole('button', { name: 'Allow this for 10 minutes' }).click();
    assert.equal((await said).hookSpecificOutput?.decision?.behavior, 'allow');
    const shop = rig.feed.sessions[0];
    const again = await rig.feed.post('/hook', rig.feed.event(shop, 'PreToolUse', { tool_name: 'Bash', tool_input: { command, description: 'Clean up' }, tool_use_id: rig.feed.callId() }));
    assert.equal(again.hookSpecificOutput?.permissionDecision, undefined, JSON.stringify(again));
  },
  'settled elsewhere: the page says so': async (rig) => {
    const page = await rig.page();
    const command = `make check-${Date.now()}`;
    const said = ask(rig, command);
    await card(page, command).waitFor();
    const shop = rig.feed.sessions[0];
    await rig.feed.ingest(rig.feed.event(shop, 'PostToolUse', { tool_name: 'Bash', tool_input: { command, description: 'Clean up' }, tool_response: {}, tool_use_id: rig.feed.callId() }));
    await card(page, command).getByRole('status').waitFor();
    await said;
  },
  'one that waits already is there when the page opens': async (rig) => {
    const first = await rig.page();
    const command = `make doc-${Date.now()}`;
    const said = ask(rig, command);
    await card(first, command).waitFor();
    const second = await rig.page({ hash: '/guard' });
    await card(second, command).getByRole('button', { name: 'Deny', exact: true }).click();
    await card(first, command).getByText('Denied.').waitFor();
    await said;
  },
};
