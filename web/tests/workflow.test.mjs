import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { Planned } from './planned.mjs';

export const needs = 'an empty daemon';

/** Runs something in a project of its own. */
async function planned(rig, name, run) {
  const project = new Planned(rig.daemon, name);
  try {
    await run(project);
  } finally {
    project.end();
  }
}

const card = (page, phase, feature) => page.locator(`[data-phase="${phase}"] [data-feature="${feature}"]`);

export const tests = {
  'a feature moves by itself, and its checkpoint is passed by a button': async (rig) => {
    await planned(rig, 'shop', async (shop) => {
      const page = await rig.page({ hash: '/workflow' });
      const section = page.locator('[data-workflow="shop"]');
      await section.getByText('No features yet.').waitFor();
      shop.done('1', '[Plan] checkout');
      await card(section, 'design', 'checkout').waitFor();
      shop.done('2', '[Design] checkout');
      const waiting = card(section, 'design', 'checkout');
      await waiting.getByText('Waits for your review.').waitFor();
      await rig.axe(page, 'a checkpoint');
      await waiting.getByLabel('Why').fill('the design is sound');
      await waiting.getByRole('button', { name: 'Begin do' }).click();
      await card(section, 'do', 'checkout').waitFor();
      const { features, history } = shop.read();
      assert.equal(features.checkout.phase, 'do');
      const step = history.at(-1);
      assert.deepEqual([step.by, step.reason], ['person', 'the design is sound']);
      await section.locator('summary').click();
      await section.getByText('the design is sound').waitFor();
    });
  },
  'who has seen an older phase passes nothing': async (rig) => {
    await planned(rig, 'late', async (late) => {
      late.done('1', '[Plan] export');
      late.done('2', '[Design] export');
      const page = await rig.page({ hash: '/workflow' });
      const section = page.locator('[data-workflow="late"]');
      await section.getByRole('button', { name: 'Begin do' }).waitFor();
      const answer = await page.evaluate(async (project) => {
        const body = JSON.stringify({ project, feature: 'export', phase: 'plan' });
        const response = await fetch('/api/workflow/next', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        return [response.status, (await response.json()).error];
      }, late.project);
      assert.deepEqual(answer, [409, 'it has moved meanwhile; look again']);
      assert.equal(late.read().features.export.phase, 'design');
    });
  },
  'rates, rounds, the team, and the phase in the creature’s bubble': async (rig) => {
    await planned(rig, 'atlas', async (atlas) => {
      atlas.hook('SessionStart', { source: 'startup' });
      atlas.hook('UserPromptSubmit', { prompt: 'Build the index' });
      atlas.done('1', '[Plan] index');
      atlas.done('2', '[Design] index');
      atlas.person('next', 'index');
      atlas.done('3', '[Do] index');
      atlas.check('4', 'index', 82);
      atlas.create('5', '[Act] index');
      atlas.move('5', 'in_progress');
      const page = await rig.page({ hash: '/workflow' });
      const index = card(page.locator('[data-workflow="atlas"]'), 'act', 'index');
      await index.getByText('match rate 82 %, too low').waitFor();
      await index.getByText('round 1 of 5').waitFor();
      await index.getByText('the main agent works on it').waitFor();
      await page.goto(`${rig.base}/#/flock`);
      await page.locator('.bubble .phase', { hasText: 'act · index' }).waitFor();
    });
  },
  'a file that a merge left in conflict is named with its line': async (rig) => {
    await planned(rig, 'torn', async (torn) => {
      torn.done('1', '[Plan] login');
      const text = readFileSync(torn.file, 'utf8');
      writeFileSync(torn.file, text.replace('  "history"', '<<<<<<< HEAD\n  "history"'));
      const line = text.slice(0, text.indexOf('  "history"')).split('\n').length;
      const page = await rig.page({ hash: '/workflow' });
      await page.locator('[data-workflow="torn"] [role=alert]', { hasText: `workflow.json:${line}: a merge left a conflict here` }).waitFor();
    });
  },
  'in Korean, and no wider than a phone': async (rig) => {
    await planned(rig, 'mobile', async (mobile) => {
      mobile.done('1', '[Plan] menu');
      mobile.done('2', '[Design] menu');
      const page = await rig.page({ hash: '/workflow', locale: 'ko-KR', width: 360, height: 740 });
      await page.getByRole('heading', { name: '워크플로' }).waitFor();
      await page.getByRole('button', { name: 'do 단계 시작' }).waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      await rig.axe(page, 'the board on a phone');
    });
  },
};
