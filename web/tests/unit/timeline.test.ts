import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marks, merge, pan, rowsOf, spanAt, timeAt, xOf, zoom } from '../../src/timeline/layout';
import { lane } from './make';

const range = { from: 1000, to: 11_000 };

test('times and pixels are each other’s reverse', () => {
  assert.equal(xOf(6000, range, 500), 250);
  assert.equal(timeAt(250, range, 500), 6000);
});

test('zoom keeps the moment under the pointer, and never goes below two seconds', () => {
  const near = zoom({ from: 0, to: 100_000 }, 0.5, 0.25);
  assert.deepEqual(near, { from: 12_500, to: 62_500 });
  const least = zoom({ from: 0, to: 2500 }, 0.1, 0.5);
  assert.equal(least.to - least.from, 2000);
  assert.deepEqual(pan(range, 0.5), { from: 6000, to: 16_000 });
});

test('the scale has round moments, no closer than asked', () => {
  const found = marks({ from: 0, to: 900_000 }, 900, 80, 0);
  assert.equal(found[1]! - found[0]!, 120_000);
  assert.ok(marks({ from: 0, to: 86_400_000 }, 300, 80, 0).length <= 5);
  assert.equal(marks({ from: 1, to: 90_000_000 }, 100, 80, 9 * 3_600_000)[0]! % 86_400_000, 15 * 3_600_000);
});

test('lanes stand below whoever started them, the newest session first', () => {
  const rows = rowsOf([
    lane('old', [{ from_ms: 5 }]),
    lane('kid', [{ from_ms: 50 }], { session_id: 'new', parent_id: 'new' }),
    lane('new', [{ from_ms: 40 }]),
  ]);
  assert.deepEqual(rows.map((row) => [row.lane.agent_id, row.depth, row.first]), [['new', 0, true], ['kid', 1, false], ['old', 0, true]]);
});

test('the shortest span at a place is the one that is meant, and an open one reaches to now', () => {
  const one = lane('a', [{ kind: 'turn', from_ms: 0 }, { from_ms: 100, to_ms: 200 }]);
  assert.equal(spanAt(one, 150, 0, 1000)?.kind, 'tool');
  assert.equal(spanAt(one, 500, 0, 1000)?.kind, 'turn');
  assert.equal(spanAt(one, 1500, 0, 1000), null);
});

test('a live answer closes what was open and adds what is new', () => {
  const merged = merge([lane('a', [{ seq: 1, from_ms: 1 }])], [lane('a', [{ seq: 1, from_ms: 1, to_ms: 9 }, { seq: 2, from_ms: 5 }]), lane('b', [{ from_ms: 7 }])]);
  assert.deepEqual(merged.map((one) => one.spans.length), [2, 1]);
  assert.equal(merged[0]?.spans[0]?.to_ms, 9);
});
