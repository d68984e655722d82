import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { DecodeTask } from './decode.js';
import { DecodePool, type DecodePoolOptions } from './decode-pool.js';
import { drawnPprof } from './testing/drawn-profile.js';

function startPool(t: TestContext, options: DecodePoolOptions = {}): DecodePool {
  const pool = new DecodePool({ threads: 1, ...options });
  t.after(() => pool.close());
  return pool;
}

function task(body: Uint8Array): DecodeTask {
  return {
    kind: 'ingest',
    tenant: 'anonymous',
    receivedMs: Date.now(),
    retentionAgeSeconds: 604_800,
    inflatedBytesMax: 1_000_000,
    query: 'name=shop',
    contentType: '',
    contentEncoding: '',
    body,
  };
}

test('a thread decodes: the record comes over whole, the body goes over for good', async (t) => {
  const pool = startPool(t);
  const body = drawnPprof('main;a 5').slice();
  const { uploads, error } = await pool.decode(task(body), [body.buffer as ArrayBuffer]);
  assert.equal(error, undefined);
  assert.equal(uploads.length, 1);
  assert.equal(Buffer.from(uploads[0]?.bytes.subarray(0, 4) ?? []).toString(), 'PLR3');
  assert.equal(body.length, 0);
});

test('what is wrong with a body comes over as code, message and place', async (t) => {
  const { error } = await startPool(t).decode(task(Buffer.from([0x0a, 0xff, 0xff])), []);
  assert.equal(error?.code, 'malformed_profile');
  assert.match(error?.message ?? '', /pprof/);
});

test('when too many wait, the next is told to come back', async (t) => {
  const pool = startPool(t, { waitingMax: 0 });
  await assert.rejects(pool.decode(task(drawnPprof('main 1')), []), {
    code: 'rate_limited',
    message: '0 uploads wait to be decoded; send again later',
  });
});

test('what takes too long is stopped', async (t) => {
  // The time is over before the thread can have begun.
  const pool = startPool(t, { secondsMax: 0 });
  await assert.rejects(pool.decode(task(drawnPprof('main 1')), []), {
    code: 'time_limit',
    message: /^decoding took longer/,
  });
  assert.equal(pool.waiting, 0);
});
