import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tryReader } from '../fuzz/reader-trial.js';
import { DEFAULT_READ_LIMITS } from '../limits.js';
import { pprofFromDrawing } from '../testing/pprof-drawing.js';
import { profileFromStacks } from '../testing/stack-drawing.js';
import { readPprof } from './decode.js';
import { writePprof } from './encode.js';

const NAMES = ['main', 'a', 'b', 'malloc', 'Ünï🙂', ''];
const INPUTS = [
  writePprof(profileFromStacks('main;a;b 5\nmain;a {thread=one} 7\nmain;c:3 2\nx;y;z;x;y;z 100000')),
  pprofFromDrawing({
    types: ['samples/count', 'inuse_space/bytes'],
    samples: [
      {
        stack: [1, 2, 3],
        values: [1, -40],
        labels: [
          { key: 'k', text: 'v' },
          { key: 'n', number: 9 },
        ],
      },
      { stack: [4, 5, 2 ** 40], values: [2, 2n ** 52n] },
    ],
    locations: [1, 2, 3, 4, 5, 2 ** 40].map((id, i) => ({
      id,
      address: 4096 * i,
      lines: [
        [(i % 6) + 1, i],
        [1, 2],
      ].slice(i % 3),
    })),
    functions: NAMES.map((name, i) => ({ id: i + 1, name, systemName: `_${name}`, file: 'f.go', startLine: i })),
    dropFrames: 'mal.*|b',
    keepFrames: 'a',
    timeNanos: 1_716_289_943_109_000_001n,
    durationNanos: 10n,
    period: 100n,
  }),
];

describe('readPprof on damaged input', () => {
  for (const limits of [
    DEFAULT_READ_LIMITS,
    { ...DEFAULT_READ_LIMITS, depthMax: 2, nameBytesMax: 3, labelNamesMax: 1 },
  ]) {
    it(`reads or refuses, with depth ${limits.depthMax}`, (t) => {
      const seed = Number(process.env['PILOTLIGHT_FUZZ_SEED'] ?? Date.now() % 1_000_000);
      const read = (bytes: Uint8Array) => readPprof(bytes, { limits });
      const result = tryReader({ inputs: INPUTS, read, seed, runs: 4000 });
      t.diagnostic(`seed ${seed}: ${result.read} read, ${result.refused} refused`);
      assert.ok(result.read > 100 && result.refused > 100, JSON.stringify(result));
    });
  }
});
