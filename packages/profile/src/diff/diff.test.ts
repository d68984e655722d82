import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { callTree } from '../call-tree.js';
import { cutCallTree } from '../cut-call-tree.js';
import { flameLayout } from '../flame-layout.js';
import { arbitrarySamples, profileOf } from '../testing/arbitrary-profile.js';
import { profileFromStacks } from '../testing/stack-drawing.js';
import { drawnTree } from '../testing/tree-drawing.js';
import { topTable } from '../top-table.js';
import { cutDiffTree } from './cut-diff-tree.js';
import { diffCallTrees, sideOf } from './diff-call-trees.js';
import { diffTable } from './diff-table.js';
import type { DiffTree } from './diff-tree.js';
import { widthTree } from './width-tree.js';

const treeOf = (stacks: string) => callTree(profileFromStacks(stacks), 0);
const diffOf = (left: string, right: string) => diffCallTrees(treeOf(left), treeOf(right));

/** A diff as an indented list, `name self/total → self/total`. */
function drawn(diff: DiffTree): string[] {
  const { left, right } = diff;
  return Array.from({ length: diff.length }, (_, i) => {
    const indent = '. '.repeat(diff.depth[i] as number);
    const name = diff.names[diff.name[i] as number];
    return `${indent}${name} ${left.self[i]}/${left.total[i]} → ${right.self[i]}/${right.total[i]}`;
  });
}

describe('diffCallTrees', () => {
  it('has every stack of either side once, siblings in name order', () => {
    const diff = diffOf('main;b;x 1\nmain;d 2\nzero 4', 'main;a 8\nmain;b;y 16\nmain;b 32\nmain;c;x 64');
    assert.deepEqual(drawn(diff), [
      'total 0/7 → 0/120',
      '. main 0/3 → 0/120',
      '. . a 0/0 → 8/8',
      '. . b 0/1 → 32/48',
      '. . . x 1/1 → 0/0',
      '. . . y 0/0 → 16/16',
      '. . c 0/0 → 0/64',
      '. . . x 0/0 → 64/64',
      '. . d 2/2 → 0/0',
      '. zero 4/4 → 0/0',
    ]);
    assert.deepEqual([...diff.parent], [-1, 0, 1, 1, 3, 3, 1, 6, 1, 0]);
  });

  it('takes a side without anything', () => {
    assert.deepEqual(drawn(diffOf('', 'a;b 3')), ['total 0/0 → 0/3', '. a 0/0 → 0/3', '. . b 0/0 → 3/3']);
    assert.deepEqual(drawn(diffOf('a;b 3', '')), ['total 0/3 → 0/0', '. a 0/3 → 0/0', '. . b 3/3 → 0/0']);
    assert.deepEqual(drawn(diffOf('', '')), ['total 0/0 → 0/0']);
  });

  it('keeps a function called "total" apart from the root', () => {
    assert.deepEqual(drawn(diffOf('total 1', 'total;total 2')), [
      'total 0/1 → 0/2',
      '. total 1/1 → 0/2',
      '. . total 0/0 → 2/2',
    ]);
  });

  it('takes trees whose siblings stand otherwise, as a cut leaves them', () => {
    const cut = cutCallTree(treeOf('p;a 1\np;z 9\np;y 1'), 2);
    assert.deepEqual(drawnTree(cut), ['total 0/11', '. p 0/11', '. . z 9/9', '. . other 2/2']);
    assert.deepEqual(drawn(diffCallTrees(cut, treeOf('p;z 1\np;other 5'))), [
      'total 0/11 → 0/6',
      '. p 0/11 → 0/6',
      '. . other 2/2 → 5/5',
      '. . z 9/9 → 1/1',
    ]);
  });

  it('gives each side back as it was', () => {
    fc.assert(
      fc.property(arbitrarySamples, arbitrarySamples, (before, after) => {
        const left = callTree(profileOf(before), 1);
        const right = callTree(profileOf(after), 1);
        const diff = diffCallTrees(left, right);
        assert.deepEqual(sideOf(diff, 'left'), left);
        assert.deepEqual(sideOf(diff, 'right'), right);
        const swapped = diffCallTrees(right, left);
        assert.deepEqual(swapped, { ...diff, left: diff.right, right: diff.left });
        // No node twice, none that neither side has.
        const paths = new Set(drawn(diff).map((_, i) => `${diff.parent[i]} ${diff.name[i]}`));
        assert.equal(paths.size, diff.length);
        for (let i = 1; i < diff.length; i++) assert.ok(diff.left.total[i] !== 0 || diff.right.total[i] !== 0);
      }),
      { numRuns: 150 },
    );
  });
});

