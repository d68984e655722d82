import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPprof, writePprof } from '@pilotlight/profile';
import { profileOf } from '../testing/recordings.js';
import { retimePprof, shiftJfr } from './shift-time.js';

const HEADER_BYTES = 68;

/** A recording of chunks that are nothing but a header. */
function chunks(...starts: bigint[]): Uint8Array {
  const bytes = new Uint8Array(starts.length * HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  starts.forEach((start, index) => {
    bytes.set([0x46, 0x4c, 0x52, 0], index * HEADER_BYTES);
    view.setBigUint64(index * HEADER_BYTES + 8, BigInt(HEADER_BYTES));
    view.setBigInt64(index * HEADER_BYTES + 32, start);
  });
  return bytes;
}

test('JFR: every chunk moves by the same time, and the given bytes stay', () => {
  const bytes = chunks(1_000n, 6_000n, 11_000n);
  assert.deepEqual(shiftJfr(bytes, 500n), chunks(1_500n, 6_500n, 11_500n));
  assert.deepEqual(bytes, chunks(1_000n, 6_000n, 11_000n));
});

test('JFR: an unfinished last chunk moves too and ends the walk', () => {
  const bytes = chunks(1_000n, 6_000n);
  new DataView(bytes.buffer).setBigUint64(HEADER_BYTES + 8, 0n);
  const shifted = shiftJfr(bytes, -1_000n);
  assert.equal(new DataView(shifted.buffer).getBigInt64(HEADER_BYTES + 32), 5_000n);
});

test('JFR: a chunk that claims more than is left is refused with its place', () => {
  const bytes = chunks(1_000n, 6_000n);
  new DataView(bytes.buffer).setBigUint64(HEADER_BYTES + 8, 2n ** 63n);
  assert.throws(() => shiftJfr(bytes, 1n), { code: 'malformed_profile', message: /chunk at byte 68 / });
});

test('pprof: the new time is read, the rest is as before', () => {
  const before = profileOf('main;a 5', { timeNanos: 1_700_000_000_000_000_000n, durationNanos: 10e9 });
  const after = readPprof(retimePprof(writePprof(before), 1_796_061_600_000_000_000n)).profiles[0]?.profile;
  assert.equal(after?.timeNanos, 1_796_061_600_000_000_000n);
  assert.equal(after?.durationNanos, 10e9);
  assert.deepEqual(after?.samples.values, before.samples.values);
});
