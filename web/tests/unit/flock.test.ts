import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creatureAddress } from '../../src/flock/creature';
import { take } from '../../src/flock/keep';
import { pensOf } from '../../src/flock/pens';
import { shelvesOf } from '../../src/flock/shelves';
import { STATES, stateOf } from '../../src/flock/states';
import { flatten } from '../../src/flock/tree';
import { agent } from './make';

const ALL = { group: 'all', project: '' } as const;

test('the stream adds, changes and removes agents, and copies only when something changed', () => {
  const before = new Map([['a', agent('a')]]);
  assert.equal(take(before, [{ name: 'announcement', data: {} }]), before);
  const after = take(before, [
    { name: 'mascot://agent-appeared', data: agent('b') },
    { name: 'mascot://agent-update', data: agent('a', { status: 'failed' }) },
    { name: 'mascot://agent-departed', data: agent('b') },
  ]);
  assert.deepEqual([...after.keys()], ['a']);
  assert.equal(after.get('a')?.status, 'failed');
  assert.equal(before.get('a')?.status, 'working');
});

test('an agent that nobody told of departs without a trace', () => {
  const before = new Map([['a', agent('a')]]);
  assert.equal(take(before, [{ name: 'mascot://agent-departed', data: agent('x') }]), before);
  assert.equal(take(before, [{ name: 'mascot://agent-update', data: null }]), before);
});

test('a pen has its main agent first, children below their parents, and whoever waits brings it to the front', () => {
  const pens = pensOf([
    agent('child', { role: 'subagent', session_id: 's', parent_id: 's', first_seen_ms: 5 }),
    agent('grandchild', { role: 'subagent', session_id: 's', parent_id: 'child', first_seen_ms: 9 }),
    agent('other', { role: 'subagent', session_id: 's', parent_id: 's', first_seen_ms: 7 }),
    agent('s', { first_seen_ms: 1, status: 'pending_input' }),
    agent('newer', { first_seen_ms: 100 }),
  ], ALL);
  assert.deepEqual(pens.map((pen) => pen.key), ['s', 'newer']);
  assert.deepEqual(pens[0]?.members.map((one) => [one.agent.agent_id, one.depth]), [['s', 0], ['child', 1], ['grandchild', 2], ['other', 1]]);
  assert.equal(pens[0]?.waiting, 1);
});

test('a pen is told of by its main agent, also when the filter leaves that out', () => {
  const [pen] = pensOf([agent('s'), agent('child', { role: 'subagent', session_id: 's', parent_id: 's', status: 'failed' })], { group: 'bad', project: '' });
  assert.deepEqual([pen?.main?.agent_id, pen?.members.map((one) => one.agent.agent_id)], ['s', ['child']]);
});

test('nobody is lost, whoever is said to be its own ancestor', () => {
  const pens = pensOf([agent('a', { session_id: 's', parent_id: 'b' }), agent('b', { session_id: 's', parent_id: 'a' })], ALL);
  assert.equal(pens[0]?.members.length, 2);
});

test('filters keep what fits', () => {
  const some = [agent('a', { workspace_id: 'shop' }), agent('b', { workspace_id: 'atlas', status: 'failed' })];
  assert.deepEqual(pensOf(some, { group: 'bad', project: '' }).map((pen) => pen.key), ['b']);
  assert.deepEqual(pensOf(some, { group: 'all', project: 'shop' }).map((pen) => pen.key), ['a']);
});

test('shelves hold as many columns as there are, and a pen of a thousand is cut', () => {
  const measure = { columns: 6, cell: 160, row: 200, head: 40, gap: 10 };
  const crowd = Array.from({ length: 1000 }, (_, i) => agent(`k${i}`, { role: i ? 'subagent' : 'main', session_id: 's', parent_id: i ? 'k0' : null, first_seen_ms: i }));
  const shelves = shelvesOf(pensOf([...crowd, agent('alone'), agent('alone2')], ALL), measure);
  for (const shelf of shelves) assert.ok(shelf.pieces.reduce((sum, piece) => sum + piece.columns, 0) <= 6);
  assert.equal(shelves.flatMap((shelf) => shelf.pieces.flatMap((piece) => piece.members)).length, 1002);
  for (const shelf of shelves) assert.ok(shelf.pieces.reduce((sum, piece) => sum + piece.columns, 0) * shelf.stretch <= 6.001);
  assert.ok(Math.max(...shelves.map((shelf) => shelf.height)) <= 40 + 2 * 200 + 10);
});

test('every state has a sign, and one of a later daemon is unknown', () => {
  for (const state of Object.values(STATES)) assert.ok(state.icon && state.tone);
  assert.equal(stateOf('dancing'), STATES.unknown);
});

test('the picture’s address is the same for the same looks', () => {
  const address = creatureAddress(agent('a', { parent_id: 'p' }), '1.2.3');
  assert.equal(address, creatureAddress(agent('b', { parent_id: 'q' }), '1.2.3'));
  assert.match(address, /hair_hue=10.46&.*pose=working&child=1&v=1.2.3$/);
  assert.equal(creatureAddress(agent('a', { parent_id: 'p' }), '1.2.3', true), `${address}&still=1`);
});

test('a tree is walked with depths', () => {
  const rows = flatten([{ agent: agent('a'), children: [{ agent: agent('b'), children: [] }] }]);
  assert.deepEqual(rows.map((row) => row.depth), [0, 1]);
});
