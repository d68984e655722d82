import assert from 'node:assert/strict';
import test from 'node:test';
import { callTreeFromParents } from '@pilotlight/profile';
import { COLLISION_FRAME, ServiceStacks } from './service-stacks.js';
import { exampleUpload } from './testing/example-upload.js';
import { decodeUploadRecord, type UploadRecord } from './upload-record.js';

const at = { timeMs: 1_700_000_000_000 };

test('each node and frame is fresh once a week', () => {
  const stacks = new ServiceStacks();
  const record = decodeUploadRecord(exampleUpload({ ...at, stacks: 'main;a;b 1\nmain;c 1' }).bytes);
  const first = stacks.admit(record, 7);
  assert.deepEqual([first.freshFrames.length, first.freshNodes.length, first.collisions], [4, 4, 0]);
  assert.deepEqual(stacks.admit(record, 7), { ...first, freshFrames: [], freshNodes: [] });
  assert.equal(stacks.admit(record, 8).freshNodes.length, 4);
  stacks.forgetWritten(first.freshFrames, first.freshNodes);
  assert.equal(stacks.admit(record, 8).freshNodes.length, 4);
});

test('lines are told apart in nodes and merged by name in the tree', () => {
  const stacks = new ServiceStacks();
  const record = decodeUploadRecord(exampleUpload({ ...at, stacks: 'main;a 1\nmain;b 1' }).bytes);
  // The frame of b becomes another line of a.
  const { frames } = record;
  const a = record.strings.indexOf('a');
  const b = record.strings.indexOf('b');
  frames.name[frames.name.indexOf(b)] = a;
  stacks.admit(record, 1);
  assert.equal(stacks.nodes.length, 3);
  assert.equal(stacks.mergedLength, 2);
});

test('two stacks under one id meet at a marker with everything below, are counted, and no value is lost', () => {
  // With ids of 12 bits, a thousand stacks must collide.
  const bits = (record: UploadRecord): UploadRecord => ({
    ...record,
    nodes: { ...record.nodes, id: record.nodes.id.map((id) => 1 + (id % 4_096)) },
  });
  const stacks = new ServiceStacks();
  let collisions = 0;
  const sums = new Map<string, number>();
  let total = 0;
  for (let upload = 0; upload < 50; upload++) {
    const lines = Array.from(
      { length: 40 },
      (_, i) => `main;f${(upload * 7 + i) % 900};g${(upload * 13 + i) % 700};h${i} ${i + 1}`,
    );
    const record = bits(decodeUploadRecord(exampleUpload({ ...at, stacks: lines.join('\n') }).bytes));
    const admission = stacks.admit(record, 1);
    collisions += admission.collisions;
    const series = record.series[0];
    if (series === undefined) throw new Error('no series');
    series.nodes.forEach((row, i) => {
      const node = admission.nodes[row] as number;
      const leaf = stacks.frame(stacks.nodeFrame[node] as number).name;
      const wanted = record.strings[record.frames.name[record.nodes.frame[row] as number] as number] as string;
      // What is not at the marker is where it belongs.
      assert.ok(leaf === wanted || leaf === COLLISION_FRAME, `${leaf} for ${wanted}`);
      total += series.values[i] as number;
      sums.set(leaf, (sums.get(leaf) ?? 0) + (series.values[i] as number));
    });
  }
  assert.ok(collisions > 0);
  assert.ok((sums.get(COLLISION_FRAME) ?? 0) > 0);
  assert.equal(
    [...sums.values()].reduce((sum, value) => sum + value, 0),
    total,
  );
  // The tree stands: every parent comes before its child.
  for (let row = 0; row < stacks.nodes.length; row++) assert.ok((stacks.nodeParent[row] as number) < row);
  const self = new Float64Array(stacks.mergedLength).fill(1);
  const tree = callTreeFromParents({
    names: stacks.strings,
    name: stacks.mergedName,
    parent: stacks.mergedParent,
    self,
    length: self.length,
  });
  assert.equal(tree.total[0], stacks.mergedLength);
});

test('without shortened ids the same stacks do not collide', () => {
  const stacks = new ServiceStacks();
  const lines = Array.from({ length: 5_000 }, (_, i) => `main;f${i % 70};g${i % 90};h${i} 1`);
  const record = decodeUploadRecord(exampleUpload({ ...at, stacks: lines.join('\n') }).bytes);
  assert.equal(stacks.admit(record, 1).collisions, 0);
});
