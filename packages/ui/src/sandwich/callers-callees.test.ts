import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topTable } from '@pilotlight/profile';
import { collapsedTree, nameOf, nodeNamed, randomTree } from '../testing/collapsed-tree.js';
import { callersAndCallees } from './callers-callees.js';

test('a function between its callers and its callees; recursion counts once', () => {
  const tree = collapsedTree('main;a;f 1', 'main;a;f;g 2', 'main;b;f;f;g 4', 'f;h 8', 'main 16');
  const both = callersAndCallees(tree, 'f');
  assert.ok(both);
  const { callers, callees } = both;
  assert.equal(callers.names[0], 'f');
  assert.deepEqual([callers.total[0], callees.total[0]], [15, 15]);
  assert.equal(callers.self[0], 8, 'nobody called it there');
  assert.equal(callers.total[nodeNamed(callers, 'a')], 3);
  assert.equal(callers.total[nodeNamed(callers, 'b')], 4);
  assert.equal(nameOf(callers, nodeNamed(callers, 'a') + 1), 'main');
  assert.equal(callees.self[0], 1);
  assert.equal(callees.total[nodeNamed(callees, 'h')], 8);
  assert.equal(callees.total[callees.name.indexOf(callees.names.indexOf('f', 1))], 4, 'what it called of itself');
  assert.equal(callersAndCallees(tree, 'total'), undefined, 'the root is no function');
});

test('both halves come to the total of the table, for every function', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const tree = randomTree(500, seed, 20);
    const table = topTable(tree);
    for (let row = 0; row < table.length; row++) {
      const both = callersAndCallees(tree, tree.names[table.name[row] as number] as string);
      assert.deepEqual([both?.callers.total[0], both?.callees.total[0]], [table.total[row], table.total[row]]);
    }
  }
});
