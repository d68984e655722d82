import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { callTree } from './call-tree.js';
import { cutCallTree } from './cut-call-tree.js';
import { PilotlightError } from './errors.js';
import { type Flamebearer, fromFlamebearer, toFlamebearer } from './flamebearer.js';
import { arbitrarySamples, profileOf } from './testing/arbitrary-profile.js';
import { profileFromStacks } from './testing/stack-drawing.js';
import { drawnTree } from './testing/tree-drawing.js';

const treeOf = (stacks: string) => callTree(profileFromStacks(stacks), 0);

describe('toFlamebearer', () => {
  it('has four numbers a bar, gaps to the bar before, self on the left, names numbered from the last child on', () => {
    // ┌──────────────── total 10 ────────────────┐
    // │a 6 (self 1)            │c 4 (self 2)     │
    // │ │b 5                   │  │b 2           │
    assert.deepEqual(toFlamebearer(treeOf('a;b 5\na 1\nc;b 2\nc 2')), {
      names: ['total', 'c', 'b', 'a'],
      levels: [
        [0, 10, 0, 0],
        [0, 6, 1, 3, 0, 4, 2, 1],
        [1, 5, 5, 2, 2, 2, 2, 2],
      ],
      total: 10,
      maxSelf: 5,
    });
  });

  it('puts "other" on the right', () => {
    assert.deepEqual(toFlamebearer(cutCallTree(treeOf('a 9\nz 5\nb 1'), 2)), {
      names: ['total', 'other', 'z', 'a'],
      levels: [
        [0, 15, 0, 0],
        [0, 9, 9, 3, 0, 5, 5, 2, 0, 1, 1, 1],
      ],
      total: 15,
      maxSelf: 9,
    });
  });

  it('gives a function called "total" the number of the root', () => {
    assert.deepEqual(toFlamebearer(treeOf('a;total 3')), {
      names: ['total', 'a'],
      levels: [
        [0, 3, 0, 0],
        [0, 3, 0, 1],
        [0, 3, 3, 0],
      ],
      total: 3,
      maxSelf: 3,
    });
  });

  it('of nothing is a root of 0', () => {
    assert.deepEqual(toFlamebearer(treeOf('')), { names: ['total'], levels: [[0, 0, 0, 0]], total: 0, maxSelf: 0 });
  });

  it('has no negative width, and no bar wider than its parent', () => {
    const { levels, total } = toFlamebearer(treeOf('main;a 100\nmain;b -40\nmain;b;c 10'));
    assert.equal(total, 110);
    assert.deepEqual(levels, [
      [0, 110, 0, 0],
      [0, 110, 0, 1],
      [0, 100, 100, 4, 0, 10, 0, 2],
      [100, 10, 10, 3],
    ]);
  });

  it('draws 3,000 frames of one chain', () => {
    const { levels } = toFlamebearer(treeOf(`${Array(3000).fill('f').join(';')} 7`));
    assert.equal(levels.length, 3001);
    assert.deepEqual(levels[3000], [0, 7, 7, 1]);
  });
});

describe('fromFlamebearer', () => {
  it('gives back the same flamebearer', () => {
    fc.assert(
      fc.property(arbitrarySamples, fc.integer({ min: 1, max: 40 }), (samples, maxNodes) => {
        const flamebearer = toFlamebearer(cutCallTree(callTree(profileOf(samples), 1), maxNodes));
        assert.deepEqual(toFlamebearer(fromFlamebearer(flamebearer)), flamebearer);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the order of siblings and the self value of the root', () => {
    const tree = fromFlamebearer({
      names: ['total', 'b', 'a'],
      levels: [
        [0, 10, 1, 0],
        [1, 4, 4, 1, 0, 5, 5, 2],
      ],
      total: 10,
      maxSelf: 5,
    });
    assert.deepEqual(drawnTree(tree), ['total 1/10', '. b 4/4', '. a 5/5']);
  });

  const refused: [string, number[][]][] = [
    [
      'a level that is no multiple of four',
      [
        [0, 10, 0, 0],
        [0, 10, 0],
      ],
    ],
    ['a root level of two bars', [[0, 10, 0, 0, 0, 1, 0, 0]]],
    [
      'a bar wider than its parent',
      [
        [0, 10, 0, 0],
        [0, 11, 11, 1],
      ],
    ],
    [
      'a bar across two parents',
      [
        [0, 10, 0, 0],
        [0, 5, 0, 1, 0, 5, 0, 1],
        [4, 2, 2, 1],
      ],
    ],
    [
      'a negative width',
      [
        [0, 10, 0, 0],
        [5, -2, 0, 1],
      ],
    ],
    [
      'a name that is not there',
      [
        [0, 10, 0, 0],
        [0, 10, 10, 2],
      ],
    ],
    [
      'a bar that is no number',
      [
        [0, 10, 0, 0],
        [0, Number.NaN, 10, 1],
      ],
    ],
  ];
  for (const [what, levels] of refused) {
    it(`refuses ${what}`, () => {
      const flamebearer: Flamebearer = { names: ['total', 'a'], levels, total: 10, maxSelf: 10 };
      assert.throws(
        () => fromFlamebearer(flamebearer),
        (error) => error instanceof PilotlightError && error.code === 'malformed_profile',
      );
    });
  }
});
