import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CallTree, callTree } from './call-tree.js';
import { cutCallTree } from './cut-call-tree.js';
import { arbitrarySamples, profileOf } from './testing/arbitrary-profile.js';
import { profileFromStacks } from './testing/stack-drawing.js';
import { drawnTree } from './testing/tree-drawing.js';

const drawnCut = (stacks: string, maxNodes: number) =>
  drawnTree(cutCallTree(callTree(profileFromStacks(stacks), 0), maxNodes));

describe('cutCallTree', () => {
  it('sums what is below the threshold into one "other" that comes last', () => {
    // Totals: a 12, p 10, z 9, d 8, b 1, c 1. The second largest is 10.
    assert.deepEqual(drawnCut('a;b 1\na;c 1\na;p 10\nz;d 8\nz 1', 2), [
      'total 0/21',
      '. a 0/12',
      '. . p 10/10',
      '. . other 2/2',
      '. other 9/9',
    ]);
  });

  it('keeps ties, although they are more than asked for', () => {
    assert.deepEqual(drawnCut('a 5\nb 5\nc 5\nd 1', 2), ['total 0/16', '. a 5/5', '. b 5/5', '. c 5/5', '. other 1/1']);
  });

  it('does not count the root', () => {
    assert.deepEqual(drawnCut('a 5\nb 2', 2), ['total 0/7', '. a 5/5', '. b 2/2']);
    assert.deepEqual(drawnCut('a 5\nb 2', 1), ['total 0/7', '. a 5/5', '. other 2/2']);
  });

  it('takes an existing "other" with all below it along, even when the tree fits', () => {
    assert.deepEqual(drawnCut('other;x 3\nz 1', 100), ['total 0/4', '. z 1/1', '. other 3/3']);
    assert.deepEqual(drawnCut('m;other;x 3\nm;z 1\nm;q 9', 3), [
      'total 0/13',
      '. m 0/13',
      '. . q 9/9',
      '. . other 4/4',
    ]);
  });

  it('returns the tree itself when there is nothing to cut', () => {
    const tree = callTree(profileFromStacks('a;b -5\na;c 2'), 0);
    assert.equal(cutCallTree(tree, 3), tree);
    assert.equal(cutCallTree(tree, 0), tree);
  });

  it('cuts deep chains apart', () => {
    const deep = (name: string) => `${Array(3000).fill(name).join(';')} 1`;
    const cut = cutCallTree(callTree(profileFromStacks(`a 5\nb 5\n${deep('a')}\n${deep('b')}`), 0), 2);
    assert.deepEqual(drawnTree(cut), ['total 0/12', '. a 5/6', '. . other 1/1', '. b 5/6', '. . other 1/1']);
  });

  it('conserves the total and every total above the cut', () => {
    fc.assert(
      fc.property(arbitrarySamples, fc.integer({ min: 1, max: 30 }), (samples, maxNodes) => {
        const tree = callTree(profileOf(samples), 0);
        const cut = cutCallTree(tree, maxNodes);
        assert.equal(cut.total[0], tree.total[0]);
        assert.equal(
          cut.self.reduce((a, b) => a + b, 0),
          tree.total[0],
        );
        // Whatever is no "other" is a node of the uncut tree with its own numbers.
        const uncut = new Set(paths(tree));
        for (const path of paths(cut)) assert.ok(uncut.has(path), path);
      }),
      { numRuns: 60 },
    );
  });
});

/** Each node that is no "other": its names from the root, self and total. */
function paths(tree: CallTree): string[] {
  const path: string[] = [];
  const found: string[] = [];
  for (let i = 0; i < tree.length; i++) {
    const depth = tree.depth[i] as number;
    const name = tree.names[tree.name[i] as number] as string;
    path[depth] = JSON.stringify(name);
    if (name !== 'other') found.push(`${path.slice(0, depth + 1).join(';')} ${tree.self[i]}/${tree.total[i]}`);
  }
  return found;
}
