/** Reading and writing ClickHouse's RowBinary: little-endian numbers, LEB128 lengths, no padding, no names. */

/** Lengths up to it are one byte. */
const SHORT_LENGTH_MAX = 127;
const TWO_32 = 0x1_0000_0000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class RowBinaryWriter {
  private buffer: Buffer;
  private at = 0;

  constructor(capacity = 65_536) {
    this.buffer = Buffer.allocUnsafe(capacity);
  }

  get length(): number {
    return this.at;
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.at);
  }

  uint8(value: number): void {
    this.room(1);
    this.buffer[this.at++] = value;
  }

  uint16(value: number): void {
    this.room(2);
    this.at = this.buffer.writeUInt16LE(value, this.at);
  }

  uint32(value: number): void {
    this.room(4);
    this.at = this.buffer.writeUInt32LE(value >>> 0, this.at);
  }

  /** A whole number within ±2^53 as 64 bits, two's complement. */
  int64(value: number): void {
    this.room(8);
    this.put64(value);
  }

  string(text: string): void {
    if (text.length > SHORT_LENGTH_MAX) {
      this.raw(encoder.encode(text), true);
      return;
    }
    // Most texts are short and ASCII.
    this.room(1 + text.length);
    const { buffer, at } = this;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) {
        this.raw(encoder.encode(text), true);
        return;
      }
      buffer[at + 1 + i] = code;
    }
    buffer[at] = text.length;
    this.at = at + 1 + text.length;
  }

  /** Bytes as they are (FixedString), or with their length before them (String). */
  raw(bytes: Uint8Array, withLength: boolean): void {
    if (withLength) this.varint(bytes.length);
    this.room(bytes.length);
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** An Array of 64-bit numbers, taken from `column` at the given rows, or all of it. */
  int64Array(column: ArrayLike<number>, rows?: Int32Array): void {
    const length = rows?.length ?? column.length;
    const words = new Int32Array(length * 2);
    for (let i = 0; i < length; i++) {
      const value = column[rows ? (rows[i] as number) : i] as number;
      words[2 * i] = value >>> 0;
      words[2 * i + 1] = Math.floor(value / TWO_32);
    }
    this.varint(length);
    this.words(words);
  }

  /** An Array of numbers as they lie in memory: like RowBinary, all machines this runs on are little-endian. */
  numberArray(column: BigUint64Array | Int32Array): void {
    this.varint(column.length);
    this.words(column);
  }

  stringArray(texts: readonly string[]): void {
    this.varint(texts.length);
    for (const text of texts) this.string(text);
  }

  map(entries: readonly { readonly name: string; readonly value: string }[]): void {
    this.varint(entries.length);
    for (const { name, value } of entries) {
      this.string(name);
      this.string(value);
    }
  }

  private words({ buffer, byteOffset, byteLength }: BigUint64Array | Int32Array): void {
    this.raw(new Uint8Array(buffer, byteOffset, byteLength), false);
  }

  private put64(value: number): void {
    const { buffer, at } = this;
    let low = value >>> 0;
    buffer[at] = low;
    buffer[at + 1] = low >>>= 8;
    buffer[at + 2] = low >>>= 8;
    buffer[at + 3] = low >>> 8;
    let high = Math.floor(value / TWO_32) | 0;
    buffer[at + 4] = high;
    buffer[at + 5] = high >>= 8;
    buffer[at + 6] = high >>= 8;
    buffer[at + 7] = high >> 8;
    this.at = at + 8;
  }

  private varint(value: number): void {
    this.room(5);
    while (value >= 0x80) {
      this.buffer[this.at++] = (value & 0x7f) | 0x80;
      value >>>= 7;
    }
    this.buffer[this.at++] = value;
  }

  private room(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + bytes));
    this.buffer.copy(grown, 0, 0, this.at);
    this.buffer = grown;
  }
}

/** Reads an engine's answer, which is trusted: its lengths are not checked again. */
export class RowBinaryReader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get more(): boolean {
    return this.at < this.bytes.length;
  }

  uint8(): number {
    return this.bytes[this.at++] as number;
  }

  uint16(): number {
    const value = this.view.getUint16(this.at, true);
    this.at += 2;
    return value;
  }

  uint32(): number {
    const value = this.view.getUint32(this.at, true);
    this.at += 4;
    return value;
  }

  /** 64 bits with sign as a number: exact within ±2^53, the nearest number beyond. */
  int64(): number {
    const low = this.view.getUint32(this.at, true);
    const high = this.view.getInt32(this.at + 4, true);
    this.at += 8;
    return high * TWO_32 + low;
  }

  float64(): number {
    const value = this.view.getFloat64(this.at, true);
    this.at += 8;
    return value;
  }

  string(): string {
    return decoder.decode(this.raw(this.varint()));
  }

  raw(length: number): Uint8Array {
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }

  map(): { name: string; value: string }[] {
    const length = this.varint();
    return Array.from({ length }, () => ({ name: this.string(), value: this.string() }));
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }
}
