import { PilotlightError } from '../errors.js';
import { cutToBytes } from '../name-limit.js';

/**
 * Reads the primitives of a JFR chunk with compressed integers.
 *
 * A varint has 7 bits a byte, least significant first, and at most nine bytes, of which the ninth carries eight bits.
 * Ids and span ids use all 64 bits, so a long is read into two halves (`low`, `high`, unsigned) and only numbers that
 * are known to be small are read as a JS number. Positions are offsets into the whole file, so that every error can
 * name one. Each read checks `end`, which is set to the end of the event or of the chunk.
 */

export const VARINT_BYTES_MAX = 9;
const TWO_32 = 0x1_0000_0000;
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
/** Below this length a loop over char codes beats the decoder's call. */
const SHORT_TEXT_BYTES = 12;

/** Says what was expected where; the caller adds which chunk. */
export function malformed(offset: number, message: string): PilotlightError {
  return new PilotlightError('malformed_profile', `offset ${offset}: ${message}`, { offset });
}

/** Finds the text of a `java.lang.String` pool entry; '' when there is none. */
export type StringLookup = (low: number, high: number) => string;

const NO_STRINGS: StringLookup = () => '';

export class Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  position: number;
  end: number;
  /** The halves of the last `long`. */
  low = 0;
  high = 0;
  /** Counts what `skipVarints` passed over that may have had nine bytes, the last of which looks like no last one. */
  longVarints = 0;

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = position;
    this.end = end;
  }

  /** Makes sure that `count` bytes are left; `what` names them in the error. */
  need(count: number, what: string): void {
    const left = this.end - this.position;
    if (!(count <= left)) throw malformed(this.position, `expected ${what} (${count} bytes), ${left} bytes are left`);
  }

  skip(count: number, what: string): void {
    this.need(count, what);
    this.position += count;
  }

  byte(): number {
    if (this.position >= this.end) this.need(1, 'a byte');
    return this.bytes[this.position++] as number;
  }

  /** A varint as an unsigned number: exact below 2^53, rounded above. */
  varint(): number {
    if (this.position < this.end) {
      const byte = this.bytes[this.position] as number;
      if (byte < 0x80) {
        this.position++;
        return byte;
      }
    }
    this.long();
    return this.high * TWO_32 + this.low;
  }

  /** A varint into `low` and `high`, all 64 bits exact. */
  long(): void {
    const { bytes, end, position } = this;
    if (position + 3 <= end) {
      // Most keys have one to three bytes.
      const first = bytes[position] as number;
      const second = bytes[position + 1] as number;
      const third = bytes[position + 2] as number;
      const size = first < 0x80 ? 1 : second < 0x80 ? 2 : third < 0x80 ? 3 : 0;
      if (size > 0) {
        this.low = size === 1 ? first : (first & 0x7f) | ((second & 0x7f) << 7) | (size === 3 ? third << 14 : 0);
        this.high = 0;
        this.position = position + size;
        return;
      }
    }
    this.longOfAnySize();
  }

  private longOfAnySize(): void {
    const { bytes, end } = this;
    let position = this.position;
    let low = 0;
    let high = 0;
    for (let i = 0; i < 9; i++) {
      if (position >= end) this.need(end - this.position + 1, 'a varint');
      const byte = bytes[position++] as number;
      const bits = i === 8 ? byte : byte & 0x7f;
      if (i < 4) low |= bits << (7 * i);
      else if (i === 4) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (7 * i - 32);
      if (byte < 0x80) break;
    }
    this.position = position;
    this.low = low >>> 0;
    this.high = high >>> 0;
  }

  skipVarint(): void {
    const { bytes, end } = this;
    const last = Math.min(end, this.position + 9) - 1;
    let position = this.position;
    while (position < last && (bytes[position] as number) >= 0x80) position++;
    if (position >= end || ((bytes[position] as number) >= 0x80 && position - this.position < 8))
      this.need(end - this.position + 1, 'a varint');
    this.position = position + 1;
  }

  /**
   * Four bytes at a time: in a varint's last byte the top bit is clear, so the clear top bits of a word count the
   * varints that end in it. Only a word of nothing but continuations may belong to a varint of nine bytes, and is left
   * to the slow way.
   */
  skipVarints(count: number): void {
    const { view } = this;
    const wordEnd = this.end - 4;
    let position = this.position;
    let left = count;
    while (left >= 4 && position <= wordEnd) {
      const ends = ~view.getUint32(position) & 0x80808080;
      if (ends === 0) {
        while (position > this.position && (this.bytes[position - 1] as number) >= 0x80) position--;
        this.position = position;
        this.skipVarint();
        this.longVarints++;
        position = this.position;
        left--;
        continue;
      }
      left -= Math.imul(ends >>> 7, 0x01010101) >>> 24;
      position += 4;
    }
    // The last word may end inside a varint.
    while (position > this.position && (this.bytes[position - 1] as number) >= 0x80) position--;
    this.position = position;
    for (; left > 0; left--) {
      const start = this.position;
      this.skipVarint();
      if (this.position - start === 9) this.longVarints++;
    }
  }

  /**
   * A string in any of the six encodings; null reads as ''. Of a longer text `bytesMax` bytes are kept, in whole
   * characters.
   */
  string(bytesMax: number, lookup: StringLookup = NO_STRINGS): string {
    const start = this.position;
    const encoding = this.byte();
    switch (encoding) {
      case 0:
      case 1:
        return '';
      case 2:
        this.long();
        return lookup(this.low, this.high);
      case 3:
      case 5: {
        const length = this.varint();
        const from = this.position;
        this.skip(length, 'a string');
        if (encoding === 5) return cutToBytes(latin1(this.bytes, from, from + Math.min(length, bytesMax)), bytesMax);
        return utf8(this.bytes, from, length <= bytesMax ? from + length : characterEnd(this.bytes, from + bytesMax));
      }
      case 4:
        return cutToBytes(this.utf16(bytesMax), bytesMax);
      default:
        throw malformed(start, `expected a string encoding from 0 to 5, found ${encoding}`);
    }
  }

  skipString(): void {
    const start = this.position;
    const encoding = this.byte();
    if (encoding === 3 || encoding === 5) this.skip(this.varint(), 'a string');
    else if (encoding === 4) {
      const length = this.varint();
      this.need(length, 'a UTF-16 string');
      this.skipVarints(length);
    } else if (encoding === 2) this.skipVarints(1);
    else if (encoding > 5) throw malformed(start, `expected a string encoding from 0 to 5, found ${encoding}`);
  }

  private utf16(lengthMax: number): string {
    const length = this.varint();
    this.need(length, 'a UTF-16 string');
    const kept = Math.min(length, lengthMax);
    let text = '';
    for (let i = 0; i < kept; i++) text += String.fromCharCode(this.varint() & 0xffff);
    this.skipVarints(length - kept);
    return text;
  }
}

/**
 * The end of the last whole character before `end`; four bytes are the longest, so bytes that are no text are not
 * searched further.
 */
function characterEnd(bytes: Uint8Array, end: number): number {
  for (let back = 0; back < 3; back++) if (((bytes[end - back] as number) & 0xc0) !== 0x80) return end - back;
  return end - 3;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i] as number);
  return text;
}

function utf8(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > SHORT_TEXT_BYTES) return UTF8.decode(bytes.subarray(from, to));
  let text = '';
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80) return UTF8.decode(bytes.subarray(from, to));
    text += String.fromCharCode(byte);
  }
  return text;
}
