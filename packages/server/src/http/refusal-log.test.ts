import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusalLog } from './refusal-log.js';

test('refusals add up by service and reason; the latest stands first, with its message', () => {
  const log = new RefusalLog();
  log.add('shop', 'malformed_profile', 1, 'first');
  log.add('till', 'malformed_profile', 1, 'other service');
  log.add('shop', 'negative_value', 3, 'other reason');
  log.add('shop', 'malformed_profile', 2, 'second');
  assert.deepEqual(
    log.list().map(({ service, reason, count, message }) => [service, reason, count, message]),
    [
      ['shop', 'malformed_profile', 3, 'second'],
      ['shop', 'negative_value', 3, 'other reason'],
      ['till', 'malformed_profile', 1, 'other service'],
    ],
  );
  for (const { last } of log.list()) assert.equal(new Date(last).toISOString(), last);
});

test('names and messages from outside are cut, and never meet by their joined text', () => {
  const log = new RefusalLog();
  log.add('x'.repeat(10_000), 'r', 1, 'y'.repeat(10_000));
  assert.equal(log.list()[0]?.service.length, 500);
  assert.equal(log.list()[0]?.message.length, 500);
  log.add('a","b', 'c', 1, '');
  log.add('a', 'b","c', 1, '');
  log.add('__proto__', 'constructor', 1, '');
  assert.equal(log.list().length, 4);
});

test('at most 500 rows: the one unused for longest goes first', () => {
  const log = new RefusalLog();
  for (let i = 0; i < 500; i++) log.add(`service ${i}`, 'r', 1, '');
  log.add('service 0', 'r', 1, '');
  log.add('one more', 'r', 1, '');
  const services = log.list().map(({ service }) => service);
  assert.equal(services.length, 500);
  assert.deepEqual(services.slice(0, 2), ['one more', 'service 0']);
  assert.ok(!services.includes('service 1'));
  assert.ok(services.includes('service 2'));
});
