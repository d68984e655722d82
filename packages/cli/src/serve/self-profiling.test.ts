import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selfProfiling } from './self-profiling.js';

function at(host: string, port: number, token?: string) {
  return { listen: { host, port }, token };
}

test('the server sends to the address it listens on', () => {
  const address = (host: string, port: number) => selfProfiling({}, at(host, port))['PYROSCOPE_SERVER_ADDRESS'];
  assert.equal(address('127.0.0.1', 4040), 'http://127.0.0.1:4040');
  assert.equal(address('10.1.2.3', 80), 'http://10.1.2.3:80');
  assert.equal(address('0.0.0.0', 4040), 'http://127.0.0.1:4040');
  assert.equal(address('::', 4040), 'http://127.0.0.1:4040');
  assert.equal(address('::1', 4040), 'http://[::1]:4040');
});

test('with its own token', () => {
  assert.equal(selfProfiling({}, at('127.0.0.1', 1, 'secret'))['PYROSCOPE_AUTH_TOKEN'], 'secret');
});

test('what the user has set stays', () => {
  const env = { PYROSCOPE_AGENT_ENABLED: 'false', PYROSCOPE_APPLICATION_NAME: 'mine' };
  assert.deepEqual(Object.keys(selfProfiling(env, at('127.0.0.1', 4040))), [
    'PYROSCOPE_SERVER_ADDRESS',
    'PYROSCOPE_LOG_LEVEL',
  ]);
});

test('a port the system chooses is not known yet', () => {
  assert.deepEqual(selfProfiling({}, at('127.0.0.1', 0)), {});
});
