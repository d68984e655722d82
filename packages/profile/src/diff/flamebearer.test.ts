import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { callTree } from '../call-tree.js';
import { toFlamebearer } from '../flamebearer.js';
import { arbitrarySamples, profileOf } from '../testing/arbitrary-profile.js';
import { profileFromStacks } from '../testing/stack-drawing.js';
import { diffCallTrees } from './diff-call-trees.js';
import { toDiffFlamebearer } from './flamebearer.js';

const diffOf = (left: string, right: string) =>
  diffCallTrees(callTree(profileFromStacks(left), 0), callTree(profileFromStacks(right), 0));

describe('toDiffFlamebearer', () => {
  it('has seven numbers a bar and numbers names as a single graph does', () => {
    assert.deepEqual(toDiffFlamebearer(diffOf('a;b 3\na 1\nc 2', 'a;b 1\nd 9')), {
      names: ['total', 'd', 'c', 'a', 'b'],
      levels: [
        [0, 6, 0, 0, 10, 0, 0],
        [...[0, 4, 1, 0, 1, 0, 3], ...[0, 2, 2, 0, 0, 0, 2], ...[0, 0, 0, 0, 9, 9, 1]],
        [1, 3, 3, 0, 1, 1, 4],
      ],
      total: 16,
      maxSelf: 9,
      leftTicks: 6,
      rightTicks: 10,
    });
  });

  it('gives the number of the root to a function without a name, and to none called "total"', () => {
    assert.deepEqual(toDiffFlamebearer(diffOf(';total 1', '')).names, ['total', 'total']);
  });

  it('draws each side as a single graph draws it, where that side has a bar', () => {
    fc.assert(
      fc.property(arbitrarySamples, arbitrarySamples, (before, after) => {
        const trees = [callTree(profileOf(before), 1), callTree(profileOf(after), 1)] as const;
        const diff = toDiffFlamebearer(diffCallTrees(...trees));
        const bars = (levels: number[][], size: number, at: number) =>
          levels
            .map((level) => {
              let end = 0;
              const places: string[] = [];
              for (let i = 0; i < level.length; i += size) {
                const start = end + (level[i + at] as number);
                end = start + (level[i + at + 1] as number);
                if (end > start) places.push(`${start} ${end} ${level[i + at + 2]}`);
              }
              return places;
            })
            .filter((places) => places.length > 0);
        trees.forEach((tree, side) => {
          assert.deepEqual(bars(diff.levels, 7, 3 * side), bars(toFlamebearer(tree).levels, 4, 0));
        });
      }),
      { numRuns: 80 },
    );
  });
});
