import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUsage, contextShare, costText, dayBeside, dayBounds, dayOf, modelName } from '../../src/cost';
import { inPlace } from '../../src/lists/order';
import type { SessionRow } from '../../src/api/types';
import { usage } from './make';

test('a cost is an estimate, and says when something has no price', () => {
  assert.equal(costText(usage(), 'en-US'), null);
  assert.equal(costText(usage({ cost_usd: 1.234 }), 'en-US'), '≈ $1.23');
  assert.equal(costText(usage({ cost_usd: 1.234, unpriced: 2 }), 'en-US'), '≈ $1.23+');
  assert.equal(costText(usage({ cost_usd: 0.004 }), 'en-US'), '< $0.01');
  assert.equal(costText(usage({ cost_usd: 0 }), 'en-US'), '≈ $0.00');
});

test('sums know what nobody knows', () => {
  assert.equal(addUsage(usage(), usage({ input_tokens: 5 })).cost_usd, null);
  const sum = addUsage(usage({ cost_usd: 0.5, output_tokens: 1 }), usage({ unpriced: 1, output_tokens: 2 }));
  assert.deepEqual([sum.cost_usd, sum.unpriced, sum.output_tokens], [0.5, 1, 3]);
});

test('models are called as people call them', () => {
  for (const [model, name] of [
    ['claude-opus-5-5', 'Opus 5.5'], ['claude-opus-5-5[1m]', 'Opus 5.5'], ['claude-sonnet-4-5-20250929', 'Sonnet 4.5'],
    ['us.anthropic.claude-opus-4-5-20251101-v1:0', 'Opus 4.5'], ['claude-3-5-haiku-latest', 'Haiku 3.5'], ['claude-opus-4', 'Opus 4'],
    ['claude-fable-5-2@20261001', 'Fable 5.2'], ['opus', 'Opus'], [null, ''],
  ] as const) assert.equal(modelName(model), name, String(model));
});

test('a context of unknown size is measured by the usual one, until more is in it', () => {
  assert.equal(contextShare(null, null), null);
  assert.equal(contextShare(100_000, 'claude-opus-5-5'), 0.5);
  assert.equal(contextShare(100_000, 'claude-opus-5-5[1m]'), 0.1);
  assert.equal(contextShare(500_000, 'claude-opus-5-5'), 0.5);
});

test('a day goes from midnight to midnight, also over the end of a month', () => {
  const { since, until } = dayBounds('2026-11-18');
  assert.equal(dayOf(since), '2026-11-18');
  assert.equal(dayOf(until - 1), '2026-11-18');
  assert.equal(dayOf(until), '2026-11-19');
  assert.equal(dayBeside('2026-11-30', 1), '2026-12-01');
  assert.equal(dayBeside('2026-03-01', -1), '2026-02-28');
});

test('rows that somebody points at stay in place', () => {
  const row = (id: string, agents: number) => ({ session: { session_id: id }, agents }) as unknown as SessionRow;
  const kept = inPlace([row('a', 1), row('b', 1), row('c', 1)], [row('d', 1), row('c', 2), row('a', 2)]);
  assert.deepEqual(kept.map((one) => [one.session.session_id, one.agents]), [['a', 2], ['c', 2], ['d', 1]]);
});
