import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JfrBytes } from '../testing/jfr-bytes.js';
import { type ChunkDrawing, jfrChunk, rawEvent } from '../testing/jfr-drawing.js';
import { joinedBytes } from '../testing/pprof-drawing.js';
import { onlyProfile, reasonsOf, refused } from '../testing/reading.js';
import { stacksOf } from '../testing/stack-drawing.js';
import { readJfr } from './read.js';

const MILLIS_10 = 10_000_000;
const ONE: ChunkDrawing = {
  stacks: ['Main.main;Main.work'],
  events: [['jdk.ExecutionSample', { stackTrace: 1 }]],
};
const ONE_STACK = [`Main.main;Main.work ${MILLIS_10}`];

// The ids are those of the list of real bug reports that these cases come from.
describe('readJfr, bug J1: keys of 64 bits', () => {
  it('keeps keys above 32 bits and passes over a pool that nobody needs', () => {
    const chunk = jfrChunk({
      ...ONE,
      key: (n) => 2n ** 33n + BigInt(n),
      events: [['jdk.ExecutionSample', { stackTrace: 2n ** 33n + 1n }]],
      types: { 'jdk.types.DeoptimizationReason': 'reason: java.lang.String' },
      checkpoints: [[{ type: 'jdk.types.DeoptimizationReason', entries: [[2n ** 32n + 1n, ['null_check']]] }]],
    });
    assert.deepEqual(stacksOf(onlyProfile(readJfr(chunk))), ONE_STACK);
  });

  it('tells keys apart that are equal in their low 32 bits, or in the 53 bits of a number', () => {
    const keys = [1n, 2n ** 32n + 1n, 2n ** 63n + 1n, 2n ** 63n + 2n, 2n ** 64n - 1n];
    const chunk = jfrChunk({
      stacks: keys.map((_, i) => `Main.call${i}`),
      key: (n) => keys[n - 1] ?? n,
      events: keys.map((key) => ['jdk.ExecutionSample', { stackTrace: key }]),
    });
    assert.deepEqual(
      stacksOf(onlyProfile(readJfr(chunk))),
      keys.map((_, i) => `Main.call${i} ${MILLIS_10}`),
    );
  });
});

describe('readJfr, bug J3: sizes that lead nowhere', () => {
  const sample: ChunkDrawing['events'] = [['jdk.ExecutionSample', { stackTrace: 1 }]];
  const damaged = (bytes: Uint8Array) => jfrChunk({ ...ONE, events: [...sample, bytes, ...sample] });

  for (const [name, bytes, message] of [
    ['a zero byte where an event should begin', Uint8Array.of(0), /chunk 1, offset \d+: expected an event .* size 0/],
    ['a size smaller than its own header', Uint8Array.of(1), /chunk 1, offset \d+: expected an event .* size 1/],
    ['a size past the end', new JfrBytes().varint(2n ** 40n).finish(), /offset \d+: .* found size 1099511627776/],
  ] as const) {
    it(`keeps the samples before ${name}, and says where it was`, () => {
      const reading = readJfr(damaged(bytes));
      assert.deepEqual(stacksOf(onlyProfile(reading)), ONE_STACK);
      assert.deepEqual(reasonsOf(reading), { damaged_chunk: 1 });
      assert.match(reading.refusals[0]?.first ?? '', message);
    });
  }

  it('refuses a recording that has nothing before the damage', () => {
    const chunk = jfrChunk({ ...ONE, events: [Uint8Array.of(0)] });
    assert.throws(() => readJfr(chunk), refused('malformed_profile', /chunk 1, offset \d+: expected an event/));
  });

  it('keeps the chunk before a broken magic', () => {
    const second = jfrChunk(ONE);
    second[0] = 0x47;
    const first = jfrChunk(ONE);
    const reading = readJfr(joinedBytes(first, second));
    assert.deepEqual(stacksOf(onlyProfile(reading)), ONE_STACK);
    assert.deepEqual(reasonsOf(reading), { unfinished_chunk: 1 });
    assert.match(reading.refusals[0]?.first ?? '', new RegExp(`chunk 2, offset ${first.length}: expected a chunk`));
  });

  it('goes on behind a chunk whose content is damaged, since its size is known', () => {
    const broken = jfrChunk({ ...ONE, header: (view) => view.setBigUint64(24, 70n) });
    const reading = readJfr(joinedBytes(broken, jfrChunk(ONE)));
    assert.deepEqual(stacksOf(onlyProfile(reading)), ONE_STACK);
    assert.deepEqual(reasonsOf(reading), { damaged_chunk: 1 });
  });

  it('takes a whole chunk without samples for a reading, whatever else is damaged', () => {
    const old = jfrChunk({ header: (view) => view.setUint16(4, 1) });
    const reading = readJfr(joinedBytes(old, jfrChunk({})));
    assert.deepEqual([reading.profiles, reasonsOf(reading)], [[], { damaged_chunk: 1 }]);
    assert.match(reading.refusals[0]?.first ?? '', /chunk 1, offset 4: expected JFR version 2/);
  });

  it('does not follow a chain of checkpoints that goes forward or out of the chunk', () => {
    for (const delta of [8n, -1_000_000n, 2n ** 63n]) {
      const pools = new JfrBytes().varint(1).varint(0).varint(0).varint(delta).byte(0).varint(0).asEvent();
      const chunk = jfrChunk({ ...ONE, events: [pools] });
      const at = Buffer.from(chunk).indexOf(pools);
      new DataView(chunk.buffer).setBigUint64(16, BigInt(at));
      assert.throws(() => readJfr(chunk), refused('malformed_profile', /the checkpoint names .* as the one before it/));
    }
  });
});

