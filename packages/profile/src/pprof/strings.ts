import type { StackTableBuilder } from '../builder.js';
import type { ReadLimits } from '../limits.js';
import type { RefusalTally } from '../refusal-tally.js';
import type { Spans } from './spans.js';

/** A byte order mark inside a name is a part of the name. */
const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });
const STRICT = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const REPLACEMENT = '\ufffd';
/** Up to here joining characters is quicker than asking the decoder (measured: half the time at 20 bytes, equal near 60). */
const SHORT_BYTES = 48;

/** The string table: decoded at first use, since most tables hold more than the samples need. */
export class StringTable {
  readonly length: number;
  private readonly bytes: Uint8Array;
  private readonly spans: Spans;
  private readonly limits: ReadLimits;
  private readonly tally: RefusalTally;
  private readonly stacks: StackTableBuilder;
  private readonly texts: (string | undefined)[];
  private readonly indexes: Int32Array;

  constructor(bytes: Uint8Array, spans: Spans, limits: ReadLimits, tally: RefusalTally, stacks: StackTableBuilder) {
    this.length = spans.length;
    this.bytes = bytes;
    this.spans = spans;
    this.limits = limits;
    this.tally = tally;
    this.stacks = stacks;
    this.texts = new Array<string | undefined>(spans.length);
    this.indexes = new Int32Array(spans.length).fill(-1);
  }

  has(index: number): boolean {
    return index >= 0 && index < this.length;
  }

  byteLength(index: number): number {
    return (this.spans.end[index] as number) - (this.spans.start[index] as number);
  }

  /** The text at an index that `has` said yes to. */
  text(index: number): string {
    return (this.texts[index] ??= this.decode(index));
  }

  /** Its index among the strings of the profile being built. */
  interned(index: number): number {
    let interned = this.indexes[index] as number;
    if (interned === -1) {
      interned = this.stacks.string(this.text(index));
      this.indexes[index] = interned;
    }
    return interned;
  }

  private decode(index: number): string {
    const { bytes } = this;
    const start = this.spans.start[index] as number;
    let end = this.spans.end[index] as number;
    const { nameBytesMax } = this.limits;
    if (end - start > nameBytesMax) {
      this.tally.add('name_over_limit', () => `string ${index} has ${end - start} bytes, cut at ${nameBytesMax}`);
      end = start + nameBytesMax;
      // Not inside a character; four bytes are the longest, so bytes that are no text are not searched further.
      for (let back = 0; back < 3 && ((bytes[end] as number) & 0xc0) === 0x80; back++) end--;
    }
    if (end - start <= SHORT_BYTES) {
      let text = '';
      for (let at = start; at < end; at++) {
        const byte = bytes[at] as number;
        if (byte >= 0x80) return this.decodeText(index, start, end);
        text += String.fromCharCode(byte);
      }
      return text;
    }
    return this.decodeText(index, start, end);
  }

  private decodeText(index: number, start: number, end: number): string {
    const bytes = this.bytes.subarray(start, end);
    const text = LENIENT.decode(bytes);
    if (text.includes(REPLACEMENT) && !isUtf8(bytes)) {
      this.tally.add(
        'invalid_utf8',
        () => `string ${index} is not UTF-8; it reads "${Array.from(text).slice(0, 80).join('')}"`,
      );
    }
    return text;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    STRICT.decode(bytes);
    return true;
  } catch {
    // The decoder has no other way to say no.
    return false;
  }
}
