import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { KeyIndex } from './key-index.js';

const key = fc.oneof(
  fc.bigInt({ min: 0n, max: 40n }),
  fc.bigInt({ min: 65_530n, max: 65_540n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  // The same low half, and low halves that are far apart by the same step.
  fc.bigInt({ min: 0n, max: 40n }).map((n) => (n << 32n) | 7n),
  fc.bigInt({ min: 0n, max: 40n }).map((n) => n << 20n),
);

describe('KeyIndex', () => {
  it('gives 64-bit keys the indexes a Map would', () => {
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 300 }),
        fc.array(key),
        fc.constantFrom(0, 5, 20_000),
        (keys, others, hint) => {
          const index = new KeyIndex(hint);
          const expected = new Map<bigint, number>();
          for (const each of keys) {
            const isNew = !expected.has(each);
            if (isNew) expected.set(each, expected.size);
            assert.equal(index.put(low(each), high(each)), isNew ? expected.get(each) : -1);
          }
          assert.equal(index.length, expected.size);
          for (const each of [...keys, ...others]) {
            assert.equal(index.find(low(each), high(each)), expected.get(each) ?? -1);
          }
        },
      ),
    );
  });
});

function low(key: bigint): number {
  return Number(key & 0xffff_ffffn);
}

function high(key: bigint): number {
  return Number(key >> 32n);
}
