import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mutate } from '../fuzz/mutate.js';
import { Random } from '../fuzz/random.js';
import { tryReader } from '../fuzz/reader-trial.js';
import { DEFAULT_READ_LIMITS, type ReadLimits } from '../limits.js';
import type { Reading } from '../model.js';
import { assertDetailsSumUp } from '../testing/detail-sums.js';
import { jfrChunk, jfrMetadata, STANDARD_TYPES } from '../testing/jfr-drawing.js';
import { labelsSnapshot } from '../testing/jfr-labels.js';
import { inflatedTestData } from '../testing/jfr-recordings.js';
import { joinedBytes } from '../testing/pprof-drawing.js';
import { JfrCutter } from './cut.js';
import { JfrNames } from './known-names.js';
import { readJfr } from './read.js';

const LABELS = labelsSnapshot({ 7: { thread: 'one' } }, ['GET /']);
const CHUNK = jfrChunk({
  stacks: ['Main.main:3;Main.work;App$$Lambda$1/0x123.run', 'Main.main:3;no_Java_frame', 'x.y'],
  events: [
    ['jdk.ActiveSetting', { name: 'event', value: 'wall' }],
    ['jdk.ActiveSetting', { name: 'interval', value: '0' }],
    ['jdk.ExecutionSample', { stackTrace: 1, state: 1, contextId: 7, spanId: 9, spanName: 1, traceIdHi: 2n ** 63n }],
    ['profiler.WallClockSample', { stackTrace: 2, state: 2, samples: 1000 }],
    ['jdk.JavaMonitorEnter', { stackTrace: 3, duration: 2n ** 40n }],
    ['jdk.ObjectAllocationInNewTLAB', { stackTrace: 77, tlabSize: 4096 }],
  ],
  ticksPerSecond: 2_303_974_730n,
  checkpoints: [
    [{ type: 'java.lang.String', entries: [[2n ** 40n, new Uint8Array([1])]] }],
    [{ type: 'jdk.types.StackTrace', entries: [[2n ** 40n, [true, []]]] }],
  ],
});
const SECOND = jfrChunk({
  stacks: ['a;b'],
  key: (n) => 2n ** 33n + BigInt(n),
  events: [['jdk.ExecutionSample', { stackTrace: 2n ** 33n + 1n }]],
});
const NARROW: ReadLimits = {
  ...DEFAULT_READ_LIMITS,
  depthMax: 2,
  nameBytesMax: 3,
  labelNamesMax: 1,
  samplesMax: 3,
  nodesMax: 5,
};
const TRIAL_MILLIS = 3000;
const HEADER_BYTES = 68;

