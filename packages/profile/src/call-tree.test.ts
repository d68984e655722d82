import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { callTree, callTreeFromParents, mergeCallTrees } from './call-tree.js';
import { PilotlightError } from './errors.js';
import { arbitrarySamples, profileOf } from './testing/arbitrary-profile.js';
import { profileFromStacks, totalsOf } from './testing/stack-drawing.js';
import { drawnTree } from './testing/tree-drawing.js';

const TWO = [
  { type: 'samples', unit: 'count' },
  { type: 'cpu', unit: 'nanoseconds' },
];

describe('callTree', () => {
  it('merges by function name, whatever the line, with siblings in name order', () => {
    const tree = callTree(profileFromStacks('main;b:1 1\nmain:7;b:2;x 2\nmain;a 3\nmain 4'), 0);
    assert.deepEqual(drawnTree(tree), ['total 0/10', '. main 4/10', '. . a 3/3', '. . b 1/3', '. . . x 2/2']);
    assert.deepEqual([...tree.parent], [-1, 0, 1, 1, 3]);
  });

  it('orders names by code unit', () => {
    const tree = callTree(profileFromStacks('é 1\nb 1\nB 1\n🙂 1\n 1'), 0);
    assert.deepEqual(
      [...tree.name].map((name) => tree.names[name]),
      ['total', '', 'B', 'b', 'é', '🙂'],
    );
  });

  it('takes the value asked for, and leaves out what has none of it', () => {
    const profile = profileFromStacks('a;b 5 0\na;c 0 7', TWO);
    assert.deepEqual(drawnTree(callTree(profile, 0)), ['total 0/5', '. a 0/5', '. . b 5/5']);
    assert.deepEqual(drawnTree(callTree(profile, 1)), ['total 0/7', '. a 0/7', '. . c 7/7']);
    assert.throws(() => callTree(profile, 2), /no sample type 2 of 2/);
  });

  it('keeps values that add up to nothing above them', () => {
    const tree = callTree(profileFromStacks('a;b 5\na;c -5'), 0);
    assert.deepEqual(drawnTree(tree), ['total 0/0', '. a 0/0', '. . b 5/5', '. . c -5/-5']);
  });

  it('keeps a function called "total" apart from the root', () => {
    const tree = callTree(profileFromStacks('total;total 2'), 0);
    assert.deepEqual(drawnTree(tree), ['total 0/2', '. total 0/2', '. . total 2/2']);
    assert.notEqual(tree.name[1], tree.name[0]);
  });

  it('does not recurse: a chain of 100,000 frames', () => {
    const length = 100_000;
    const parent = Int32Array.from({ length }, (_, i) => i - 1);
    const self = new Float64Array(length);
    self[length - 1] = 3;
    const tree = callTreeFromParents({ names: ['f'], name: new Int32Array(length), parent, self });
    assert.equal(tree.length, length + 1);
    assert.equal(tree.depth[length], length);
    assert.equal(tree.total[0], 3);
  });

  it('of no samples is the root alone', () => {
    assert.deepEqual(drawnTree(callTree(profileFromStacks(''), 0)), ['total 0/0']);
  });

  it('is the same whatever the order of the samples, and keeps the total', () => {
    fc.assert(
      fc.property(arbitrarySamples, fc.infiniteStream(fc.nat()), (samples, numbers) => {
        const shuffled = samples
          .map((sample) => ({ sample, key: numbers.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ sample }) => sample);
        const profile = profileOf(samples);
        for (const value of [0, 1]) {
          const tree = callTree(profile, value);
          assert.deepEqual(callTree(profileOf(shuffled), value), tree);
          assert.equal(tree.total[0], totalsOf(profile)[value]);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('callTreeFromParents', () => {
  const names = ['a', 'b', 'c'];

  it('takes rows in any order and several rows for one node', () => {
    const tree = callTreeFromParents({
      names,
      name: Int32Array.of(2, 1, 0, 0, 1),
      parent: Int32Array.of(1, 2, -1, -1, 3),
      self: [1, 2, 4, 8, 16],
    });
    assert.deepEqual(drawnTree(tree), ['total 0/31', '. a 12/31', '. . b 18/19', '. . . c 1/1']);
  });

  it('takes equal names with different indexes for one', () => {
    const table = { names: ['a', 'a'], name: Int32Array.of(0, 1), parent: Int32Array.of(-1, -1), self: [1, 2] };
    assert.deepEqual(drawnTree(callTreeFromParents(table)), ['total 0/3', '. a 3/3']);
  });

  it('uses only the first `length` rows', () => {
    const table = { names, name: Int32Array.of(0, 1), parent: Int32Array.of(-1, 7), self: [1, 2], length: 1 };
    assert.deepEqual(drawnTree(callTreeFromParents(table)), ['total 0/1', '. a 1/1']);
  });

  it('refuses a cycle', () => {
    const table = { names, name: Int32Array.of(0, 1, 2), parent: Int32Array.of(-1, 2, 1), self: [1, 1, 1] };
    assert.throws(
      () => callTreeFromParents(table),
      (error) => error instanceof PilotlightError && /2 of 3 nodes are their own ancestors/.test(error.message),
    );
  });
});

describe('mergeCallTrees', () => {
  it('adds node by node', () => {
    const left = callTree(profileFromStacks('m;a 5\nm;b 1'), 0);
    const right = callTree(profileFromStacks('m;b 2\nm 3\nz 4'), 0);
    assert.deepEqual(drawnTree(mergeCallTrees([left, right])), [
      'total 0/15',
      '. m 3/11',
      '. . a 5/5',
      '. . b 3/3',
      '. z 4/4',
    ]);
    assert.deepEqual(drawnTree(mergeCallTrees([])), ['total 0/0']);
  });

  it('gives the tree of all samples together, in any order', () => {
    fc.assert(
      fc.property(fc.array(arbitrarySamples, { maxLength: 4 }), (parts) => {
        const whole = callTree(profileOf(parts.flat()), 1);
        const trees = parts.map((samples) => callTree(profileOf(samples), 1));
        assert.deepEqual(mergeCallTrees(trees), whole);
        assert.deepEqual(mergeCallTrees(trees.reverse()), whole);
      }),
      { numRuns: 40 },
    );
  });
});
