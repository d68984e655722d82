import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentLog } from './agent-log.js';

const GO = { spyName: 'gospy', userAgent: 'Go-http-client/1.1' };
const JAVA = { spyName: 'javaspy', userAgent: 'okhttp/4.12.0' };

test('a row for each service and sender, the latest heard of first', () => {
  const log = new AgentLog();
  log.taken('shop', GO);
  log.taken('shop', JAVA);
  log.taken('shop', GO);
  log.refused('till', GO, 'malformed_profile');
  log.refused('shop', JAVA, 'rate_limited');
  const rows = log.list().map(({ lastUpload, lastRefusal, ...rest }) => {
    for (const time of [lastUpload, lastRefusal]) {
      if (time !== undefined) assert.equal(new Date(time).toISOString(), time);
    }
    return [lastUpload !== undefined, rest];
  });
  assert.deepEqual(rows, [
    [true, { service: 'shop', ...JAVA, uploads: 1, refusals: 1, lastReason: 'rate_limited' }],
    [false, { service: 'till', ...GO, uploads: 0, refusals: 1, lastReason: 'malformed_profile' }],
    [true, { service: 'shop', ...GO, uploads: 2, refusals: 0 }],
  ]);
});

test('what comes from outside is cut, and the table is bounded', () => {
  const log = new AgentLog();
  log.taken('x'.repeat(10_000), { spyName: 'y'.repeat(10_000), userAgent: 'z'.repeat(10_000) });
  const [{ service, spyName, userAgent } = { service: '', spyName: '', userAgent: '' }] = log.list();
  assert.deepEqual([service.length, spyName.length, userAgent.length], [200, 200, 200]);
  for (let i = 0; i < 2_000; i++) log.taken(`service ${i}`, GO);
  assert.equal(log.list().length, 1_000);
  assert.equal(log.list()[0]?.service, 'service 1999');
});