describe('readJfr on damaged bytes', () => {
  const seed = Number(process.env['PILOTLIGHT_FUZZ_SEED'] ?? Date.now() % 1_000_000);

  for (const limits of [DEFAULT_READ_LIMITS, NARROW]) {
    it(`reads or refuses drawn recordings, with depth ${limits.depthMax}`, (t) => {
      const inputs = [CHUNK, SECOND, joinedBytes(CHUNK, SECOND)];
      const read = (bytes: Uint8Array) => readJfr(bytes, { limits, labels: LABELS });
      const result = tryReader({ inputs, read, seed, runs: 6000, millisMax: TRIAL_MILLIS });
      t.diagnostic(`seed ${seed}: ${result.read} read, ${result.refused} refused of ${result.runs}`);
      assert.ok(result.read > 0 && result.refused > 0, JSON.stringify(result));
    });
  }

  it('reads or refuses real recordings', (t) => {
    const inputs: Uint8Array[] = [];
    for (const name of ['nativemem', 'new_spancontext', 'wall_tick_sample', 'generated/jdk25-cputime-allocsample']) {
      const bytes = inflatedTestData(t, `jfr/${name}.jfr.gz`);
      if (bytes === undefined) return;
      inputs.push(bytes);
    }
    const result = tryReader({ inputs, read: (bytes) => readJfr(bytes), seed, runs: 2000, millisMax: TRIAL_MILLIS });
    t.diagnostic(`seed ${seed}: ${result.read} read, ${result.refused} refused of ${result.runs}`);
    assert.ok(result.read > 0, JSON.stringify(result));
  });

  it('cuts damaged recordings into pieces that are read, or refuses them', (t) => {
    const inputs = [CHUNK, SECOND, joinedBytes(CHUNK, SECOND)];
    const read = (bytes: Uint8Array): Reading => {
      const pieces = [...new JfrCutter(CHUNK.length).cut(bytes)];
      const readings = pieces.map((piece) => readJfr(piece.bytes));
      return { profiles: readings.flatMap(({ profiles }) => profiles), refusals: [] };
    };
    const result = tryReader({ inputs, read, seed, runs: 4000, millisMax: TRIAL_MILLIS });
    t.diagnostic(`seed ${seed}: ${result.read} read, ${result.refused} refused of ${result.runs}`);
    assert.ok(result.read > 0 && result.refused > 0, JSON.stringify(result));
  });

  it('reads or refuses them with details, which sum up to the samples', () => {
    const read = (bytes: Uint8Array) => {
      const reading = readJfr(bytes, { labels: LABELS, details: true });
      for (const named of reading.profiles) assertDetailsSumUp(named);
      return reading;
    };
    const inputs = [CHUNK, SECOND, joinedBytes(CHUNK, SECOND)];
    const result = tryReader({ inputs, read, seed, runs: 3000, millisMax: TRIAL_MILLIS });
    assert.ok(result.read > 0 && result.refused > 0, JSON.stringify(result));
  });

  it('reads or refuses them as well with the names of those before', () => {
    const names = new JfrNames();
    const inputs = [CHUNK, SECOND, joinedBytes(CHUNK, SECOND)];
    const read = (bytes: Uint8Array) => {
      const withNames = outcome(() => readJfr(bytes, { labels: LABELS, names }));
      assert.deepEqual(
        withNames,
        outcome(() => readJfr(bytes, { labels: LABELS })),
      );
      return readJfr(bytes, { labels: LABELS, names });
    };
    const result = tryReader({ inputs, read, seed, runs: 1500, millisMax: TRIAL_MILLIS });
    assert.ok(result.read > 0 && result.refused > 0, JSON.stringify(result));
  });

  it('reads or refuses damaged labels', (t) => {
    const random = new Random(seed);
    const read = () => readJfr(CHUNK, { labels: mutate(LABELS, random) });
    const result = tryReader({ inputs: [CHUNK], read, seed, runs: 1500, millisMax: TRIAL_MILLIS });
    t.diagnostic(`seed ${seed}: ${result.read} read, ${result.refused} refused of ${result.runs}`);
    assert.ok(result.read > 0 && result.refused > 0, JSON.stringify(result));
  });

  it('takes layouts that no producer writes', () => {
    // Each standard type with one field after the other as another type, array or pool: whatever comes of it is read or
    // refused.
    const random = new Random(seed);
    const names = Object.keys(STANDARD_TYPES);
    const whole = readJfr(retyped('jdk.ExecutionSample', STANDARD_TYPES['jdk.ExecutionSample'] as string));
    assert.deepEqual(whole, readJfr(CHUNK));
    for (let run = 0; run < 300; run++) {
      const name = random.pick(names.filter((each) => STANDARD_TYPES[each] !== ''));
      const fields = (STANDARD_TYPES[name] as string).split(', ');
      const at = random.below(fields.length);
      const [field = ''] = (fields[at] as string).split(':');
      fields[at] = `${field}: ${random.pick(names)}${random.pick(['', '#', '[]'])}`;
      const bytes = retyped(name, fields.join(', '));
      tryReader({ inputs: [bytes], read: (mutant) => readJfr(mutant), seed: seed + run, runs: 3 });
    }
  });
});

function outcome(read: () => Reading): Reading | string {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

/** The first drawn chunk, whose events and pools are as they were while its metadata say otherwise. */
function retyped(name: string, fields: string): Uint8Array {
  const metadata = jfrMetadata({ [name]: fields });
  const rest = CHUNK.subarray(HEADER_BYTES + jfrMetadata({}).length);
  const bytes = joinedBytes(CHUNK.subarray(0, HEADER_BYTES), metadata, rest);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(8, BigInt(bytes.length));
  view.setBigUint64(16, view.getBigUint64(16) + BigInt(bytes.length - CHUNK.length));
  return bytes;
}
