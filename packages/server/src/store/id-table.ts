/** 52-bit ids → running rows, by open addressing in typed arrays: 16 bytes an id, no object per entry. */
export class IdTable {
  length = 0;
  ids: Float64Array;
  private slots: Int32Array;

  constructor(capacity = 256) {
    this.ids = new Float64Array(capacity);
    this.slots = new Int32Array(capacity * 2).fill(-1);
  }

  /** A table of distinct ids, in the order given. */
  static from(ids: Float64Array): IdTable {
    let capacity = 256;
    while (capacity < ids.length + (ids.length >> 2)) capacity *= 2;
    const table = new IdTable(capacity);
    table.ids.set(ids);
    table.length = ids.length;
    for (let row = 0; row < ids.length; row++) table.place(ids[row] as number, row);
    return table;
  }

  /** The row of an id, or −1. */
  find(id: number): number {
    const mask = this.slots.length - 1;
    let slot = hash(id) & mask;
    for (;;) {
      const row = this.slots[slot] as number;
      if (row < 0 || this.ids[row] === id) return row;
      slot = (slot + 1) & mask;
    }
  }

  /** Adds an id that is not there yet; its row. */
  add(id: number): number {
    if (this.length === this.ids.length) this.grow();
    const row = this.length++;
    this.ids[row] = id;
    this.place(id, row);
    return row;
  }

  private place(id: number, row: number): void {
    const mask = this.slots.length - 1;
    let slot = hash(id) & mask;
    while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask;
    this.slots[slot] = row;
  }

  private grow(): void {
    const ids = new Float64Array(this.ids.length * 2);
    ids.set(this.ids);
    this.ids = ids;
    this.slots = new Int32Array(ids.length * 2).fill(-1);
    for (let row = 0; row < this.length; row++) this.place(ids[row] as number, row);
  }
}

/** The ids are hashes already, but of hostile or test input they may be small: both halves are stirred once more. */
function hash(id: number): number {
  const h = Math.imul((id | 0) ^ Math.imul((id / 0x1_0000_0000) | 0, 0x9e3779b1), 0x85ebca6b);
  return (h ^ (h >>> 15)) >>> 0;
}

/** Columns that grow together with a table of rows. */
export function grown<T extends Float64Array | Int32Array | Uint16Array | Uint8Array>(column: T, length: number): T {
  if (length <= column.length) return column;
  const larger = new (column.constructor as new (n: number) => T)(Math.max(length, column.length * 2));
  larger.set(column as never);
  return larger;
}
