import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefer, silence, speak, speaking, type Hooks } from '../../src/settings/speech';

const hooks: Hooks = {
  stop: { enabled: true, voice: { enabled: true, name: '' } },
  subagent_stop: { enabled: true, voice: { enabled: false, name: '' } },
  notification: { enabled: false, voice: { enabled: true } },
  sound_only: { enabled: true },
};

test('off silences those that speak, and on brings back the same ones', () => {
  assert.deepEqual(speaking(hooks), ['stop']);
  assert.deepEqual(silence(hooks), { 'hooks.stop.voice.enabled': false });
  assert.deepEqual(speak(hooks, ['stop', 'gone']), { 'hooks.stop.voice.enabled': true });
  assert.deepEqual(Object.keys(speak(hooks, [])), ['hooks.stop.voice.enabled', 'hooks.subagent_stop.voice.enabled']);
});

test('the chosen engine is asked first, by the name of its voice where it has one', () => {
  assert.deepEqual(prefer(hooks, ['piper', 'embedded'], 'embedded', 'embedded'), {
    'voice.chain': ['embedded', 'piper'], 'hooks.stop.voice.name': '', 'hooks.subagent_stop.voice.name': '',
  });
  assert.equal(prefer(hooks, [], 'piper', 'amy')['hooks.stop.voice.name'], 'amy');
});
