import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type PilotlightError, type Reading, readJfr } from '@pilotlight/profile';
import { testRecording } from '../testing/recordings.js';
import { FileBytes } from './file-bytes.js';
import { endOf, halvesOf, type Part, partsOf } from './long-recording.js';

const folder = mkdtempSync(join(tmpdir(), 'pilotlight-long-'));
after(() => rmSync(folder, { recursive: true }));

/** The chunk `count` times, an hour apart from the `first` hour of 2026 on. */
function hours(chunk: Uint8Array, first: number, count: number): Uint8Array {
  return Buffer.concat(
    Array.from({ length: count }, (_, hour) => {
      const copy = Uint8Array.from(chunk);
      new DataView(copy.buffer).setBigInt64(32, startOf(first + hour));
      return copy;
    }),
  );
}

const startOf = (hour: number) => BigInt(Date.UTC(2026, 0, 1, hour)) * 1_000_000n;

function fileOf(bytes: Uint8Array): Promise<FileBytes> {
  const path = join(folder, 'recording');
  writeFileSync(path, bytes);
  return FileBytes.open(path);
}

async function partsIn(bytes: Uint8Array): Promise<{ parts: Part[]; damages: PilotlightError[] }> {
  const damages: PilotlightError[] = [];
  const parts: Part[] = [];
  for await (const part of partsOf(await fileOf(bytes), (damage) => damages.push(damage))) parts.push(part);
  return { parts, damages };
}

/** Sums of all sample types, by name. */
function totals(readings: readonly Reading[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { metric, profile } of readings.flatMap(({ profiles }) => profiles)) {
    profile.sampleTypes.forEach(({ type, unit }, column) => {
      // Spans are rounded to nanoseconds in each part.
      if (type === 'delay') return;
      const key = `${metric}:${type}:${unit}`;
      sums[key] =
        profile.samples.values[column]?.slice(0, profile.samples.length).reduce((a, b) => a + b, sums[key] ?? 0) ?? 0;
    });
  }
  return sums;
}

test('a recording packed or not: every part has its time, all have the sums of the whole', async (t) => {
  const chunk = testRecording(t, 'jfr/example.jfr.gz');
  if (chunk === undefined) return;
  const whole = hours(chunk, 0, 5);
  for (const bytes of [whole, gzipSync(whole, { level: 1 })]) {
    const { parts, damages } = await partsIn(bytes);
    assert.deepEqual(damages, []);
    assert.deepEqual(
      parts.map(({ startNanos }) => startNanos),
      [0, 1, 2, 3, 4].map(startOf),
    );
    assert.deepEqual(totals(parts.map((part) => readJfr(part.bytes))), totals([readJfr(whole)]));
    for (const part of parts) {
      assert.equal(readJfr(part.bytes).profiles[0]?.profile.timeNanos, part.startNanos);
      const halves = [...halvesOf(part)];
      assert.ok(halves.length > 1);
      assert.deepEqual(totals(halves.map((half) => readJfr(half.bytes))), totals([readJfr(part.bytes)]));
    }
    const last = parts.at(-1) as Part;
    assert.equal(await endOf(await fileOf(bytes)), last.startNanos + last.durationNanos);
  }
});

test('chunks of one minute go together', async (t) => {
  const chunk = testRecording(t, 'jfr/wall_tick_sample.jfr.gz');
  if (chunk === undefined) return;
  const at = (seconds: number) => {
    const copy = Uint8Array.from(chunk);
    const view = new DataView(copy.buffer);
    view.setBigInt64(32, startOf(0) + BigInt(seconds) * 1_000_000_000n);
    view.setBigInt64(40, 10_000_000_000n);
    return copy;
  };
  const { parts } = await partsIn(Buffer.concat([0, 10, 20, 30, 40, 50, 60, 70].map(at)));
  assert.deepEqual(
    parts.map(({ startNanos, durationNanos }) => [
      Number((startNanos - startOf(0)) / 1_000_000_000n),
      durationNanos / 1_000_000_000n,
    ]),
    [
      [0, 60n],
      [60, 20n],
    ],
  );
});

test('a chunk that is damaged costs itself, one that was never finished all behind it', async (t) => {
  const chunk = testRecording(t, 'jfr/wall_tick_sample.jfr.gz');
  if (chunk === undefined) return;
  const damaged = Uint8Array.from(chunk);
  new DataView(damaged.buffer).setBigInt64(56, 0n);
  const unfinished = Uint8Array.from(chunk);
  new DataView(unfinished.buffer).setBigInt64(8, 0n);
  const bytes = Buffer.concat([hours(chunk, 0, 1), damaged, hours(chunk, 1, 1), unfinished, hours(chunk, 2, 1)]);
  const { parts, damages } = await partsIn(bytes);
  assert.deepEqual(
    parts.map(({ startNanos }) => startNanos),
    [startOf(0), startOf(1)],
  );
  assert.equal(damages.length, 2);
  assert.match(damages[0]?.message ?? '', /ticks a second/);
  assert.match(damages[1]?.message ?? '', /chunk/);
});

test('a chunk too large to be read is named with the limit', async () => {
  const header = new Uint8Array(100);
  header.set([0x46, 0x4c, 0x52, 0]);
  new DataView(header.buffer).setBigUint64(8, 2n ** 40n);
  await assert.rejects(partsIn(header), {
    code: 'profile_size_limit',
    message: /1099511627776 bytes, the limit is 268435456/,
  });
});
