import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PilotlightError } from '../errors.js';
import type { Reading } from '../model.js';
import { jfrChunk, STANDARD_TYPES } from '../testing/jfr-drawing.js';
import { inflatedTestData, valuesByStack } from '../testing/jfr-recordings.js';
import { refused } from '../testing/reading.js';
import { JfrCutter, type JfrPiece } from './cut.js';
import { readJfr } from './read.js';

const HEADER_BYTES = 68;

function cut(bytes: Uint8Array, pieceBytesMax: number): JfrPiece[] {
  return [...new JfrCutter(pieceBytesMax).cut(bytes)];
}

function sumOf(readings: readonly Reading[]): Map<string, number[]> {
  const sums = new Map<string, number[]>();
  for (const named of readings.flatMap(({ profiles }) => profiles)) {
    const types = named.profile.sampleTypes.map(({ type }) => type).join();
    for (const [stack, values] of valuesByStack(named)) {
      const key = `${named.metric} ${types} ${stack}`;
      const before = sums.get(key);
      sums.set(key, before === undefined ? values : before.map((value, i) => value + (values[i] as number)));
    }
  }
  return sums;
}

/** Equal stacks and sums; a sum of ticks is rounded to nanoseconds once a piece. */
function assertNear(sums: Map<string, number[]>, expected: Map<string, number[]>, pieces: number): void {
  const rounded = (values: number[], key: string) =>
    values.map((value, i) => {
      const apart = Math.abs(value - (expected.get(key)?.[i] ?? 0));
      return key.includes('delay') && apart <= pieces ? (expected.get(key)?.[i] as number) : value;
    });
  assert.deepEqual(new Map([...sums].map(([key, values]) => [key, rounded(values, key)])), expected);
}

/** Of a chunk, what is no event that becomes a sample. */
function frameBytes(chunk: Uint8Array): number {
  try {
    cut(chunk, 0);
  } catch (thrown) {
    return -Number((thrown as PilotlightError).place.limit);
  }
  throw new Error('there is no sample');
}

const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const setting = (name: string, value: string) => ['jdk.ActiveSetting', { name, value }] as const;
const sample = ['jdk.ExecutionSample', { stackTrace: 1 }] as const;

const RECORDINGS = [
  'jfr/generated/agent450-itimer-wall-nativemem-3chunks.jfr.gz',
  'jfr/generated/agent450-wall-alloc-lock.jfr.gz',
  'jfr/generated/jdk25-cputime-allocsample.jfr.gz',
  'jfr/cassandra/writes.jfr.gz',
  'jfr/FastSlow_2024_01_16_180855.jfr.gz',
  'profiles/jfr/openjdk17-uint64-cpool.jfr.gz',
];

describe('pieces of a recording', () => {
  for (const path of RECORDINGS) {
    it(`of ${path} have the stacks and sums of the whole`, (t) => {
      const bytes = inflatedTestData(t, path);
      if (bytes === undefined) return;
      const whole = sumOf([readJfr(bytes)]);
      const chunks = cut(bytes, bytes.length);
      const largest = chunks.reduce((a, b) => (a.bytes.length > b.bytes.length ? a : b)).bytes;
      const halves = cut(bytes, Math.ceil((largest.length + frameBytes(largest)) / 2));
      assert.ok(halves.length > chunks.length);
      for (const pieces of [chunks, halves]) {
        assertNear(sumOf(pieces.map((piece) => readJfr(piece.bytes))), whole, pieces.length);
      }
    });
  }

  it('are as many as are needed, and each says when it was', () => {
    const stacks = ['a', 'a;b'];
    const events = Array.from({ length: 100 }, (_, i) => ['jdk.ExecutionSample', { stackTrace: 1 + (i % 2) }] as const);
    const start = 1_700_000_000_000_000_000n;
    const frame = cut(jfrChunk({ stacks, events: [sample] }), 1e6)[0]?.bytes.length as number;
    const pieces = cut(jfrChunk({ stacks, events, start, duration: 5n }), frame + 200);
    assert.ok(pieces.length > 3);
    assert.equal(
      pieces.reduce((sum, piece) => sum + (piece.events.get('jdk.ExecutionSample') ?? 0), 0),
      100,
    );
    for (const { timeNanos, durationNanos } of pieces) assert.deepEqual([timeNanos, durationNanos], [start, 5n]);
  });

  it('carry the settings of earlier chunks, at their own time', () => {
    const first = jfrChunk({
      stacks: ['a'],
      events: [setting('event', 'itimer'), setting('interval', '20000000'), setting('jvmArgs', 'secret'), sample],
    });
    const start = 1_700_000_099_000_000_000n;
    const pieces = cut(joined(first, jfrChunk({ stacks: ['b'], events: [sample], start })), 1e6);
    assert.equal(pieces.length, 2);
    const readings = pieces.map((piece) => readJfr(piece.bytes));
    assert.deepEqual([...sumOf(readings).values()], [[20_000_000], [20_000_000]]);
    for (const { profiles } of readings)
      assert.deepEqual(profiles[0]?.labels, [{ name: 'jfr_event', value: 'itimer' }]);
    assert.equal(readings[1]?.profiles[0]?.profile.timeNanos, start);
    for (const { bytes } of pieces) assert.ok(!new TextDecoder('latin1').decode(bytes).includes('secret'));
  });

  it('carry a period that the JDK gave for an event', () => {
    const id = 20 + Object.keys(STANDARD_TYPES).indexOf('jdk.ExecutionSample');
    const period = ['jdk.ActiveSetting', { id, name: 'period', value: '30 ms' }] as const;
    const whole = joined(
      jfrChunk({ stacks: ['a'], events: [period, sample] }),
      jfrChunk({ stacks: ['b'], events: [sample] }),
    );
    const sums = sumOf(cut(whole, 1e6).map((piece) => readJfr(piece.bytes)));
    assert.deepEqual(sums, sumOf([readJfr(whole)]));
    assert.deepEqual([...sums.values()], [[30_000_000], [30_000_000]]);
  });

  it('of a chunk with samples of CPU time count no time twice', () => {
    const cpuTime = ['jdk.CPUTimeSample', { stackTrace: 1, samplingPeriod: 10_000_000 }] as const;
    const events = [...Array.from({ length: 50 }, () => sample), ...Array.from({ length: 50 }, () => cpuTime)];
    const whole = jfrChunk({ stacks: ['a'], events });
    const frame = cut(jfrChunk({ stacks: ['a'], events: [cpuTime] }), 1e6)[0]?.bytes.length as number;
    const pieces = cut(whole, frame + 100);
    assert.ok(pieces.length > 2);
    assert.deepEqual(sumOf(pieces.map((piece) => readJfr(piece.bytes))), sumOf([readJfr(whole)]));
  });

  it('come before the error where a recording is damaged', () => {
    const whole = joined(jfrChunk({ stacks: ['a'], events: [sample] }), new Uint8Array(HEADER_BYTES));
    const cutter = new JfrCutter(1e6).cut(whole);
    assert.equal(cutter.next().done, false);
    assert.throws(() => cutter.next(), refused('malformed_profile', /expected a chunk \(magic/));
  });

  it('that would not hold the pools are refused with the number of bytes', () => {
    const chunk = jfrChunk({ stacks: ['a'], events: [sample] });
    assert.throws(
      () => cut(chunk, 200),
      refused('profile_size_limit', /the constant pools of chunk 1 take \d+ bytes more/),
    );
  });
});
