/**
 * Multipliers of the hash, odd, other ones in each process: input that was made to collide here collides nowhere else.
 * Indexes are given out by order of arrival, so nothing but time depends on them.
 */
const FIRST_FACTOR = randomOdd();
const SECOND_FACTOR = randomOdd();

/** A pair of whole numbers → a running index, by open addressing in typed arrays: no object per entry. */
export class PairIndex {
  length = 0;
  first: Int32Array;
  second: Int32Array;
  private slots: Int32Array;

  /** `capacity`, a power of two, is how many pairs fit before the first growth. */
  constructor(capacity = 64) {
    this.first = new Int32Array(capacity);
    this.second = new Int32Array(capacity);
    this.slots = new Int32Array(capacity * 2).fill(-1);
  }

  /** One that takes `count` pairs without growing. */
  static sizedFor(count: number): PairIndex {
    return new PairIndex(2 ** Math.ceil(Math.log2(Math.max(count, 64))));
  }

  /** The index of the pair, given out at its first sight; `~index` when it is new. */
  put(first: number, second: number): number {
    if (this.length === this.first.length) this.grow();
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = pairHash(first, second) & mask;
    for (;;) {
      const index = slots[slot] as number;
      if (index < 0) break;
      if (this.first[index] === first && this.second[index] === second) return index;
      slot = (slot + 1) & mask;
    }
    const index = this.length++;
    this.first[index] = first;
    this.second[index] = second;
    slots[slot] = index;
    return ~index;
  }

  /** The index of the pair, new or not. */
  indexOf(first: number, second: number): number {
    const index = this.put(first, second);
    return index < 0 ? ~index : index;
  }

  private grow(): void {
    const capacity = this.first.length * 2;
    const first = new Int32Array(capacity);
    const second = new Int32Array(capacity);
    const slots = new Int32Array(capacity * 2).fill(-1);
    first.set(this.first);
    second.set(this.second);
    const mask = slots.length - 1;
    // All pairs differ, so each takes the next free slot without being compared.
    for (let index = 0; index < this.length; index++) {
      let slot = pairHash(first[index] as number, second[index] as number) & mask;
      while ((slots[slot] as number) >= 0) slot = (slot + 1) & mask;
      slots[slot] = index;
    }
    this.first = first;
    this.second = second;
    this.slots = slots;
  }
}

/** 32 mixed bits of two whole numbers, other ones in each process. */
export function pairHash(first: number, second: number): number {
  let hash = (Math.imul(first, FIRST_FACTOR) + Math.imul(second, SECOND_FACTOR)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

function randomOdd(): number {
  return (Math.random() * 0x1_0000_0000) | 1;
}
