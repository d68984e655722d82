// What the columnar flame graph costs against flamebearer JSON, in bytes and in processor time: `node bench/columnar.mjs` after a build.
//
// The trees are drawn from a seed: bushy, up to 63 deep, a twelfth as many names as nodes (6,000 at most), Java-like. The values are CPU time in steps of
// 10 ms, as profiles have it. Milliseconds are processor time of the best of several runs, to and from what the page draws (a `CallTree`).

import { gzipSync } from 'node:zlib';
import { Random } from '../packages/profile/dist/fuzz/index.js';
import {
  callTreeFromParents,
  decodeDiff,
  decodeFlameGraph,
  diffCallTrees,
  encodeDiff,
  encodeFlameGraph,
  fromFlamebearer,
  toFlamebearer,
} from '../packages/profile/dist/index.js';

const CPU = { sampleType: 'cpu', unit: 'nanoseconds' };
const RUNS = 9;

function drawnTree(length, seed) {
  const random = new Random(seed);
  const nameCount = Math.min(6_000, Math.ceil(length / 12));
  const names = Array.from(
    { length: nameCount },
    (_, i) => `org.example.service.part${i % 23}.Handler${i % 331}.method${i}`,
  );
  const parent = new Int32Array(length);
  const depth = new Int32Array(length);
  const name = new Int32Array(length);
  const self = new Float64Array(length);
  parent[0] = -1;
  for (let i = 1; i < length; i++) {
    // Mostly further down from the last node, else from anywhere.
    const near = random.below(4) > 0 ? i - 1 - random.below(Math.min(i, 8)) : random.below(i);
    parent[i] = depth[near] < 62 ? near : 0;
    depth[i] = depth[parent[i]] + 1;
    // A function calls a dozen others, whoever called it.
    name[i] = Math.imul(name[parent[i]] * 12 + random.below(12), 0x9e3779b1) >>> 4;
    name[i] %= nameCount;
  }
  const calls = new Uint8Array(length);
  for (let i = 1; i < length; i++) calls[parent[i]] = 1;
  for (let i = 0; i < length; i++) {
    if (calls[i] === 0 || random.below(8) === 0) self[i] = 10_000_000 * (1 + Math.floor(1 / (random.next() + 0.002)));
  }
  return callTreeFromParents({ names, name, parent, self });
}

function best(run) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < RUNS; i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

console.log(
  `${'form'.padEnd(30)} ${['KB', 'KB gzip', 'write ms', 'gzip ms', 'read ms'].map((text) => text.padStart(9)).join('')}`,
);
function row(what, write, read) {
  const bytes = write();
  const figures = [
    (bytes.length / 1000).toFixed(0),
    (gzipSync(bytes).length / 1000).toFixed(0),
    best(write).toFixed(1),
    best(() => gzipSync(bytes)).toFixed(1),
    best(() => read(bytes)).toFixed(1),
  ];
  console.log(what.padEnd(30), figures.map((text) => text.padStart(9)).join(''));
}

const decoder = new TextDecoder();
for (const nodes of [20_000, 100_000]) {
  const tree = drawnTree(nodes, nodes);
  const size = `${tree.length - 1} nodes`;
  row(
    `columnar, ${size}`,
    () => encodeFlameGraph(tree, CPU),
    (bytes) => decodeFlameGraph(bytes),
  );
  row(
    `flamebearer JSON, ${size}`,
    () => Buffer.from(JSON.stringify(toFlamebearer(tree))),
    (bytes) => fromFlamebearer(JSON.parse(decoder.decode(bytes))),
  );
  const diff = diffCallTrees(tree, drawnTree(nodes, nodes + 1));
  row(
    `diff, columnar, ${diff.length - 1} nodes`,
    () => encodeDiff(diff, CPU),
    (bytes) => decodeDiff(bytes),
  );
  const other = drawnTree(nodes, nodes + 1);
  console.log(
    `${`merge of two of ${size}`.padEnd(30)} ${best(() => diffCallTrees(tree, other))
      .toFixed(1)
      .padStart(9)} ms`,
  );
}
