import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CPU, readDrawing } from '../testing/pprof-named.js';
import { onlyProfile, reasonsOf } from '../testing/reading.js';
import { stacksOf } from '../testing/stack-drawing.js';

describe('drop_frames', () => {
  const drawing = {
    types: CPU,
    locations: ['main', 'malloc', 'a', 'tc_malloc', 'b'].map((_, i) => ({ id: i + 1, lines: [[i + 1]] })),
    functions: ['main', 'malloc', 'a', 'tc_malloc', 'b'].map((name, i) => ({ id: i + 1, name })),
    samples: [
      { stack: [3, 2, 1], values: [1] },
      { stack: [5, 4, 3, 1], values: [2] },
      { stack: [5, 2], values: [4] },
      { stack: [2], values: [8] },
    ],
  };
  const stacksWith = (patterns: { dropFrames?: string; keepFrames?: string }) => {
    const reading = readDrawing({ ...drawing, ...patterns });
    return [stacksOf(onlyProfile(reading)), reasonsOf(reading)];
  };
  const whole = ['main;a;tc_malloc;b 2', 'main;malloc;a 1', 'malloc 8', 'malloc;b 4'];

  it('takes a matching frame away with what it called, but not before another frame', () => {
    assert.deepEqual(stacksWith({ dropFrames: 'malloc|tc_.*' }), [
      ['main 1', 'main;a 2', 'malloc 8', 'malloc;b 4'],
      {},
    ]);
  });

  it('leaves what keep_frames matches', () => {
    assert.deepEqual(stacksWith({ dropFrames: '.*malloc', keepFrames: 'tc_.*' }), [
      ['main 1', 'main;a;tc_malloc;b 2', 'malloc 8', 'malloc;b 4'],
      {},
    ]);
  });

  it('is not applied, and counted, where the pattern is not supported', () => {
    assert.deepEqual(stacksWith({}), [whole, {}]);
    assert.deepEqual(stacksWith({ dropFrames: '(a+)+$' }), [whole, { drop_frames: 1 }]);
    assert.deepEqual(stacksWith({ dropFrames: 'a', keepFrames: '[' }), [whole, { drop_frames: 1 }]);
  });

  it('is not applied in part when matching takes too long', () => {
    const names = Array.from({ length: 300 }, (_, i) => `${i}${'a'.repeat(4000)}`);
    const reading = readDrawing({
      types: CPU,
      functions: names.map((name, i) => ({ id: i + 1, name })),
      locations: names.map((_, i) => ({ id: i + 1, lines: [[i + 1]] })),
      samples: [{ stack: [1, 2], values: [1] }],
      dropFrames: `${'a'.repeat(500)}|.*${'a'.repeat(900)}b`,
    });
    assert.deepEqual(reasonsOf(reading), { drop_frames: 1 });
    assert.equal(onlyProfile(reading).stacks.nodes.length, 2);
  });
});
