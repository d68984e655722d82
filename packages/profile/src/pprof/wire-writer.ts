import { BYTES, VARINT } from './wire.js';

const TWO_32 = 0x1_0000_0000;
const UTF8 = new TextEncoder();
/** Lengths below take one byte. */
const SHORT_LENGTH_END = 0x80;
const VARINT_BYTES_MAX = 10;

/** Writes protobuf into a buffer that grows. Fields with value 0 are the caller's to leave out. */
export class WireWriter {
  length = 0;
  private bytes: Uint8Array;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  /** A whole number within ±(2^53 − 1), as int64; or a larger one below 2^63, as exact as it came. */
  varint(value: number): void {
    this.reserve(VARINT_BYTES_MAX);
    const { bytes } = this;
    let at = this.length;
    let low = value >>> 0;
    let high = Math.floor(value / TWO_32) >>> 0;
    while (high !== 0) {
      bytes[at++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    while (low >= 0x80) {
      bytes[at++] = (low & 0x7f) | 0x80;
      low >>>= 7;
    }
    bytes[at++] = low;
    this.length = at;
  }

  field(field: number, value: number): void {
    this.varint((field << 3) | VARINT);
    this.varint(value);
  }

  /** An int64 or uint64 that need not be exact in a number. */
  varintExact(value: bigint): void {
    this.reserve(VARINT_BYTES_MAX);
    let rest = BigInt.asUintN(64, value);
    for (; rest >= 0x80n; rest >>= 7n) this.bytes[this.length++] = Number(rest & 0x7fn) | 0x80;
    this.bytes[this.length++] = Number(rest);
  }

  fieldExact(field: number, value: bigint): void {
    this.varint((field << 3) | VARINT);
    this.varintExact(value);
  }

  /** A message, or packed numbers, written by another writer. */
  message(field: number, content: WireWriter): void {
    this.bytesField(field, content.bytes.subarray(0, content.length));
  }

  text(field: number, text: string): void {
    this.varint((field << 3) | BYTES);
    if (text.length < SHORT_LENGTH_END && this.shortAscii(text)) return;
    this.raw(UTF8.encode(text));
  }

  bytesField(field: number, content: Uint8Array): void {
    this.varint((field << 3) | BYTES);
    this.raw(content);
  }

  /** Most names are short ASCII: length byte and characters. False, with nothing written, for others. */
  private shortAscii(text: string): boolean {
    this.reserve(SHORT_LENGTH_END);
    const { bytes } = this;
    let at = this.length;
    bytes[at++] = text.length;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) return false;
      bytes[at++] = unit;
    }
    this.length = at;
    return true;
  }

  /** Length and bytes. */
  private raw(content: Uint8Array): void {
    this.varint(content.length);
    this.rawBytes(content);
  }

  /** Bytes as they are. */
  rawBytes(content: Uint8Array): void {
    this.reserve(content.length);
    this.bytes.set(content, this.length);
    this.length += content.length;
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}
