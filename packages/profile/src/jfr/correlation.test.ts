import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DrawnValue, jfrChunk } from '../testing/jfr-drawing.js';
import { labelsSnapshot } from '../testing/jfr-labels.js';
import { joinedBytes } from '../testing/pprof-drawing.js';
import { onlyProfile, refused } from '../testing/reading.js';
import { stacksOf } from '../testing/stack-drawing.js';
import { readJfr } from './read.js';

const LABELS = labelsSnapshot({ 7: { thread: 'one', span_id: 'mine' }, [String(2n ** 63n)]: { thread: 'far' } }, [
  'GET /',
]);

function stacks(events: readonly Record<string, DrawnValue>[], labels?: Uint8Array): string[] {
  const chunk = jfrChunk({
    stacks: ['x'],
    events: events.map((fields) => ['jdk.ExecutionSample', { stackTrace: 1, ...fields }]),
  });
  return stacksOf(onlyProfile(readJfr(chunk, labels === undefined ? {} : { labels })));
}

describe('the labels of a sample', () => {
  it('come from its context, which its own span id outranks', () => {
    assert.deepEqual(stacks([{ contextId: 7 }, { contextId: 7, spanId: 255 }], LABELS), [
      'x {span_id=00000000000000ff,thread=one} 10000000',
      'x {span_id=mine,thread=one} 10000000',
    ]);
  });

  it('have ids of 64 bits, exact', () => {
    const spanId = 2n ** 64n - 1n;
    assert.deepEqual(stacks([{ spanId }, { spanId: spanId - 1n }, { contextId: 2n ** 63n }], LABELS), [
      'x {span_id=fffffffffffffffe} 10000000',
      'x {span_id=ffffffffffffffff} 10000000',
      'x {thread=far} 10000000',
    ]);
    assert.deepEqual(stacks([{ traceIdLo: 1 }, { traceIdHi: 1n << 63n }]), [
      'x {trace_id=00000000000000000000000000000001} 10000000',
      'x {trace_id=80000000000000000000000000000000} 10000000',
    ]);
  });

  it('are none without a snapshot, in a forgotten context, or of an unknown name', () => {
    const events = [{ contextId: 7 }, { contextId: 8 }, { spanName: 99 }, {}];
    assert.deepEqual(stacks(events.slice(1), LABELS), ['x 30000000']);
    assert.deepEqual(stacks(events), ['x 40000000']);
    assert.deepEqual(stacks([{ spanName: 1 }], LABELS), ['x {span_name=GET /} 10000000']);
  });
});

describe('a labels snapshot', () => {
  it('of damaged bytes is refused', () => {
    const bad: [Uint8Array, RegExp][] = [
      [Uint8Array.of(0x0a, 0x80), /inside a number/],
      [Uint8Array.of(0x0a, 5, 1), /announce 5 bytes, 1 are left/],
      [Uint8Array.of(0x0b), /wire type 3/],
      [new Uint8Array(11).fill(0xff), /more than 10 bytes/],
    ];
    for (const [bytes, message] of bad) assert.throws(() => stacks([{}], bytes), refused('malformed_profile', message));
  });

  it('may have fields that nobody knows', () => {
    const unknown = Uint8Array.of(0x18, 1, 0x21, 1, 2, 3, 4, 5, 6, 7, 8, 0x2d, 1, 2, 3, 4);
    assert.deepEqual(stacks([{ contextId: 7 }], joinedBytes(unknown, LABELS)), stacks([{ contextId: 7 }], LABELS));
  });
});
