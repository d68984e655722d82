/** Random numbers from a seed, so that a run can be planned again: a 32-bit counter through the finaliser of MurmurHash3. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  number() {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let h = this.#state;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return ((h ^ (h >>> 16)) >>> 0) / 0x1_0000_0000;
  }

  /** A whole number in [0, end). */
  below(end) {
    return Math.floor(this.number() * end);
  }

  between(from, to) {
    return from + this.number() * (to - from);
  }

  chance(probability) {
    return this.number() < probability;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[this.below(list.length)];
  }

  /** A source of its own, whose numbers do not depend on how many others are drawn here. */
  fork() {
    return new Random(this.below(0x1_0000_0000));
  }
}