describe('readJfr, bug J5: pools without content', () => {
  it('takes a string pool of one empty string, and a pool of no element', () => {
    const standIn = jfrChunk({
      ...ONE,
      checkpoints: [[{ type: 'java.lang.String', entries: [[0, new Uint8Array([1])]] }]],
    });
    assert.deepEqual(stacksOf(onlyProfile(readJfr(standIn))), ONE_STACK);
    assert.deepEqual(readJfr(jfrChunk({})), { profiles: [], refusals: [] });
    assert.deepEqual(stacksOf(onlyProfile(readJfr(joinedBytes(standIn, jfrChunk({}))))), ONE_STACK);
  });
});

describe('readJfr, bug J7: chunks that were never finished', () => {
  const unfinished = jfrChunk({
    header: (view) => {
      for (const at of [8, 16, 24]) view.setBigUint64(at, 0n);
    },
  });
  // What async-profiler leaves when the JVM dies.
  const growing = jfrChunk({
    header: (view) => {
      view.setBigUint64(8, 2n ** 30n);
      for (const at of [16, 24]) view.setBigUint64(at, 0n);
    },
  });

  it('are refused alone', () => {
    for (const bytes of [unfinished, growing, unfinished.subarray(0, 67), new Uint8Array(), Uint8Array.of(0x46)]) {
      assert.throws(() => readJfr(bytes), refused('malformed_profile', /^no finished chunk/));
    }
  });

  it('are told beside the finished ones', () => {
    const cut = jfrChunk(ONE).subarray(0, -1);
    for (const rest of [unfinished, growing, unfinished.subarray(0, 67), cut]) {
      const reading = readJfr(joinedBytes(jfrChunk(ONE), rest));
      assert.deepEqual(stacksOf(onlyProfile(reading)), ONE_STACK);
      assert.deepEqual(reasonsOf(reading), { unfinished_chunk: 1 });
    }
  });
});

