import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pages } from '../../src/lists/pages';
import { evenSight, starts, unevenSight } from '../../src/lists/window';

test('rows of one height in sight', () => {
  assert.deepEqual(evenSight(1_000_000, 40, 0, 800, 8), { first: 0, last: 28 });
  assert.deepEqual(evenSight(1_000_000, 40, 400_000, 800, 8), { first: 9992, last: 10028 });
  assert.deepEqual(evenSight(10, 40, 9999, 800, 8), { first: 10, last: 10 });
  assert.deepEqual(evenSight(0, 40, 0, 800, 8), { first: 0, last: 0 });
});

test('rows of their own heights in sight', () => {
  const at = starts([100, 200, 50, 300]);
  assert.deepEqual(at, [0, 100, 300, 350, 650]);
  assert.deepEqual(unevenSight(at, 120, 100, 0), { first: 1, last: 2 });
  assert.deepEqual(unevenSight(at, 0, 1000, 0), { first: 0, last: 4 });
  assert.deepEqual(unevenSight([0], 0, 500, 1), { first: 0, last: 0 });
});

/** A store of `total` rows, the newest first, in pages of a hundred. */
function store(total: number) {
  const asked: (number | null)[] = [];
  return {
    asked,
    read: async (cursor: number | null) => {
      asked.push(cursor);
      const from = cursor === null ? total : cursor;
      const rows = Array.from({ length: Math.min(100, from) }, (_, i) => from - i);
      return { rows, next: from > 100 ? from - 100 : null };
    },
  };
}

test('a million rows are scrolled with a few thousand in memory, and read again when scrolled back', async () => {
  const source = store(1_000_000);
  const pages = new Pages<number>(source.read, () => {});
  for (let at = 0; at < 20_000; at += 25) await pages.want(at, at + 30);
  assert.ok(pages.held <= 2100, `${pages.held}`);
  assert.equal(pages.row(20_010), 1_000_000 - 20_010);
  assert.equal(pages.row(0), null);
  await pages.want(0, 30);
  assert.equal(pages.row(0), 1_000_000);
  assert.equal(pages.ended, false);
});

test('what is wanted while something is read is read next, and what was wanted before is not', async () => {
  const source = store(1_000_000);
  const pages = new Pages<number>(source.read, () => {});
  for (let at = 0; at < 4_000; at += 25) await pages.want(at, at + 30);
  source.asked.length = 0;
  // A jump to the top while the jump before it is still being read.
  const first = pages.want(1_000, 1_030);
  const second = pages.want(10, 40);
  await Promise.all([first, second]);
  assert.equal(pages.row(10), 1_000_000 - 10);
  assert.equal(source.asked.length, 2, `${source.asked}`);
});

test('a short list ends', async () => {
  const pages = new Pages<number>(store(130).read, () => {});
  await pages.want(0, 30);
  await pages.want(100, 130);
  assert.equal(pages.count, 130);
  assert.ok(pages.ended);
  const none = new Pages<number>(async () => ({ rows: [], next: null }), () => {});
  await none.want(0, 8);
  assert.deepEqual([none.count, none.ended], [0, true]);
});

test('what failed can be tried again', async () => {
  let broken = true;
  const source = store(300);
  const pages = new Pages<number>(async (cursor) => {
    if (broken) throw new Error('away');
    return source.read(cursor);
  }, () => {});
  await assert.rejects(pages.want(0, 10), /away/);
  broken = false;
  await pages.want(0, 10);
  assert.equal(pages.row(0), 300);
});
