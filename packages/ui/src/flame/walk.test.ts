import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { collapsedTree, nameOf, nodeNamed, randomTree } from '../testing/collapsed-tree.js';
import { findFrame, linkTo, pathIds, pathNames } from './frame-path.js';
import * as navigate from './navigate.js';
import { subtreeEnds } from './subtree.js';

test('arrow keys: down to the heaviest child, sideways in drawing order', () => {
  const tree = collapsedTree('a;x 1', 'a;y 5', 'a;z;q 2', 'b 9');
  const walked = { tree, ends: subtreeEnds(tree) };
  const at = (name: string) => nodeNamed(tree, name);
  const names = (step: (walked: navigate.WalkedTree, node: number) => number, from: string) =>
    nameOf(tree, step(walked, at(from)));
  assert.equal(names(navigate.heaviestChild, 'total'), 'b');
  assert.equal(names(navigate.heaviestChild, 'a'), 'y');
  assert.equal(names(navigate.heaviestChild, 'x'), undefined);
  assert.equal(names(navigate.parentOf, 'y'), 'a');
  assert.equal(names(navigate.parentOf, 'total'), undefined);
  assert.equal(names(navigate.nextSibling, 'y'), 'z');
  assert.equal(names(navigate.nextSibling, 'z'), undefined);
  assert.equal(names(navigate.previousSibling, 'z'), 'y');
  assert.equal(names(navigate.previousSibling, 'x'), undefined);
  assert.equal(names(navigate.firstSibling, 'z'), 'x');
  assert.equal(names(navigate.lastSibling, 'x'), 'z');
  assert.deepEqual(navigate.siblingPlace(walked, at('y')), { position: 2, count: 3 });
  assert.deepEqual(navigate.siblingPlace(walked, 0), { position: 1, count: 1 });
});

test('sideways and back is where one was', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 2, max: 200 }), (seed, nodes) => {
      const tree = randomTree(nodes, seed, 30);
      const walked = { tree, ends: subtreeEnds(tree) };
      for (let node = 1; node < tree.length; node++) {
        const next = navigate.nextSibling(walked, node);
        if (next !== -1) assert.equal(navigate.previousSibling(walked, next), node);
        const child = navigate.heaviestChild(walked, node);
        if (child !== -1) assert.equal(navigate.parentOf(walked, child), node);
      }
    }),
    { numRuns: 30 },
  );
});

test('a link leads back to its frame, in any tree that still has the path', () => {
  const old = collapsedTree('a;b;x 5', 'c;x 9');
  const fresh = collapsedTree('0;b 1', 'a;a 2', 'a;b;x 5', 'c;x 9');
  for (let node = 0; node < old.length; node++) {
    const link = linkTo(old, node);
    const found = findFrame(fresh, link);
    assert.equal(found?.by, 'path');
    assert.deepEqual(pathNames(fresh, found?.node ?? -1), pathNames(old, node));
  }
});

test('a path that is gone leads to the nearest ancestor, or to the heaviest frame of the function', () => {
  const old = collapsedTree('a;b;x;y 5');
  const link = linkTo(old, nodeNamed(old, 'y'));
  const fresh = collapsedTree('a;b;z 1', 'c;y 2', 'd;y 3');
  const ancestor = findFrame(fresh, link, pathNames(old, nodeNamed(old, 'y')));
  assert.deepEqual([ancestor?.by, nameOf(fresh, ancestor?.node ?? -1)], ['ancestor', 'b']);
  const byName = findFrame(fresh, link);
  assert.deepEqual([byName?.by, pathNames(fresh, byName?.node ?? -1)], ['function', ['d', 'y']]);
  assert.equal(findFrame(collapsedTree('q 1'), link), undefined);
});

test('path ids are the same as links, and distinct', () => {
  const tree = randomTree(2_000, 3);
  const ids = pathIds(tree);
  assert.equal(new Set(ids).size, tree.length);
  for (const node of [0, 1, 17, tree.length - 1]) assert.equal(ids[node], linkTo(tree, node).pathId);
});
