import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_READ_LIMITS, type ReadLimits } from '../limits.js';
import { type ChunkDrawing, jfrChunk } from '../testing/jfr-drawing.js';
import { labelsSnapshot } from '../testing/jfr-labels.js';
import { onlyProfile, reasonsOf, refused } from '../testing/reading.js';
import { stacksOf } from '../testing/stack-drawing.js';
import { readJfr } from './read.js';

const sample = (stackTrace: number, fields = {}) => ['jdk.ExecutionSample', { stackTrace, ...fields }] as const;

function read(drawing: ChunkDrawing, limits: Partial<ReadLimits>, labels?: Uint8Array) {
  const all = { ...DEFAULT_READ_LIMITS, ...limits };
  return readJfr(jfrChunk(drawing), labels === undefined ? { limits: all } : { limits: all, labels });
}

describe('readJfr within limits', () => {
  it('cuts a stack trace that is too deep at its leaf, with a mark', () => {
    const reading = read({ stacks: ['a;b;c;d', 'a;b;c'], events: [sample(1), sample(1), sample(2)] }, { depthMax: 3 });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['a;b;[deeper frames cut] 20000000', 'a;b;c 10000000']);
    assert.deepEqual(reasonsOf(reading), { depth_over_limit: 1 });
  });

  it('cuts a name that is too long', () => {
    const reading = read({ stacks: ['Main.main;abcdefghij;ö'], events: [sample(1)] }, { nameBytesMax: 9 });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['Main.main;abcdefghi;ö 10000000']);
    assert.deepEqual(reasonsOf(reading), { name_over_limit: 1 });
  });

  it('refuses too many samples, counted once equal ones are added up', () => {
    const drawing = { stacks: ['a', 'b', 'c'], events: [sample(1), sample(1), sample(1), sample(2)] };
    assert.equal(onlyProfile(read(drawing, { samplesMax: 2 })).samples.length, 2);
    const over = { ...drawing, events: [...drawing.events, sample(3)] };
    assert.throws(() => read(over, { samplesMax: 2 }), refused('samples_limit', /cpu profile has more than 2 samples/));
  });

  it('refuses too many nodes and too many rows of a pool', () => {
    const drawing = { stacks: ['a;b;c'], events: [sample(1)] };
    assert.throws(() => read(drawing, { nodesMax: 2 }), refused('profile_size_limit', /more than 2 stack nodes/));
    assert.throws(() => read(drawing, { tableRowsMax: 6 }), refused('profile_size_limit', /FrameType has more than 6/));
  });

  it('leaves out labels over a limit and counts them', () => {
    const labels = labelsSnapshot({ 1: { a: '1', b: 'long value', 'long name': '2', c: '3', d: '4' } });
    const drawing = { stacks: ['x'], events: [sample(1, { contextId: 1, spanId: 7 })] };
    const reading = read(drawing, { labelNamesMax: 3, labelNameBytesMax: 7, labelValueBytesMax: 16 }, labels);
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['x {a=1,b=long value,span_id=0000000000000007} 10000000']);
    assert.deepEqual(reasonsOf(reading), { label_size_limit: 1, label_names_limit: 2 });
    const narrow = read(drawing, { labelValueBytesMax: 2 }, labels);
    assert.deepEqual(reasonsOf(narrow), { label_size_limit: 2 });
  });

  it('refuses a value, and a sum, that no number holds exactly', () => {
    const lock = (duration: bigint) => ['jdk.JavaMonitorEnter', { stackTrace: 1, duration }] as const;
    const events = [lock(2n ** 53n), lock(-1n), lock(2n ** 53n - 2n), lock(1n), lock(1n), lock(0n)];
    const reading = read({ stacks: ['x'], events }, {});
    assert.deepEqual(stacksOf(onlyProfile(reading)), [`x 3 ${Number.MAX_SAFE_INTEGER}`]);
    assert.deepEqual(reasonsOf(reading), { value_over_limit: 2, negative_value: 1 });
    assert.match(reading.refusals[0]?.first ?? '', /duration of jdk.JavaMonitorEnter is 9007199254740992/);
  });

  it('refuses a span of ticks that is too many nanoseconds', () => {
    const events = [['jdk.CPUTimeSample', { stackTrace: 1, samplingPeriod: 2n ** 52n }] as const, sample(1)];
    const reading = read({ stacks: ['x'], ticksPerSecond: 1000n, events }, {});
    assert.deepEqual(reading.profiles, []);
    assert.deepEqual(reasonsOf(reading), { value_over_limit: 1 });
  });

  it('refuses more chunks, metadata and labels than any recording has', () => {
    const chunk = jfrChunk({});
    const bytes = new Uint8Array(chunk.length * 20_001);
    for (let i = 0; i <= 20_000; i++) bytes.set(chunk.subarray(0, 68), i * chunk.length);
    assert.throws(() => readJfr(bytes), refused('profile_size_limit', /more than 20000 chunks/));

    const types = { 'pl.Wide': Array.from({ length: 200_000 }, () => 'f: int').join(', ') };
    assert.throws(() => readJfr(jfrChunk({ types })), refused('profile_size_limit', /more than 200000 elements/));

    const context = Object.fromEntries(Array.from({ length: 100_001 }, (_, i) => [`n${i}`, '']));
    assert.throws(
      () => read({}, {}, labelsSnapshot({ 1: context })),
      refused('profile_size_limit', /labels have more than 200000 rows/),
    );
  });

  it('refuses names that few bytes blow up', () => {
    // 600 methods of three bytes, each with a class of 64 KB, and then each once more as a raw name.
    const long = `${'x'.repeat(60_000)}$$Lambda$1`;
    const methods = Array.from({ length: 600 }, (_, i) => [i + 1, [1, i + 2, 0, 0, 0]] as const);
    const drawing: ChunkDrawing = {
      events: [sample(1)],
      checkpoints: [
        [
          { type: 'jdk.types.Symbol', entries: [[1, [long]], ...methods.map(([n]) => [n + 1, [`m${n}`]] as const)] },
          { type: 'java.lang.Class', entries: [[1, [0, 1, 0, 0]]] },
          { type: 'jdk.types.Method', entries: methods },
          { type: 'jdk.types.StackTrace', entries: [[1, [false, methods.map(([n]) => [n, 0, 0, 1])]]] },
        ],
      ],
    };
    assert.throws(
      () => read(drawing, {}),
      refused('profile_size_limit', /names and labels take more than \d+ letters/),
    );
  });
});
