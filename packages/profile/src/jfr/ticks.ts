/**
 * Ticks of a chunk's clock to nanoseconds, in whole numbers.
 *
 * The frequency is seldom round (2,303,974,730 a second), so a span has a fraction of a nanosecond left over. It is
 * carried to the next span: the sum of all spans is then right to the nanosecond, however many there are.
 */

/** 31,250 × 32,000 = 10^9: with two steps every product stays exact in a double. */
const FIRST_STEP = 31_250;
const SECOND_STEP = 32_000;

/** Times either step it stays below 2^53. */
export const TICKS_PER_SECOND_MAX = 100_000_000_000;

export class TickClock {
  /** Left over, in 1 / `perSecond` nanoseconds. */
  private carried = 0;

  /** `perSecond` is a whole number from 1 to TICKS_PER_SECOND_MAX. */
  constructor(private readonly perSecond: number) {}

  /**
   * Nanoseconds of a span of ticks, a whole number from 0 to 2^53 − 1. The result is inexact only where it is above
   * 2^53 itself.
   */
  nanos(ticks: number): number {
    const { perSecond } = this;
    if (perSecond === 1_000_000_000) return ticks;
    const seconds = quotient(ticks, perSecond);
    const rest = (ticks - seconds * perSecond) * FIRST_STEP;
    const firstPart = quotient(rest, perSecond);
    const secondRest = (rest - firstPart * perSecond) * SECOND_STEP + this.carried;
    const secondPart = quotient(secondRest, perSecond);
    this.carried = secondRest - secondPart * perSecond;
    return seconds * 1_000_000_000 + firstPart * SECOND_STEP + secondPart;
  }

  /** Nanoseconds of one span, to show: the same for the same number of ticks. */
  roundedNanos(ticks: number): number {
    return Math.round((ticks / this.perSecond) * 1e9);
  }
}

/** ⌊a / b⌋ of whole numbers below 2^53; the division alone may round up to the next whole number. */
function quotient(a: number, b: number): number {
  const q = Math.floor(a / b);
  return q * b > a ? q - 1 : q;
}
