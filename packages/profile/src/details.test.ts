import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DetailTableBuilder, detailsOfLabels } from './details.js';
import { profileFromStacks } from './testing/stack-drawing.js';

describe('DetailTableBuilder', () => {
  it('adds up rows that differ in nothing but a time within the same second', () => {
    const builder = new DetailTableBuilder(2);
    const row = { node: 3, labelSet: 0, timeOffsetMs: 1_100, thread: builder.string('t'), spanName: 0, traceId: 0 };
    builder.add({ ...row, spanId: 5n }, [1, 10]);
    builder.add({ ...row, spanId: 5n, timeOffsetMs: 1_900 }, [2, 20]);
    builder.add({ ...row, spanId: 5n, timeOffsetMs: 2_000 }, [4, 40]);
    builder.add({ ...row, spanId: 2n ** 64n - 1n }, [8, 80]);
    builder.add({ ...row, spanId: 5n, thread: 0 }, [16, 160]);
    assert.equal(builder.add({ ...row, spanId: 5n }, [0, Number.MAX_SAFE_INTEGER]), false);
    const { length, values, timeOffsetMs, spanId, thread, strings } = builder.finish();
    assert.equal(length, 4);
    assert.deepEqual(
      values.map((column) => [...column]),
      [
        [3, 4, 8, 16],
        [30, 40, 80, 160],
      ],
    );
    assert.deepEqual([...timeOffsetMs], [1_100, 2_000, 1_100, 1_100]);
    assert.deepEqual([...spanId], [5n, 5n, 2n ** 64n - 1n, 5n]);
    assert.deepEqual(
      [...thread].map((index) => strings[index]),
      ['t', 't', 't', ''],
    );
  });
});

describe('detailsOfLabels', () => {
  it('has a row for each sample whose labels tell of it', () => {
    const details = detailsOfLabels(
      profileFromStacks('main;a {thread=one,span_id=00000000000000ff} 5\nmain;a {thread_name=two} 7\nmain {pod=p} 9'),
    );
    assert.ok(details !== undefined);
    assert.deepEqual([...(details.values[0] ?? [])].sort(), [5, 7]);
    assert.deepEqual([...details.thread].map((index) => details.strings[index]).sort(), ['one', 'two']);
    assert.deepEqual([...details.spanId].sort(), [0n, 255n]);
  });

  it('is nothing when no label tells of a sample', () => {
    assert.equal(detailsOfLabels(profileFromStacks('main;a {pod=p} 5\nmain 1')), undefined);
  });
});
