import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selfProfiling } from './self-profiling.js';

test('the server sends to the address it listens on', () => {
  const address = (listen: string) => selfProfiling({}, listen)['PYROSCOPE_SERVER_ADDRESS'];
  assert.equal(address('127.0.0.1:4040'), 'http://127.0.0.1:4040');
  assert.equal(address('10.1.2.3:80'), 'http://10.1.2.3:80');
  assert.equal(address('0.0.0.0:4040'), 'http://127.0.0.1:4040');
  assert.equal(address('[::]:4040'), 'http://127.0.0.1:4040');
  assert.equal(address('[::1]:4040'), 'http://[::1]:4040');
});

test('what the user has set stays', () => {
  const set = selfProfiling({ PYROSCOPE_AGENT_ENABLED: 'false', PYROSCOPE_APPLICATION_NAME: 'mine' }, '127.0.0.1:4040');
  assert.deepEqual(set, { PYROSCOPE_SERVER_ADDRESS: 'http://127.0.0.1:4040' });
});

test('a port the system chooses is not known yet', () => {
  assert.deepEqual(selfProfiling({}, '127.0.0.1:0'), {});
});
