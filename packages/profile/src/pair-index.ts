/** A pair of whole numbers → a running index, by open addressing in typed arrays: no object per entry. */
export class PairIndex {
  length = 0;
  first: Int32Array;
  second: Int32Array;
  private slots: Int32Array;

  constructor(capacity = 64) {
    this.first = new Int32Array(capacity);
    this.second = new Int32Array(capacity);
    this.slots = new Int32Array(capacity * 2).fill(-1);
  }

  /** The index of the pair, given out at its first sight; `~index` when it is new. */
  put(first: number, second: number): number {
    if (this.length === this.first.length) this.grow();
    const mask = this.slots.length - 1;
    let slot = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second + 0x7f4a7c15, 0x85ebca6b)) >>> 0;
    slot = (slot ^ (slot >>> 15)) & mask;
    for (;;) {
      const index = this.slots[slot] as number;
      if (index < 0) break;
      if (this.first[index] === first && this.second[index] === second) return index;
      slot = (slot + 1) & mask;
    }
    const index = this.length++;
    this.first[index] = first;
    this.second[index] = second;
    this.slots[slot] = index;
    return ~index;
  }

  /** The index of the pair, new or not. */
  indexOf(first: number, second: number): number {
    const index = this.put(first, second);
    return index < 0 ? ~index : index;
  }

  private grow(): void {
    const capacity = this.first.length * 2;
    const { first, second, length } = this;
    this.first = new Int32Array(capacity);
    this.second = new Int32Array(capacity);
    this.slots = new Int32Array(capacity * 2).fill(-1);
    this.length = 0;
    for (let i = 0; i < length; i++) this.put(first[i] as number, second[i] as number);
  }
}
