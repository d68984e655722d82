import { pairHash } from '../pair-index.js';

/**
 * Gives 64-bit keys a running index. async-profiler's keys are dense and small, the JDK's are wide: the former are
 * looked up in an array, the latter by open addressing. No object per entry.
 */

/** Keys below four times the number that is expected count as dense, up to this key: 256 KiB at the most. */
const DIRECT_KEYS_MAX = 65_536;

export class KeyIndex {
  length = 0;
  private readonly directLength: number;
  private low: Uint32Array<ArrayBuffer>;
  private high: Uint32Array<ArrayBuffer>;
  /** Index + 1 of the small keys; 0 where there is none. */
  private readonly direct: Int32Array;
  /** Index + 1 of the other keys; 0 where there is none. */
  private slots = new Int32Array(0);
  private hashed = 0;

  constructor(private readonly expected: number) {
    this.direct = new Int32Array(Math.min(64 + expected * 4, DIRECT_KEYS_MAX));
    this.directLength = this.direct.length;
    this.low = new Uint32Array(Math.max(expected, 16));
    this.high = new Uint32Array(Math.max(expected, 16));
  }

  /** The index of a key; -1 when it was never put. */
  find(low: number, high: number): number {
    if (high === 0 && low < this.directLength) return (this.direct[low] as number) - 1;
    if (this.hashed === 0) return -1;
    return (this.slots[this.slot(low, high)] as number) - 1;
  }

  /** Puts a key: its index when it is new, -1 when it was there. */
  put(low: number, high: number): number {
    if (high === 0 && low < this.directLength) {
      if (this.direct[low] !== 0) return -1;
      this.direct[low] = this.length + 1;
    } else {
      if (this.hashed * 2 >= this.slots.length) this.growSlots();
      const slot = this.slot(low, high);
      if (this.slots[slot] !== 0) return -1;
      this.slots[slot] = this.length + 1;
      this.hashed++;
    }
    if (this.length === this.low.length) {
      this.low = doubled(this.low);
      this.high = doubled(this.high);
    }
    this.low[this.length] = low;
    this.high[this.length] = high;
    return this.length++;
  }

  private slot(low: number, high: number): number {
    const mask = this.slots.length - 1;
    for (let slot = pairHash(low, high) & mask; ; slot = (slot + 1) & mask) {
      const index = (this.slots[slot] as number) - 1;
      if (index < 0 || (this.low[index] === low && this.high[index] === high)) return slot;
    }
  }

  private growSlots(): void {
    const expectedSlots = this.slots.length === 0 ? 2 ** Math.ceil(Math.log2(this.expected * 2 + 1)) : 0;
    this.slots = new Int32Array(Math.max(64, this.slots.length * 2, expectedSlots));
    for (let index = 0; index < this.length; index++) {
      const low = this.low[index] as number;
      const high = this.high[index] as number;
      if (high === 0 && low < this.directLength) continue;
      this.slots[this.slot(low, high)] = index + 1;
    }
  }
}

function doubled(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(column.length * 2);
  grown.set(column);
  return grown;
}