describe('diffTable', () => {
  const tableOf = (left: string, right: string) => {
    const diff = diffOf(left, right);
    const table = diffTable(diff);
    return Array.from({ length: table.length }, (_, i) => {
      const sides = [table.left, table.right, table.change].map(({ self, total }) => `${self[i]}/${total[i]}`);
      return `${diff.names[table.name[i] as number]} ${sides.join(' ')}`;
    });
  };

  it('compares shares, so sides of unequal totals compare', () => {
    assert.deepEqual(tableOf('main;a 1\nmain;b 3', 'main;a 300\nmain;b 100'), [
      'main 0/4 0/400 0/0',
      'a 1/1 300/300 0.5/0.5',
      'b 3/3 100/100 -0.5/-0.5',
    ]);
  });

  it('counts a recursive function once on each side, where the other side has it elsewhere', () => {
    assert.deepEqual(tableOf('a;b;a 4', 'b;a;b 4'), ['a 4/4 0/4 -1/0', 'b 0/4 4/4 1/0']);
  });

  it('calls everything new when there was nothing before, and nothing when there is nothing at all', () => {
    assert.deepEqual(tableOf('', 'a;b 3'), ['a 0/0 0/3 0/1', 'b 0/0 3/3 1/1']);
    assert.deepEqual(tableOf('a;b 3', ''), ['a 0/3 0/0 0/-1', 'b 3/3 0/0 -1/-1']);
    assert.deepEqual(tableOf('', ''), []);
  });

  it('has the rows of the top table of each side', () => {
    fc.assert(
      fc.property(arbitrarySamples, arbitrarySamples, (before, after) => {
        const trees = [callTree(profileOf(before), 1), callTree(profileOf(after), 1)] as const;
        const diff = diffCallTrees(...trees);
        const table = diffTable(diff);
        for (const [side, tree] of [
          [table.left, trees[0]],
          [table.right, trees[1]],
        ] as const) {
          const rows = new Map<string, string>();
          for (let i = 0; i < table.length; i++) {
            const [self, total] = [side.self[i], side.total[i]];
            if (total !== 0) rows.set(diff.names[table.name[i] as number] as string, `${self}/${total}`);
          }
          const expected = topTable(tree);
          assert.equal(rows.size, expected.length);
          for (let i = 0; i < expected.length; i++) {
            const name = tree.names[expected.name[i] as number] as string;
            assert.equal(rows.get(name), `${expected.self[i]}/${expected.total[i]}`, name);
          }
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe('widthTree', () => {
  it('is as wide as the larger side, by share or by value', () => {
    const diff = diffOf('gone 1\nstays 1', 'new 300\nstays 100');
    assert.deepEqual(drawnTree(widthTree(diff, 'value')), [
      'total 0/401',
      '. gone 1/1',
      '. new 300/300',
      '. stays 100/100',
    ]);
    assert.deepEqual(drawnTree(widthTree(diff, 'share')), [
      'total 0/1.75',
      '. gone 0.5/0.5',
      '. new 0.75/0.75',
      '. stays 0.5/0.5',
    ]);
  });

  it('gives room for every node that has a value on a side', () => {
    fc.assert(
      fc.property(arbitrarySamples, arbitrarySamples, (before, after) => {
        const diff = diffCallTrees(callTree(profileOf(before), 1), callTree(profileOf(after), 1));
        const widths = widthTree(diff, 'value');
        for (let i = 0; i < diff.length; i++) {
          assert.ok(
            (widths.total[i] as number) >= Math.max(diff.left.total[i] as number, diff.right.total[i] as number),
          );
        }
        assert.equal(flameLayout(widths).total, widths.total[0]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('cutDiffTree', () => {
  it('keeps what is heavy on either side and sums up the rest of each', () => {
    const diff = diffOf('m;a 50\nm;b 1\nm;c 2', 'm;a 1\nm;b 1\nm;d 60');
    assert.deepEqual(drawn(cutDiffTree(diff, 4, 'value')), [
      'total 0/53 → 0/62',
      '. m 0/53 → 0/62',
      '. . a 50/50 → 1/1',
      '. . d 0/0 → 60/60',
      '. . other 3/3 → 1/1',
    ]);
    assert.equal(cutDiffTree(diff, diff.length, 'value'), diff);
    assert.equal(cutDiffTree(diff, 0, 'value'), diff);
  });

  it('weighs by share, so the side with the smaller total is heard', () => {
    const diff = diffOf('a 3\nb 1', 'c 700\nd 300');
    assert.deepEqual(drawn(cutDiffTree(diff, 3, 'share')), [
      'total 0/4 → 0/1000',
      '. a 3/3 → 0/0',
      '. c 0/0 → 700/700',
      '. other 1/1 → 300/300',
    ]);
  });

  it('takes a function called "other" for what it is', () => {
    const diff = diffOf('other 9\nx 1', 'other 9');
    assert.deepEqual(drawn(cutDiffTree(diff, 2, 'value')), [
      'total 0/10 → 0/9',
      '. other 9/9 → 9/9',
      '. other 1/1 → 0/0',
    ]);
  });

  it('keeps both totals, and as many nodes as asked for unless they tie', () => {
    fc.assert(
      fc.property(arbitrarySamples, arbitrarySamples, fc.integer({ min: 1, max: 30 }), (before, after, maxNodes) => {
        const diff = diffCallTrees(callTree(profileOf(before), 1), callTree(profileOf(after), 1));
        for (const basis of ['share', 'value'] as const) {
          const cut = cutDiffTree(diff, maxNodes, basis);
          assert.equal(cut.left.total[0], diff.left.total[0]);
          assert.equal(cut.right.total[0], diff.right.total[0]);
          for (const side of ['left', 'right'] as const) {
            const below = new Float64Array(cut.length);
            for (let i = cut.length - 1; i >= 0; i--) {
              assert.equal(cut[side].total[i], (cut[side].self[i] as number) + (below[i] as number));
              if (i > 0) below[cut.parent[i] as number]! += cut[side].total[i] as number;
            }
          }
        }
      }),
      { numRuns: 80 },
    );
  });
});
