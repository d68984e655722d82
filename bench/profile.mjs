// How fast pprof and collapsed stacks are read and written, and call trees made, merged and laid out: `node bench/profile.mjs` after a build.
//
// Milliseconds are processor time of the best run of each row, collection of garbage included: what others do on the machine
// hardly counts. Each row has a baseline in the same process, and the ratio to it holds on any machine: JSON.parse and
// JSON.stringify of the same content as JSON, the least anybody would have to do who took profiles as JSON. Ends by itself in a
// minute at most.

import { Random } from '../packages/profile/dist/fuzz/index.js';
import {
  callTree,
  cutCallTree,
  flameLayout,
  mergeCallTrees,
  mergeProfiles,
  readCollapsed,
  readPprof,
  SampleTableBuilder,
  StackTableBuilder,
  toFlamebearer,
  topTable,
  writeCollapsed,
  writePprof,
} from '../packages/profile/dist/index.js';

/** Processor time for one figure, and time on the wall it may take at most. */
const CPU_MILLIS = 250;
const WALL_MILLIS_MAX = 2000;

/** Processor milliseconds of one run, the best of as many batches as fit. */
function best(run) {
  let batch = 1;
  let least = Number.POSITIVE_INFINITY;
  const end = performance.now() + WALL_MILLIS_MAX;
  let spent = 0;
  do {
    const before = process.cpuUsage();
    for (let i = 0; i < batch; i++) run();
    const { user, system } = process.cpuUsage(before);
    const millis = (user + system) / 1000;
    spent += millis;
    least = Math.min(least, millis / batch);
    // Batches of a few milliseconds: long enough for the clock, short enough to find a quiet one.
    if (millis < 5) batch *= 2;
  } while (spent < CPU_MILLIS && performance.now() < end);
  return least;
}

/** Stacks as recordings of real services have them: 4 to 5 nodes a distinct stack, 21 to 25 frames deep in the mean, Java-like names. */
function syntheticProfile(sampleCount, seed) {
  const random = new Random(seed);
  const stacks = new StackTableBuilder();
  const samples = new SampleTableBuilder(2);
  const frames = Array.from({ length: 800 }, (_, i) => {
    const type = `org.example.service.part${i % 23}.Handler${i % 131}`;
    return stacks.frame(
      stacks.string(`${type}.method${i}`),
      0,
      stacks.string(`Handler${i % 131}.java`),
      0,
      10 + (i % 400),
    );
  });
  // A common way in of 12 frames; each sample then leaves the stacks so far somewhere, for up to 8 frames of its own.
  const known = [{ node: stacks.stack(frames.slice(0, 12)), depth: 12 }];
  while (samples.length < sampleCount) {
    // The shallower of three, else the stacks would grow with their number.
    let { node, depth } = [0, 1, 2].map(() => random.pick(known)).reduce((a, b) => (a.depth < b.depth ? a : b));
    for (let own = 1 + random.below(8); own > 0; own--) {
      node = stacks.node(node, random.pick(frames));
      known.push({ node, depth: ++depth });
    }
    samples.add(node, 0, 1, 10_000_000);
  }
  return {
    stacks: stacks.finish(),
    ...samples.finish(),
    sampleTypes: [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: 10_000_000,
    timeNanos: 1_700_000_000_000_000_000n,
    durationNanos: 10_000_000_000,
  };
}

/** The content of a pprof as JSON: the same tables, the same indexes. */
function asJson({ stacks, samples, sampleTypes, labelSets }) {
  const { nodes, frames, strings } = stacks;
  return {
    sampleTypes,
    labelSets,
    strings,
    frames: Array.from({ length: frames.length }, (_, i) => [frames.name[i], frames.file[i], frames.line[i]]),
    samples: Array.from({ length: samples.length }, (_, i) => {
      const stack = [];
      for (let node = samples.node[i]; node !== -1; node = nodes.parent[node]) stack.push(nodes.frame[node]);
      return { stack, values: samples.values.map((column) => column[i]) };
    }),
  };
}

function row(what, run, baseline, baselineWhat) {
  const millis = best(run);
  const base = best(baseline);
  console.log(
    what.padEnd(44),
    millis.toFixed(2).padStart(9),
    (1000 / millis).toFixed(0).padStart(9),
    (millis / base).toFixed(2).padStart(7),
    ` ${baselineWhat}`,
  );
}

console.log('what'.padEnd(44), 'CPU ms'.padStart(9), 'per s'.padStart(9), '× base'.padStart(7), ' base');
for (const count of [300, 2000]) {
  const profile = syntheticProfile(count, count);
  const bytes = writePprof(profile);
  const object = asJson(profile);
  const json = JSON.stringify(object);
  const text = writeCollapsed(profile, 1);
  const textBytes = new TextEncoder().encode(text);
  const title = (what) => `${what}, ${count} samples`;
  row(
    title(`pprof read (${(bytes.length / 1000).toFixed(0)} kB)`),
    () => readPprof(bytes),
    () => JSON.parse(json),
    'JSON.parse',
  );
  row(
    title('pprof written'),
    () => writePprof(profile),
    () => JSON.stringify(object),
    'JSON.stringify',
  );
  row(
    title(`collapsed read (${(textBytes.length / 1000).toFixed(0)} kB)`),
    () => readCollapsed(textBytes),
    () => JSON.parse(json),
    'JSON.parse',
  );
  row(
    title('collapsed written'),
    () => writeCollapsed(profile, 1),
    () => JSON.stringify(object),
    'JSON.stringify',
  );
  row(
    title('call tree'),
    () => callTree(profile, 1),
    () => JSON.parse(json),
    'JSON.parse',
  );
}

await pprofFormat();

/** The ratio the goal is set by: the reader most JavaScript programs have, on the same bytes. */
async function pprofFormat() {
  let other;
  try {
    other = await import('pprof-format');
  } catch {
    console.log(
      'pprof read beside pprof-format: skipped, it is not here (npm install --no-save --ignore-scripts pprof-format)',
    );
    return;
  }
  for (const count of [300, 2000]) {
    const bytes = writePprof(syntheticProfile(count, count));
    const ours = best(() => readPprof(bytes));
    const theirs = best(() => other.Profile.decode(bytes));
    console.log(`pprof read, ${count} samples: ${(theirs / ours).toFixed(2)} × as fast as pprof-format`);
  }
}

const parts = Array.from({ length: 10 }, (_, i) => syntheticProfile(2000, 100 + i));
const trees = parts.map((profile) => callTree(profile, 1));
const jsons = parts.map((profile) => JSON.stringify(asJson(profile)));
const parseAll = () => jsons.map((json) => JSON.parse(json));
row('merge of 10 call trees of 2000 samples', () => mergeCallTrees(trees), parseAll, 'JSON.parse of the 10');
row('merge of 10 profiles of 2000 samples', () => mergeProfiles(parts), parseAll, 'JSON.parse of the 10');

const tree = mergeCallTrees(trees);
const flamebearer = JSON.stringify(toFlamebearer(tree));
const parseFlamebearer = () => JSON.parse(flamebearer);
const size = `${tree.length} nodes`;
row(`cut to 8192, ${size}`, () => cutCallTree(tree, 8192), parseFlamebearer, 'JSON.parse of its flamebearer');
row(`flamebearer, ${size}`, () => toFlamebearer(tree), parseFlamebearer, 'JSON.parse of its flamebearer');
row(`top table, ${size}`, () => topTable(tree), parseFlamebearer, 'JSON.parse of its flamebearer');
row(`flame layout, ${size}`, () => flameLayout(tree), parseFlamebearer, 'JSON.parse of its flamebearer');
