import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallTree } from '@pilotlight/profile';
import { topTable } from '@pilotlight/profile';
import { collapsedTree, randomTree } from '../testing/collapsed-tree.js';
import { TRANSFORM_KINDS, type TransformKind } from '../view/view-state.js';
import { transformTree } from './transform-tree.js';

/** The stacks of a tree as they are drawn in collapsed form; what belongs to no stack has no name. */
function lines(tree: CallTree): string[] {
  const path: string[] = [];
  const drawn: string[] = [];
  for (let node = 0; node < tree.length; node++) {
    const depth = tree.depth[node] as number;
    path.length = Math.max(depth - 1, 0);
    if (depth > 0) path.push(tree.names[tree.name[node] as number] as string);
    if (tree.self[node] !== 0) drawn.push(`${path.join(';')} ${tree.self[node]}`);
  }
  return drawn;
}

const TREE = ['a 1', 'a;b 2', 'a;b;b 4', 'a;b;c 8', 'a;c;b 16', 'c 32'];

const EXPECTED: Readonly<Record<TransformKind, string[]>> = {
  focus: ['b 18', 'b;b 4', 'b;c 8'],
  merge: ['a 7', 'a;c 24', 'c 32'],
  drop: ['a 1', 'c 32'],
  collapse: ['a 1', 'a;b 14', 'a;c;b 16', 'c 32'],
  recursion: ['a 1', 'a;b 6', 'a;b;c 8', 'a;c;b 16', 'c 32'],
};

for (const kind of TRANSFORM_KINDS) {
  test(`${kind} of b`, () => {
    assert.deepEqual(lines(transformTree(collapsedTree(...TREE), [{ kind, name: 'b' }])), EXPECTED[kind]);
  });
}

test('they come one after the other, and a function that is not there changes nothing', () => {
  const tree = collapsedTree(...TREE);
  const both = transformTree(tree, [
    { kind: 'focus', name: 'b' },
    { kind: 'merge', name: 'c' },
  ]);
  assert.deepEqual(lines(both), ['b 26', 'b;b 4']);
  assert.equal(transformTree(tree, [{ kind: 'merge', name: 'nowhere' }]), tree);
  assert.equal(transformTree(tree, [{ kind: 'focus', name: 'nowhere' }]).total[0], 0);
});

test('merging, collapsing and joining recursion keep the sum; focus and drop share it', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const tree = randomTree(400, seed, 12);
    const table = topTable(tree);
    for (let row = 0; row < table.length; row++) {
      const name = tree.names[table.name[row] as number] as string;
      const sum = (kind: TransformKind) => transformTree(tree, [{ kind, name }]).total[0];
      for (const kind of ['merge', 'collapse', 'recursion'] as const) assert.equal(sum(kind), tree.total[0]);
      assert.equal(sum('focus'), table.total[row]);
      assert.equal((sum('drop') as number) + (table.total[row] as number), tree.total[0]);
    }
  }
});
