import assert from 'node:assert/strict';
import { it } from 'node:test';
import { callTree } from './call-tree.js';
import { cutCallTree } from './cut-call-tree.js';
import { profileFromStacks } from './testing/stack-drawing.js';
import { writeTreeBytes } from './tree-bytes.js';

const bytesOf = (stacks: string, maxNodes = 0) => [
  ...writeTreeBytes(cutCallTree(callTree(profileFromStacks(stacks), 0), maxNodes)),
];
const text = (name: string) => [Buffer.byteLength(name), ...Buffer.from(name)];

it('writes a tree depth first: name, self, number of children', () => {
  assert.deepEqual(bytesOf('main;é 300\nmain 2\nz 1'), [
    ...[0, 0, 2],
    ...[...text('main'), 2, 1],
    ...[...text('é'), 0xac, 0x02, 0],
    ...[...text('z'), 1, 0],
  ]);
  assert.deepEqual(bytesOf(''), [0, 0, 0]);
});

it('writes what a cut took together as "other", and negative values as 0', () => {
  assert.deepEqual(bytesOf('a 9\nb 1\nc 2', 1), [0, 0, 2, ...text('a'), 9, 0, ...text('other'), 3, 0]);
  assert.deepEqual(bytesOf('a -9\nb 1'), [0, 0, 2, ...text('a'), 0, 0, ...text('b'), 1, 0]);
});
