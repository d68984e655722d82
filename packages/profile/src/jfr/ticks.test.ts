import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TICKS_PER_SECOND_MAX, TickClock } from './ticks.js';

describe('TickClock', () => {
  it('sums spans to the nanosecond, whatever the frequency', () => {
    const frequency = fc.oneof(
      fc.integer({ min: 1, max: TICKS_PER_SECOND_MAX }),
      fc.constantFrom(1_000_000_000, 2_303_974_730, 1_800_000_000, 24_000_000),
    );
    const spans = fc.array(
      fc.oneof(
        fc.nat(10_000),
        fc.maxSafeNat().map((ticks) => Math.floor(ticks / 1000)),
      ),
    );
    fc.assert(
      fc.property(frequency, spans, (perSecond, ticks) => {
        const clock = new TickClock(perSecond);
        let sum = 0n;
        let exactTicks = 0n;
        for (const span of ticks) {
          const nanos = clock.nanos(span);
          const exact = BigInt(span) * 1_000_000_000n;
          exactTicks += exact;
          if (!Number.isSafeInteger(nanos)) return;
          assert.ok(BigInt(nanos) === exact / BigInt(perSecond) || BigInt(nanos) === exact / BigInt(perSecond) + 1n);
          sum += BigInt(nanos);
          assert.equal(sum, exactTicks / BigInt(perSecond));
        }
      }),
    );
  });
});
