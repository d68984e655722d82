import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkProfile } from '../check.js';
import { PilotlightError } from '../errors.js';
import { tryReader } from '../fuzz/reader-trial.js';
import { DEFAULT_READ_LIMITS, type ReadLimits } from '../limits.js';
import { type PprofDrawing, pprofFromDrawing } from '../testing/pprof-drawing.js';
import { profileFromStacks, stacksOf } from '../testing/stack-drawing.js';
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
const NARROW: ReadLimits = { ...DEFAULT_READ_LIMITS, depthMax: 2, nameBytesMax: 3, labelNamesMax: 1 };

describe('readPprof on damaged bytes', () => {
  for (const limits of [DEFAULT_READ_LIMITS, NARROW]) {
    it(`reads or refuses, with depth ${limits.depthMax}`, (t) => {
      const seed = Number(process.env['PILOTLIGHT_FUZZ_SEED'] ?? Date.now() % 1_000_000);
      const read = (bytes: Uint8Array) => readPprof(bytes, { limits });
      const result = tryReader({ inputs: INPUTS, read, seed, runs: 4000 });
      t.diagnostic(`seed ${seed}: ${result.read} read, ${result.refused} refused`);
      assert.ok(result.read > 0 && result.refused > 0, JSON.stringify(result));
    });
  }
});

// Bytes damaged at random seldom remain a message. These are messages, of rows that need not fit each other.
const id = fc.oneof(fc.nat(4), fc.bigInt(0n, 2n ** 64n - 1n));
const text = fc.oneof(fc.constantFrom(...NAMES, '.*', 'a|b'), fc.nat(20), fc.uint8Array({ maxLength: 6 }));
const number64 = fc.oneof(fc.integer({ min: -3, max: 100 }), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n));
const drawing: fc.Arbitrary<PprofDrawing> = fc.record(
  {
    types: fc.constantFrom(['cpu/nanoseconds'], ['inuse_space/bytes']),
    samples: fc.array(
      fc.record({
        stack: fc.array(id, { maxLength: 6 }),
        // Mostly one value, else nothing else would ever be looked at.
        values: fc.oneof(
          { weight: 30, arbitrary: fc.tuple(number64) },
          { weight: 1, arbitrary: fc.array(number64, { maxLength: 2 }) },
        ),
        labels: fc.array(fc.record({ key: text, text }), { maxLength: 3 }),
      }),
      { maxLength: 8 },
    ),
    locations: fc.array(fc.record({ id, address: id, lines: fc.array(fc.tuple(id, number64), { maxLength: 3 }) }), {
      maxLength: 6,
    }),
    functions: fc.array(fc.record({ id, name: text, systemName: text, file: text, startLine: fc.nat() }), {
      maxLength: 6,
    }),
    dropFrames: fc.constantFrom('a|b', '.*', 'mal.*', '[x'),
    timeNanos: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    durationNanos: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    period: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
    unpacked: fc.boolean(),
  },
  { requiredKeys: ['types', 'samples'] },
);

describe('readPprof on messages of rows that do not fit', () => {
  it('reads what can be read, and what it read can be written and read again', (t) => {
    let readings = 0;
    fc.assert(
      fc.property(drawing, fc.constantFrom(DEFAULT_READ_LIMITS, NARROW), (drawn, limits) => {
        let profile: Parameters<typeof checkProfile>[0] | undefined;
        try {
          profile = readPprof(pprofFromDrawing(drawn), { limits }).profiles[0]?.profile;
        } catch (error) {
          assert.ok(error instanceof PilotlightError && error.code !== 'internal', String(error));
          return;
        }
        assert.ok(profile !== undefined);
        checkProfile(profile);
        const again = readPprof(writePprof(profile)).profiles[0]?.profile;
        assert.ok(again !== undefined);
        assert.deepEqual(stacksOf(again), stacksOf(profile));
        readings++;
      }),
      { numRuns: 500 },
    );
    t.diagnostic(`${readings} of 500 read`);
    assert.ok(readings > 100);
  });
});
