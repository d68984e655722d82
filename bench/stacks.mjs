/**
 * The stacks of a service in memory: taking an upload in, and reading them back from a snapshot. Baseline of the same run: `JSON.parse` of the same
 * node table as an array of numbers.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeId } from '@pilotlight/profile';
import { ServiceStacks } from '../packages/server/dist/store/service-stacks.js';
import { SnapshotFolder } from '../packages/server/dist/store/snapshot.js';
import { seeded } from './server/synthetic.mjs';

const folder = mkdtempSync(join(tmpdir(), 'pilotlight-bench-'));
try {
  for (const count of [100_000, 1_000_000]) await measure(count);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(count) {
  const random = seeded(7);
  const stacks = new ServiceStacks();
  const frames = Math.floor(count / 12);
  for (let i = 0; i < frames; i++) {
    stacks.addFrame(i + 1, stacks.string(`com.example.Class${i % 4_000}.method${i}`), 0, 0, 0, i % 500, 0, 1);
  }
  for (let i = 0; i < count; i++) {
    const parent = i < 10 ? -1 : random(i);
    const frame = random(frames);
    const id = nodeId(parent < 0 ? 0 : stacks.nodes.ids[parent], frame + 1);
    if (stacks.nodes.find(id) < 0) stacks.addNode(id, parent, frame, 1);
  }
  const snapshots = new SnapshotFolder(folder, 'bench');
  await snapshots.write('t', `s${count}`, stacks, 1);
  const table = JSON.stringify([
    ...stacks.nodeParent.subarray(0, stacks.nodes.length),
    ...stacks.nodeFrame.subarray(0, stacks.nodes.length),
  ]);
  const read = median(() => snapshots.read('t', `s${count}`));
  const baseline = median(() => JSON.parse(table));
  console.log(
    `snapshot of ${stacks.nodes.length} nodes read in ${read.toFixed(0)} ms, ${(read / baseline).toFixed(1)} × JSON.parse of its numbers`,
  );
}

function median(work) {
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return times.sort((a, b) => a - b)[2];
}
