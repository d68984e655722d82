import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_READ_LIMITS } from '../limits.js';
import { jfrChunk } from '../testing/jfr-drawing.js';
import { inflatedTestData } from '../testing/jfr-recordings.js';
import { joinedBytes } from '../testing/pprof-drawing.js';
import { reasonsOf } from '../testing/reading.js';
import { JfrNames } from './known-names.js';
import { readJfr } from './read.js';

const drawn = (...stacks: string[]) =>
  jfrChunk({ stacks, events: stacks.map((_, i) => ['jdk.ExecutionSample', { stackTrace: i + 1 }] as const) });

describe('readings that keep names', () => {
  const recordings = [
    drawn('Main.main;App$$Lambda$1/0x123.run', 'Main.main:3;x'),
    drawn('x;Main.main', 'Größe.大小', 'App$$Lambda$1/0x123.run'),
    drawn('Main.main;App$$Lambda$1/0x123.run', 'Größe.大小;no_Java_frame', 'App$$Lambda$2/0x456.run'),
  ];

  it('are those that keep none', () => {
    const names = new JfrNames();
    for (const bytes of [...recordings, ...recordings.toReversed(), joinedBytes(...recordings)]) {
      assert.deepEqual(readJfr(bytes, { names }), readJfr(bytes));
    }
  });

  it('are so for real recordings too', (t) => {
    const names = new JfrNames();
    const files = ['example', 'generated/jdk25-cputime-allocsample', 'FastSlow_2024_01_16_180855', 'example', 'dump2'];
    for (const name of files) {
      const bytes = inflatedTestData(t, `jfr/${name}.jfr.gz`);
      if (bytes === undefined) return;
      assert.deepEqual(readJfr(bytes, { names }), readJfr(bytes), name);
    }
  });

  it('count the names they cut each time, whatever limit the reading before had', () => {
    const names = new JfrNames();
    for (const nameBytesMax of [3, 3, 5, 3, 100]) {
      const limits = { ...DEFAULT_READ_LIMITS, nameBytesMax };
      for (const bytes of recordings) {
        assert.deepEqual(readJfr(bytes, { limits, names }), readJfr(bytes, { limits }));
      }
    }
    const limits = { ...DEFAULT_READ_LIMITS, nameBytesMax: 3 };
    assert.deepEqual(reasonsOf(readJfr(drawn('abcd', 'abc'), { limits, names })), { name_over_limit: 1 });
  });

  it('go on after one that was refused or damaged', () => {
    const names = new JfrNames();
    const [first, second, third] = recordings as [Uint8Array, Uint8Array, Uint8Array];
    readJfr(first, { names });
    assert.throws(() => readJfr(second, { limits: { ...DEFAULT_READ_LIMITS, nodesMax: 1 }, names }));
    assert.throws(() => readJfr(second.subarray(0, 100), { names }));
    assert.deepEqual(readJfr(third, { names }), readJfr(third));
  });

  it('forget names once there are too many', () => {
    const names = new JfrNames();
    const many = (from: number) =>
      drawn(Array.from({ length: 4000 }, (_, i) => `${'x'.repeat(900)}${from + i}.y`).join(';'));
    for (let i = 0; i < 5; i++) readJfr(many(i * 4000), { names });
    const kept = names.take(DEFAULT_READ_LIMITS.nameBytesMax);
    assert.ok(kept.length >= 4000 && kept.length < 4 * 4000, `${kept.length} names are kept`);
  });
});
