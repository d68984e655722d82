import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selfProfiling } from './self-profiling.js';

const LOCAL = 'http://127.0.0.1:4040';

test('the server sends to the address it listens on', () => {
  const address = (listening: string) => selfProfiling({}, listening, undefined)['PYROSCOPE_SERVER_ADDRESS'];
  assert.equal(address(LOCAL), LOCAL);
  assert.equal(address('http://10.1.2.3:80'), 'http://10.1.2.3:80');
  assert.equal(address('http://0.0.0.0:4040'), LOCAL);
  assert.equal(address('http://[::]:4040'), LOCAL);
  assert.equal(address('http://[::1]:4040'), 'http://[::1]:4040');
});

test('with its own token', () => {
  assert.equal(selfProfiling({}, LOCAL, 'secret')['PYROSCOPE_AUTH_TOKEN'], 'secret');
});

test('what the user has set stays', () => {
  const env = { PYROSCOPE_AGENT_ENABLED: 'false', PYROSCOPE_APPLICATION_NAME: 'mine' };
  const set = Object.keys(selfProfiling(env, LOCAL, undefined));
  assert.deepEqual(set, ['PYROSCOPE_SERVER_ADDRESS', 'PYROSCOPE_LOG_LEVEL']);
});
