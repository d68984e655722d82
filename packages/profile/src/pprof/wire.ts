import { PilotlightError } from '../errors.js';

/** How a field's value lies in the bytes (protobuf wire types; groups are not taken). */
export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

const TWO_32 = 0x1_0000_0000;
/** High half of 2^53: the first that an exact number cannot have. */
const HIGH_EXACT_END = 0x20_0000;

/**
 * Reads protobuf out of `bytes`, never past `end`. One reader serves all messages of an input: `enter` moves it.
 * What cannot be read is a `malformed_profile` that names the byte.
 */
export class WireReader {
  readonly bytes: Uint8Array;
  position = 0;
  end: number;
  /** The last varint, as two unsigned halves: 64 bits never pass through one number unseen. */
  low = 0;
  high = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.end = bytes.length;
  }

  enter(start: number, end: number): void {
    this.position = start;
    this.end = end;
  }

  get more(): boolean {
    return this.position < this.end;
  }

  /** Field number and wire type, `number << 3 | type`. */
  tag(): number {
    const at = this.position;
    this.varint();
    if (this.high !== 0 || this.low < 8) this.fail(at, 'a field number out of range');
    return this.low;
  }

  /** Reads a varint into `low` and `high`. */
  varint(): void {
    const { bytes, end } = this;
    const start = this.position;
    // Most numbers are ids and counts of one byte.
    if (start < end && (bytes[start] as number) < 0x80) {
      this.low = bytes[start] as number;
      this.high = 0;
      this.position = start + 1;
      return;
    }
    let at = start;
    let low = 0;
    let high = 0;
    let byte: number;
    let shift = 0;
    do {
      if (at >= end) this.fail(start, 'a number that does not end');
      byte = bytes[at++] as number;
      const part = byte & 0x7f;
      if (shift < 28) low |= part << shift;
      else if (shift === 28) {
        low |= part << 28;
        high = part >>> 4;
      } else if (shift < 64) high |= part << (shift - 32);
      else this.fail(start, 'a number longer than 10 bytes');
      shift += 7;
    } while (byte >= 0x80);
    this.position = at;
    this.low = low >>> 0;
    this.high = high >>> 0;
  }

  /** The last varint as int64; NaN when it is not within ±(2^53 − 1). */
  int64(): number {
    const { low, high } = this;
    if (high < HIGH_EXACT_END) return high * TWO_32 + low;
    const value = (high | 0) * TWO_32 + low;
    return value >= Number.MIN_SAFE_INTEGER && value < 0 ? value : Number.NaN;
  }

  /** The last varint as int64, exactly. */
  int64Exact(): bigint {
    return BigInt.asIntN(64, (BigInt(this.high) << 32n) | BigInt(this.low));
  }

  /** The last varint as an index or a line: below 2^31, else −1. */
  int31(): number {
    return this.high === 0 && this.low <= 0x7fff_ffff ? this.low : -1;
  }

  /** Reads the length of a bytes field and returns where it ends. */
  lengthEnd(): number {
    const at = this.position;
    this.varint();
    if (this.high !== 0 || this.low > this.end - this.position) this.fail(at, 'a length past the end');
    return this.position + this.low;
  }

  /** Moves past the value of a field nobody asked for. */
  skip(tag: number): void {
    const at = this.position;
    switch (tag & 7) {
      case VARINT:
        this.varint();
        return;
      case BYTES:
        this.position = this.lengthEnd();
        return;
      case FIXED64:
        this.position += 8;
        break;
      case FIXED32:
        this.position += 4;
        break;
      default:
        this.fail(at, `a field of wire type ${tag & 7}`);
    }
    if (this.position > this.end) this.fail(at, 'a fixed number past the end');
  }

  /** Checks that a known field has the wire type it must have. */
  expect(tag: number, type: number): void {
    if ((tag & 7) !== type)
      this.fail(this.position, `field ${tag >>> 3} with wire type ${tag & 7} in place of ${type}`);
  }

  fail(offset: number, what: string): never {
    throw new PilotlightError('malformed_profile', `pprof: ${what}, at byte ${offset} of ${this.bytes.length}`, {
      offset,
    });
  }
}
