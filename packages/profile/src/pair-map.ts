import { pairHash } from './pair-index.js';

const NONE = -1;
const ENTRY_WORDS = 4;

/**
 * A pair of whole numbers → a whole number from 0, by open addressing. Key and value stand side by side, so that finding
 * one touches one cache line, where `PairIndex`, which gives out running indexes, touches three.
 */
export class PairMap {
  private count = 0;
  private entries: Int32Array;

  /** `capacity`, a power of two, is how many pairs fit before the first growth. */
  constructor(capacity = 64) {
    this.entries = emptyEntries(capacity * 2);
  }

  /** The value of a pair; −1 when it has none. */
  get(first: number, second: number): number {
    const { entries } = this;
    const mask = entries.length - 1;
    for (let at = (pairHash(first, second) * ENTRY_WORDS) & mask; ; at = (at + ENTRY_WORDS) & mask) {
      const value = entries[at + 2] as number;
      if (value === NONE || (entries[at] === first && entries[at + 1] === second)) return value;
    }
  }

  /** Gives a value to a pair that has none. */
  add(first: number, second: number, value: number): void {
    if (++this.count * ENTRY_WORDS * 2 > this.entries.length) this.grow();
    put(this.entries, first, second, value);
  }

  private grow(): void {
    const { entries } = this;
    const grown = emptyEntries((entries.length / ENTRY_WORDS) * 2);
    for (let at = 0; at < entries.length; at += ENTRY_WORDS) {
      const value = entries[at + 2] as number;
      if (value !== NONE) put(grown, entries[at] as number, entries[at + 1] as number, value);
    }
    this.entries = grown;
  }
}

function put(entries: Int32Array, first: number, second: number, value: number): void {
  const mask = entries.length - 1;
  let at = (pairHash(first, second) * ENTRY_WORDS) & mask;
  while (entries[at + 2] !== NONE) at = (at + ENTRY_WORDS) & mask;
  entries[at] = first;
  entries[at + 1] = second;
  entries[at + 2] = value;
}

function emptyEntries(count: number): Int32Array {
  return new Int32Array(count * ENTRY_WORDS).fill(NONE);
}
