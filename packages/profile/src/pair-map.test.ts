import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PairMap } from './pair-map.js';

describe('PairMap', () => {
  it('remembers the value of each pair as a Map would', () => {
    const number = fc.oneof(fc.integer({ min: -3, max: 40 }), fc.integer());
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number), { maxLength: 400 }), fc.constantFrom(1, 64), (pairs, capacity) => {
        const map = new PairMap(capacity);
        const expected = new Map<string, number>();
        for (const [first, second] of pairs) {
          const key = `${first} ${second}`;
          assert.equal(map.get(first, second), expected.get(key) ?? -1);
          if (expected.has(key)) continue;
          expected.set(key, expected.size);
          map.add(first, second, expected.size - 1);
        }
        for (const [first, second] of pairs) assert.equal(map.get(first, second), expected.get(`${first} ${second}`));
      }),
    );
  });
});
