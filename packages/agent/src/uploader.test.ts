import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Upload } from './ingest.js';
import { Log } from './log.js';
import { backoffMillis, Uploader } from './uploader.js';

const QUIET = new Log('error');
const ACCEPTED: Answer = { outcome: 'accepted' };
const FAILED: Answer = { outcome: 'failed', reason: 'down' };
const upload = (fromMillis: number): Upload => ({
  fromMillis,
  untilMillis: fromMillis,
  intervalMicros: 10_000,
  body: new Uint8Array(),
});

/** An uploader whose tries are answered in order, and what it did. */
function uploaderAnswered(answers: Answer[], options: { triesMax?: number; queueCapacity?: number } = {}) {
  const tried: number[] = [];
  const slept: number[] = [];
  const uploader = new Uploader(
    async ({ fromMillis }) => {
      tried.push(fromMillis);
      return answers.shift() ?? ACCEPTED;
    },
    {
      triesMax: options.triesMax ?? 8,
      queueCapacity: options.queueCapacity ?? 8,
      random: () => 0.5,
      sleep: async (millis) => void slept.push(millis),
    },
    QUIET,
  );
  return { uploader, tried, slept };
}

test('the wait doubles five times and then stays at 30 s', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map(backoffMillis), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('what fails is tried again, after a random part of the wait, and in order', async () => {
  const { uploader, tried, slept } = uploaderAnswered([FAILED, FAILED, ACCEPTED]);
  uploader.push(upload(1));
  uploader.push(upload(2));
  await uploader.drained();
  assert.deepEqual(tried, [1, 1, 1, 2]);
  assert.deepEqual(slept, [500, 1_000]);
});

test('tries end, and the next window gets its own', async () => {
  const { uploader, tried } = uploaderAnswered([FAILED, FAILED, FAILED], { triesMax: 3 });
  uploader.push(upload(1));
  uploader.push(upload(2));
  await uploader.drained();
  assert.deepEqual(tried, [1, 1, 1, 2]);
});

test('what is refused is dropped at once', async () => {
  const { uploader, tried } = uploaderAnswered([{ outcome: 'refused', status: 422, reason: 'no' }]);
  uploader.push(upload(1));
  uploader.push(upload(2));
  await uploader.drained();
  assert.deepEqual(tried, [1, 2]);
});

test('a full queue loses its oldest window', async () => {
  const { uploader, tried } = uploaderAnswered([], { queueCapacity: 2 });
  for (const from of [1, 2, 3, 4]) uploader.push(upload(from));
  await uploader.drained();
  // The first is on its way already, the second was the oldest of three that waited.
  assert.deepEqual(tried, [1, 3, 4]);
});

test('a server that failed last is not worth waiting for', async () => {
  const { uploader } = uploaderAnswered([FAILED, ACCEPTED], { triesMax: 1 });
  assert.ok(uploader.isServerReachable);
  uploader.push(upload(1));
  await uploader.drained();
  assert.ok(!uploader.isServerReachable);
  uploader.push(upload(2));
  await uploader.drained();
  assert.ok(uploader.isServerReachable);
});
