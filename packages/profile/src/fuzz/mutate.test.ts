import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PilotlightError } from '../errors.js';
import { mutate } from './mutate.js';
import { Random } from './random.js';
import { tryReader } from './reader-trial.js';

const input = Uint8Array.from({ length: 200 }, (_, i) => i);

describe('mutate', () => {
  it('gives the same mutants for the same seed, leaves the input alone, and takes nothing as input', () => {
    const mutants = (seed: number) => {
      const random = new Random(seed);
      return Array.from({ length: 200 }, () => mutate(input, random));
    };
    assert.deepEqual(mutants(1), mutants(1));
    assert.notDeepEqual(mutants(1), mutants(2));
    assert.deepEqual(
      [...input],
      Array.from({ length: 200 }, (_, i) => i),
    );
    const changed = mutants(3).filter((mutant) => Buffer.compare(mutant, input) !== 0);
    assert.ok(changed.length > 180, `${changed.length} of 200 differ`);
    const random = new Random(4);
    for (let i = 0; i < 200; i++) mutate(new Uint8Array(), random);
  });
});

describe('tryReader', () => {
  const trial = { inputs: [input], seed: 7, runs: 50 };

  it('counts readings and refusals', () => {
    let calls = 0;
    const read = () => {
      if (calls++ % 2 === 0) throw new PilotlightError('malformed_profile', 'no');
      return { profiles: [], refusals: [] };
    };
    assert.deepEqual(tryReader({ ...trial, read }), { runs: 50, read: 25, refused: 25 });
  });

  it('throws at any other answer, naming seed and run', () => {
    for (const error of [new TypeError('oops'), new PilotlightError('internal', 'oops')]) {
      const read = () => {
        throw error;
      };
      assert.throws(() => tryReader({ ...trial, read }), /seed 7, run 0, input [0-9a-f]*/);
    }
  });
});
