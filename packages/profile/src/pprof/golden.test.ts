import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { callTree } from '../call-tree.js';
import type { Profile } from '../model.js';
import { stacksOf, totalsOf } from '../testing/stack-drawing.js';
import { testData } from '../testing/test-data.js';
import { topTable } from '../top-table.js';
import { readPprof } from './decode.js';
import { writePprof } from './encode.js';

/** Real files with the totals their own projects give for them. */
const GOLDEN = [
  {
    file: 'two-stacks.pb.gz',
    types: ['cpu/nanoseconds'],
    totals: [368_421_046],
    samples: 2,
    locationsDeep: 2,
    self: { PcNotCovered: 315_789_468, ChunkNotFound: 52_631_578 },
  },
  {
    file: 'go-nomappings-heap.pb.gz',
    types: ['alloc_objects/count', 'alloc_space/bytes', 'inuse_objects/count', 'inuse_space/bytes'],
    totals: [2, 1_765_955, 2, 1_765_955],
    samples: 2,
    self: { '0x1096cf7': 947_340, '0x103cbf8': 818_615 },
  },
  {
    file: 'go-profile1-inlined.pb.gz',
    types: ['samples/count', 'cpu/nanoseconds'],
    totals: [48, 480_000_000],
    samples: 32,
    period: 10_000_000,
    durationNanos: 30_000_181_568,
    self: {},
  },
];

describe('real pprof files', () => {
  let compared = 0;
  for (const golden of GOLDEN) {
    it(golden.file, (t) => {
      const packed = testData(t, `profiles/pprof/${golden.file}`);
      if (packed === undefined) return;
      const { profiles, refusals } = readPprof(gunzipSync(packed));
      const profile = profiles[0]?.profile as Profile;
      assert.deepEqual(refusals, []);
      assert.deepEqual(
        profile.sampleTypes.map(({ type, unit }) => `${type}/${unit}`),
        golden.types,
      );
      assert.deepEqual(totalsOf(profile), golden.totals);
      assert.equal(profile.samples.length, golden.samples);
      if (golden.period !== undefined) assert.equal(profile.period, golden.period);
      if (golden.durationNanos !== undefined) assert.equal(profile.durationNanos, golden.durationNanos);

      const tree = callTree(profile, golden.types.length - 1);
      const table = topTable(tree);
      const self = new Map(Array.from(table.name, (name, i) => [tree.names[name] as string, table.self[i]]));
      for (const [name, value] of Object.entries(golden.self)) assert.equal(self.get(name), value, name);

      const back = readPprof(writePprof(profile)).profiles[0]?.profile as Profile;
      assert.deepEqual(stacksOf(back), stacksOf(profile));
      compared++;
      t.diagnostic(`${compared} of ${GOLDEN.length} compared`);
    });
  }
});