describe('readJfr, bug J9: lengths that are not what they say', () => {
  it('reads past an event of 300 kB', () => {
    const chunk = jfrChunk({
      ...ONE,
      types: { 'pl.Text': 'startTime: long, text: java.lang.String' },
      events: [
        ['pl.Text', { text: 'x'.repeat(300_000) }],
        ['jdk.ExecutionSample', { stackTrace: 1 }],
      ],
    });
    assert.deepEqual(stacksOf(onlyProfile(readJfr(chunk))), ONE_STACK);
  });

  it('refuses a count that cannot fit before it allocates anything', () => {
    const frames = new JfrBytes().byte(0).varint(2_147_483_647).raw(new Uint8Array(10)).finish();
    const chunk = jfrChunk({
      ...ONE,
      checkpoints: [[{ type: 'jdk.types.StackTrace', entries: [[9, frames]] }]],
    });
    assert.throws(
      () => readJfr(chunk),
      refused('malformed_profile', /chunk 1, offset \d+: frames announces 2147483647 elements of at least 4 bytes/),
    );
  });

  it('refuses as many elements of no bytes', () => {
    // Each would take no byte, so any count fits; reading them would take for ever.
    const types = {
      'jdk.types.Empty': '',
      'jdk.types.StackTrace': 'truncated: boolean, frames: jdk.types.Empty[]',
    };
    const frames = new JfrBytes()
      .byte(0)
      .varint(2n ** 50n)
      .finish();
    const chunk = jfrChunk({
      ...ONE,
      stacks: [],
      types,
      checkpoints: [[{ type: 'jdk.types.StackTrace', entries: [[1, frames]] }]],
    });
    assert.deepEqual(stacksOf(onlyProfile(readJfr(chunk))), [`[no stack] ${MILLIS_10}`]);
  });

  it('takes no time for fields of no bytes', () => {
    // Passing over 100,000 empty fields for each of 20,000 elements would take minutes.
    const empty = Array.from({ length: 100_000 }, (_, i) => `f${i}: pl.Empty`).join(', ');
    const types = { 'pl.Empty': '', 'pl.Wide': `${empty}, end: byte`, 'pl.Event': 'startTime: long, wide: pl.Wide[]' };
    const wide = new JfrBytes().varint(20_000).raw(new Uint8Array(20_000)).finish();
    const chunk = jfrChunk({
      ...ONE,
      types,
      checkpoints: [[{ type: 'pl.Event', entries: [[1, joinedBytes(Uint8Array.of(0), wide)]] }]],
    });
    assert.deepEqual(stacksOf(onlyProfile(readJfr(chunk))), ONE_STACK);
  });

  it('reads no byte twice for checkpoints that overlap', () => {
    // The one before reaches over the one after it, so that a long chain could have all of its bytes read for each
    // link.
    const empty = (delta: number) => new JfrBytes().varint(1).varint(0).varint(0).varint(delta).byte(0).varint(0);
    const distance = 1 + empty(0).length;
    const outer = empty(0).raw(empty(-distance).asEvent()).asEvent();
    const chunk = jfrChunk({ ...ONE, events: [outer] });
    const at = Buffer.from(chunk).indexOf(outer) + distance;
    new DataView(chunk.buffer).setBigUint64(16, BigInt(at));
    const message = new RegExp(
      `offset ${at - distance}: expected a checkpoint, found an event of size ${outer.length}`,
    );
    assert.throws(() => readJfr(chunk), refused('malformed_profile', message));
  });

  it('does not follow types that contain themselves, or that are not defined', () => {
    for (const types of [{ 'pl.Loop': 'again: pl.Loop' }, { 'pl.Loop': 'lost: 777' }]) {
      const chunk = jfrChunk({ ...ONE, types, checkpoints: [[{ type: 'pl.Loop', entries: [[1, Uint8Array.of(0)]] }]] });
      assert.throws(() => readJfr(chunk), refused('malformed_profile', /entries of the pool of pl.Loop/));
    }
  });

  it('passes over events of unknown types by their size, whatever the length of size and type', () => {
    for (const typeBytes of [2, 5, 9]) {
      const unknown = rawEvent(9999, new Uint8Array(200), typeBytes);
      const chunk = jfrChunk({ ...ONE, events: [unknown, ['jdk.ExecutionSample', { stackTrace: 1 }], unknown] });
      const reading = readJfr(chunk);
      assert.deepEqual(stacksOf(onlyProfile(reading)), ONE_STACK);
      assert.deepEqual(reading.refusals, []);
    }
  });

  it('counts a pool of a type that is not defined, and keeps the pools before it', () => {
    const undefinedPool = { type: '7777', entries: [[1, Uint8Array.of(1, 2, 3)]] } as const;
    const reading = readJfr(jfrChunk({ ...ONE, checkpoints: [[undefinedPool]] }));
    assert.deepEqual(stacksOf(onlyProfile(reading)), ONE_STACK);
    assert.deepEqual(reasonsOf(reading), { undefined_pool_type: 1 });
  });

  it('lets an event whose fields go past its end cost only itself', () => {
    const short = jfrChunk(ONE);
    const chunk = jfrChunk({
      ...ONE,
      types: {
        'jdk.JavaMonitorEnter':
          'startTime: long, stackTrace: jdk.types.StackTrace#, text: java.lang.String, duration: long',
      },
      events: [
        ['jdk.JavaMonitorEnter', { stackTrace: 1, text: Uint8Array.of(3, 100), duration: 5 }],
        ['jdk.ExecutionSample', { stackTrace: 1 }],
      ],
    });
    assert.ok(chunk.length > short.length);
    const reading = readJfr(chunk);
    assert.deepEqual(stacksOf(onlyProfile(reading)), ONE_STACK);
    assert.deepEqual(reasonsOf(reading), { malformed_event: 1 });
  });
});
