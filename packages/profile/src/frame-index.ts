import type { FrameTable } from './model.js';

/** Multipliers of the hash, odd, other ones in each process; see `pair-index.ts`. */
const [NAME, SYSTEM_NAME, FILE, START_LINE, LINE] = Array.from(
  { length: 5 },
  () => (Math.random() * 0x1_0000_0000) | 1,
) as [number, number, number, number, number];

/** Distinct frames → running indexes, by open addressing over the columns they are kept in. */
export class FrameIndex {
  length = 0;
  private name: Int32Array<ArrayBuffer>;
  private systemName: Int32Array<ArrayBuffer>;
  private file: Int32Array<ArrayBuffer>;
  private startLine: Int32Array<ArrayBuffer>;
  private line: Int32Array<ArrayBuffer>;
  private kind: Uint8Array;
  private slots: Int32Array;

  /** `capacity`, a power of two, is how many frames fit before the first growth. */
  constructor(capacity = 256) {
    this.name = new Int32Array(capacity);
    this.systemName = new Int32Array(capacity);
    this.file = new Int32Array(capacity);
    this.startLine = new Int32Array(capacity);
    this.line = new Int32Array(capacity);
    this.kind = new Uint8Array(capacity);
    this.slots = new Int32Array(capacity * 2).fill(-1);
  }

  indexOf(name: number, systemName: number, file: number, startLine: number, line: number, kind: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = frameHash(name, systemName, file, startLine, line, kind) & mask;
    for (;;) {
      const index = slots[slot] as number;
      if (index < 0) break;
      if (
        this.name[index] === name &&
        this.line[index] === line &&
        this.systemName[index] === systemName &&
        this.file[index] === file &&
        this.startLine[index] === startLine &&
        this.kind[index] === kind
      ) {
        return index;
      }
      slot = (slot + 1) & mask;
    }
    const index = this.length++;
    slots[slot] = index;
    this.name[index] = name;
    this.systemName[index] = systemName;
    this.file[index] = file;
    this.startLine[index] = startLine;
    this.line[index] = line;
    this.kind[index] = kind;
    if (this.length === this.name.length) this.grow();
    return index;
  }

  finish(): FrameTable {
    const { length } = this;
    return {
      length,
      name: this.name.slice(0, length),
      systemName: this.systemName.slice(0, length),
      file: this.file.slice(0, length),
      startLine: this.startLine.slice(0, length),
      line: this.line.slice(0, length),
      kind: this.kind.slice(0, length),
    };
  }

  private grow(): void {
    this.name = doubled(this.name);
    this.systemName = doubled(this.systemName);
    this.file = doubled(this.file);
    this.startLine = doubled(this.startLine);
    this.line = doubled(this.line);
    const kind = new Uint8Array(this.kind.length * 2);
    kind.set(this.kind);
    this.kind = kind;
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = this.slots.length - 1;
    for (let index = 0; index < this.length; index++) {
      let slot = this.hashOf(index) & mask;
      while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = index;
    }
  }

  private hashOf(index: number): number {
    return frameHash(
      this.name[index] as number,
      this.systemName[index] as number,
      this.file[index] as number,
      this.startLine[index] as number,
      this.line[index] as number,
      this.kind[index] as number,
    );
  }
}

export function doubled(column: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(column.length * 2);
  copy.set(column);
  return copy;
}

function frameHash(
  name: number,
  systemName: number,
  file: number,
  startLine: number,
  line: number,
  kind: number,
): number {
  let hash = (Math.imul(name, NAME) + Math.imul(systemName, SYSTEM_NAME) + Math.imul(file, FILE)) | 0;
  hash = (hash + Math.imul(startLine, START_LINE) + Math.imul(line, LINE) + kind) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 15);
}
