import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Dialog, PermissionView } from '../../src/api/types';
import { diff } from '../../src/lists/diff';
import type { Card } from '../../src/permissions.svelte';
import { asksOf } from '../../src/queue';
import { agent } from './make';

const dialog = (what: string, tool = 'Bash'): Dialog => ({ tool, what, questions: [], edits: [] });

function card(id: string, by: string, command: string | null, asked_ms: number, tool = 'Bash'): Card {
  const permission = { id, agent_id: by, session_id: 's', tool, command, asked_ms } as PermissionView;
  return { permission, settled: null, trouble: null };
}

test('a request and the dialog that it is about are one, what can be answered here first, then the longest wait', () => {
  const waiting = [
    agent('late', { status: 'pending_input', since_ms: 50, dialogs: [dialog('make b'), dialog('make a')] }),
    agent('early', { status: 'pending_input', since_ms: 10, dialogs: [{ tool: 'AskUserQuestion', what: null, edits: [], questions: [{ question: 'Which?', choices: [], several: false }] }] }),
  ];
  const asks = asksOf(waiting, [card('p', 'late', 'make a', 50)]);
  assert.deepEqual(asks.map((ask) => [ask.agentId, ask.card?.permission.id ?? null, ask.dialog?.what ?? null, ask.place, ask.of]), [
    ['late', 'p', 'make a', 1, 2], ['early', null, null, 1, 1], ['late', null, 'make b', 2, 2],
  ]);
});

test('who waits for something unknown is there, and a request whose agent is not known too', () => {
  const asks = asksOf([agent('bare', { status: 'pending_input', since_ms: 5 })], [card('p', 'gone', null, 7, 'Edit')]);
  assert.deepEqual(asks.map((ask) => [ask.key, ask.agentId, ask.card !== null]), [['p', 'gone', true], ['bare', 'bare', false]]);
});

test('of a change the lines are told that go and come, and a few around them', () => {
  const told = (old: string | null, fresh: string) => diff(old, fresh).map((line) => `${{ stays: ' ', goes: '-', comes: '+' }[line.kind]}${line.text}`);
  assert.deepEqual(told('a\nb\nc\nd\ne\n', 'a\nb\nc\nX\ne\n'), [' b', ' c', '-d', '+X', ' e']);
  assert.deepEqual(told('one\ntwo\nthree', 'one\n2\ntwo\nthree'), [' one', '+2', ' two', ' three']);
  assert.deepEqual(told('a\nkeep\nb', 'x\nkeep\ny'), ['-a', '+x', ' keep', '-b', '+y']);
  assert.deepEqual(told(null, 'new\nfile\n'), ['+new', '+file']);
  assert.deepEqual(told('same', 'same'), [' same']);
});
