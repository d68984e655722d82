/** Writes the primitives of JFR with compressed integers. */
export class JfrBytes {
  private readonly bytes: number[] = [];

  get length(): number {
    return this.bytes.length;
  }

  byte(value: number): this {
    this.bytes.push(value & 0xff);
    return this;
  }

  raw(bytes: Iterable<number>): this {
    for (const byte of bytes) this.bytes.push(byte);
    return this;
  }

  /** At least `bytesMin` bytes long: async-profiler pads sizes that it fills in later. */
  varint(value: number | bigint, bytesMin = 1): this {
    let left = BigInt.asUintN(64, BigInt(value));
    for (let count = 1; count < 9; count++) {
      if (left < 0x80n && count >= bytesMin) return this.byte(Number(left));
      this.byte(Number(left & 0x7fn) | 0x80);
      left >>= 7n;
    }
    return this.byte(Number(left));
  }

  utf8(text: string): this {
    const bytes = new TextEncoder().encode(text);
    return this.byte(3).varint(bytes.length).raw(bytes);
  }

  utf16(text: string): this {
    this.byte(4).varint(text.length);
    for (let i = 0; i < text.length; i++) this.varint(text.charCodeAt(i));
    return this;
  }

  latin1(text: string): this {
    this.byte(5).varint(text.length);
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i));
    return this;
  }

  /** An event of the bytes written so far: its size, which counts itself, comes before them. */
  asEvent(): Uint8Array {
    for (let sizeBytes = 1; ; sizeBytes++) {
      const size = new JfrBytes().varint(this.length + sizeBytes, sizeBytes);
      if (size.length === sizeBytes) return size.raw(this.bytes).finish();
    }
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.bytes);
  }
}
