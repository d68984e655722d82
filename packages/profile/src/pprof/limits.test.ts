import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReadLimits } from '../limits.js';
import { FRAME_KINDS } from '../model.js';
import { NAMED, readDrawing } from '../testing/pprof-named.js';
import { onlyProfile, reasonsOf, refused } from '../testing/reading.js';
import { stacksOf } from '../testing/stack-drawing.js';

describe('limits', () => {
  const samples = [
    { stack: [3, 2, 1], values: [1] },
    { stack: [1], values: [2] },
  ];

  it('keeps the root side of a deep stack and marks the cut, each in its own place', () => {
    const stack = Array(5000).fill(2);
    const deep = [
      { stack: [...stack, 1], values: [3] },
      { stack: [...stack, 3], values: [4] },
    ];
    const reading = readDrawing({ ...NAMED, samples: deep });
    const profile = onlyProfile(reading);
    const lines = stacksOf(profile);
    assert.deepEqual(
      lines.map((line) => line.split(';').length),
      [4097, 4097],
    );
    assert.deepEqual(
      lines.map((line) => [line.split(';')[0], line.split(';').at(-1)]),
      [
        ['b', '[deeper frames cut] 4'],
        ['main', '[deeper frames cut] 3'],
      ],
    );
    assert.deepEqual(reasonsOf(reading), { depth_over_limit: 2 });
    const kinds = Array.from(
      profile.samples.node,
      (node) => profile.stacks.frames.kind[profile.stacks.nodes.frame[node] as number],
    );
    assert.deepEqual(
      kinds.map((kind) => FRAME_KINDS[kind as number]),
      ['marker', 'marker'],
    );
  });

  it('takes a stack as deep as the limit whole', () => {
    const reading = readDrawing({ ...NAMED, samples }, { depthMax: 3 });
    assert.deepEqual(reading.refusals, []);
    const cut = readDrawing({ ...NAMED, samples }, { depthMax: 2 });
    assert.deepEqual(stacksOf(onlyProfile(cut)), ['main 2', 'main;a;[deeper frames cut] 1']);
    assert.deepEqual(cut.refusals, [
      { reason: 'depth_over_limit', count: 1, first: 'stack of sample 0 has more than 2 frames' },
    ]);
  });

  it('cuts inside a location with many inlined lines', () => {
    const lines = Array.from({ length: 50 }, () => [2]);
    const locations = [
      { id: 1, lines: [[1]] },
      { id: 2, lines },
    ];
    const reading = readDrawing({ ...NAMED, locations, samples: [{ stack: [2, 1], values: [1] }] }, { depthMax: 4 });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['main;a;a;a;[deeper frames cut] 1']);
  });

  it('counts the depth on after inlined lines met before', () => {
    const locations = [
      { id: 1, lines: [[2], [2], [1]] },
      { id: 2, lines: [[3]] },
    ];
    const twice = [
      { stack: [1], values: [1] },
      { stack: [2, 2, 1], values: [2] },
    ];
    const reading = readDrawing({ ...NAMED, locations, samples: twice }, { depthMax: 4 });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['main;a;a 1', 'main;a;a;b;[deeper frames cut] 2']);
  });

  it('finds the root side of a stack of any length', () => {
    for (const length of [6, 7, 8, 9, 50, 51]) {
      const stack = [...Array(length - 3).fill(3), 2, 2, 1];
      const reading = readDrawing({ ...NAMED, samples: [{ stack, values: [1] }] }, { depthMax: 3 });
      assert.deepEqual(stacksOf(onlyProfile(reading)), ['main;a;a;[deeper frames cut] 1']);
    }
  });

  it('refuses the whole over the number of samples', () => {
    assert.throws(
      () => readDrawing({ ...NAMED, samples }, { samplesMax: 1 }),
      refused('samples_limit', /more than 1 samples/),
    );
    assert.equal(onlyProfile(readDrawing({ ...NAMED, samples }, { samplesMax: 2 })).samples.length, 2);
  });

  it('refuses the whole over the size of a table or of the stack tree', () => {
    const over = (limits: Partial<ReadLimits>, message: RegExp) =>
      assert.throws(() => readDrawing({ ...NAMED, samples }, limits), refused('profile_size_limit', message));
    over({ tableRowsMax: 2 }, /more than 2 locations/);
    over({ tableRowsMax: 3 }, /more than 3 strings/);
    over({ sampleTypesMax: 0 }, /more than 0 sample types/);
    over({ nodesMax: 2 }, /more than 2 nodes/);
  });

  it('answers at once to a small input that asks for 400 million nodes', () => {
    const lines = Array.from({ length: 4000 }, () => [2]);
    const locations = [{ id: 1, lines }, ...Array.from({ length: 300 }, (_, i) => ({ id: i + 2, lines: [[1, i]] }))];
    const blown = locations.slice(1).map(({ id }) => ({ stack: [1, id], values: [1] }));
    assert.throws(
      () => readDrawing({ ...NAMED, locations, samples: blown }, { nodesMax: 1_000_000 }),
      refused('profile_size_limit', /more than 1000000 nodes/),
    );
    const again = Array.from({ length: 20_000 }, () => ({ stack: [1, 2], values: [1] }));
    assert.equal(onlyProfile(readDrawing({ ...NAMED, locations, samples: again })).stacks.nodes.length, 4001);
  });

  it('cuts names at a whole character', () => {
    const functions = [
      { id: 1, name: 'ab🙂' },
      { id: 2, name: 'abcd' },
      { id: 3, name: 'ab' },
    ];
    const reading = readDrawing({ ...NAMED, functions, samples }, { nameBytesMax: 5 });
    assert.deepEqual(onlyProfile(reading).stacks.strings, ['', 'ab', 'abcd']);
    assert.deepEqual(reasonsOf(reading), { name_over_limit: 2 });
  });

  it('keeps samples without a stack under a marker', () => {
    const reading = readDrawing({ ...NAMED, samples: [{ stack: [], values: [3] }] });
    assert.deepEqual(stacksOf(onlyProfile(reading)), ['[no stack] 3']);
  });
});
