import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { nthLargest } from './largest.js';

it('finds the n-th largest of values with many equal ones', () => {
  const some = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true })), { minLength: 1 });
  fc.assert(
    fc.property(some, fc.nat(), (values, number) => {
      const index = number % values.length;
      const sorted = Float64Array.from(values).sort().reverse();
      // Zero has two signs, which are equal.
      assert.equal(nthLargest(Float64Array.from(values), index + 1) === sorted[index], true);
    }),
  );
});

it('takes no longer for rows in order or all equal', () => {
  const length = 200_000;
  assert.equal(nthLargest(new Float64Array(length), 17), 0);
  assert.equal(
    nthLargest(
      Float64Array.from({ length }, (_, i) => i),
      1,
    ),
    length - 1,
  );
});
