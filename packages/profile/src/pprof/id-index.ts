const TWO_32 = 0x1_0000_0000;

/**
 * uint64 id → row. Writers number from 1, so most ids are found in an array; the others, which may be anything up to
 * 2^64 − 1, in a map, exactly.
 */
export class IdIndex {
  private readonly dense: Int32Array;
  private readonly sparse = new Map<number | bigint, number>();

  constructor(count: number) {
    this.dense = new Int32Array(count * 2 + 1).fill(-1);
  }

  /** False when the id is taken. */
  put(low: number, high: number, row: number): boolean {
    if (this.get(low, high) !== -1) return false;
    if (high === 0 && low < this.dense.length) this.dense[low] = row;
    else this.sparse.set(keyOf(low, high), row);
    return true;
  }

  /** The row, or −1. */
  get(low: number, high: number): number {
    if (high === 0 && low < this.dense.length) return this.dense[low] as number;
    return this.sparse.get(keyOf(low, high)) ?? -1;
  }
}

function keyOf(low: number, high: number): number | bigint {
  return high < 0x20_0000 ? high * TWO_32 + low : (BigInt(high) << 32n) | BigInt(low);
}
