const UTF8 = new TextEncoder();
/** Longest varint: the ninth byte carries eight bits. */
const VARINT_BYTES_MAX = 9;
/** Sizes of events are written like this by the JDK, too: room for 2^28 bytes. */
const SIZE_BYTES = 4;

/** Writes the primitives of a JFR chunk with compressed integers; the other half of `Cursor`. */
export class OutBytes {
  private bytes = new Uint8Array(256);
  private length = 0;

  /** A whole number from 0 to 2^53 − 1. */
  varint(value: number): this {
    this.reserve(VARINT_BYTES_MAX);
    let left = value;
    for (; left >= 0x80; left = Math.floor(left / 0x80)) this.bytes[this.length++] = (left % 0x80) | 0x80;
    this.bytes[this.length++] = left;
    return this;
  }

  /** A whole number of either sign, as a `long`. */
  long(value: number): this {
    this.reserve(VARINT_BYTES_MAX);
    let left = BigInt.asUintN(64, BigInt(value));
    for (let count = 1; count < VARINT_BYTES_MAX && left >= 0x80n; count++) {
      this.bytes[this.length++] = Number(left & 0x7fn) | 0x80;
      left >>= 7n;
    }
    this.bytes[this.length++] = Number(left);
    return this;
  }

  text(text: string): this {
    const bytes = UTF8.encode(text);
    return this.varint(3).varint(bytes.length).raw(bytes);
  }

  raw(bytes: Uint8Array): this {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
    return this;
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  /** What was written as the body of an event, from its type on: with its size before it. */
  asEvent(): Uint8Array {
    const event = new Uint8Array(SIZE_BYTES + this.length);
    let size = event.length;
    for (let i = 0; i < SIZE_BYTES; i++, size >>>= 7) event[i] = (size & 0x7f) | (i < SIZE_BYTES - 1 ? 0x80 : 0);
    event.set(this.bytes.subarray(0, this.length), SIZE_BYTES);
    return event;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(2 * (this.length + count));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}
