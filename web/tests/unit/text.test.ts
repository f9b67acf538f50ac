import assert from 'node:assert/strict';
import { test } from 'node:test';
import { address } from '../../src/api/ask';
import { eventSign, eventText } from '../../src/flock/events';
import { ago, baseName, brief, duration, fine, money, short } from '../../src/format';
import { hashOf, parseRoute } from '../../src/route';
import { en } from '../../src/words/en';
import { LANGUAGES, languageFor } from '../../src/words/words';
import { event } from './make';

test('durations', () => {
  const rows: [number, string][] = [[0, '0 s'], [-5, '0 s'], [59_999, '59 s'], [64_000, '1 min 4 s'], [600_000, '10 min'], [3_600_000, '1 h'], [3_900_000, '1 h 5 min'], [90_000_000, '1 day'], [180_000_000, '2 days']];
  for (const [ms, text] of rows) assert.equal(duration(ms, en), text);
  assert.equal(ago(0, 1000, en), 'just now');
  assert.equal(ago(0, 5000, en), '5 s ago');
});

test('milliseconds where they count', () => {
  assert.deepEqual([null, 0, 999, 1500, 12_345, 65_000].map((ms) => fine(ms, en)), ['–', '0 ms', '999 ms', '1.5 s', '12 s', '1 min 5 s']);
});

test('large numbers are short', () => {
  assert.deepEqual([0, 999, 1000, 18_234, 999_499, 999_500, 1_250_000].map(short), ['0', '999', '1.0k', '18k', '999k', '1.0M', '1.3M']);
  assert.equal(money(null, 'en-GB'), null);
  assert.match(money(1.5, 'en-GB') ?? '', /1\.50/);
});

test('paths', () => {
  assert.equal(baseName('/home/dev/shop/'), 'shop');
  assert.equal(brief('Read: /home/dev/shop/src/cart.rs'), 'Read: …/src/cart.rs');
  assert.equal(brief('WebFetch: https://docs.rs/a/b/c'), 'WebFetch: https://docs.rs/a/b/c');
});

test('addresses within the page go there and back', () => {
  const hash = hashOf('sessions', 'team/leader?x', { part: 'transcript', empty: '' });
  assert.equal(hash, '#/sessions/team%2Fleader%3Fx?part=transcript');
  assert.deepEqual(parseRoute(hash), { view: 'sessions', id: 'team/leader?x', query: { part: 'transcript' } });
  assert.deepEqual(parseRoute(''), { view: '', id: null, query: {} });
  assert.equal(parseRoute('#/flock/%E0%A4%A').id, '%E0%A4%A');
});

test('what is not there is not asked for', () => {
  assert.equal(address('/api/events', { search: 'a b', before: null, tool: undefined, name: '', limit: 0 }), '/api/events?search=a+b&limit=0');
  assert.equal(address('/api/sessions/{id}/transcript', { id: 'team/{id}?$&', after: 5 }), '/api/sessions/team%2F%7Bid%7D%3F%24%26/transcript?after=5');
});

test('a line does not say its tool twice', () => {
  assert.equal(eventText(event({ tool: 'Bash', summary: 'Bash: ls' })), 'ls');
  assert.equal(eventText(event()), 'PreToolUse');
});

test('what the guard stopped has a sign of its own', () => {
  assert.equal(eventSign(event()), 'play');
  assert.equal(eventSign(event({ stopped: { how: 'refused', rules: ['delete-home'] } })), 'guard');
  assert.equal(eventSign(event({ stopped: { how: 'asked', rules: [] } })), 'hand');
});

test('the language is the first that there are words for', () => {
  assert.equal(languageFor(['', 'qq-QQ', 'ko-KR', 'en']), 'ko');
  assert.equal(languageFor([]), 'en');
});

test('no phrase of any language is empty where the English one is not', async () => {
  const empty: string[] = [];
  const walk = (path: string, a: unknown, b: unknown) => {
    if (typeof a === 'string' && a !== '' && !b) empty.push(path);
    else if (typeof a === 'object' && a !== null) for (const key of Object.keys(a)) walk(`${path}.${key}`, (a as Record<string, unknown>)[key], (b as Record<string, unknown>)?.[key]);
  };
  for (const [code, language] of Object.entries(LANGUAGES)) walk(code, en, await language.load());
  assert.deepEqual(empty, []);
});
