import { pairHash } from '../pair-index.js';
import { mayBeGenerated, normaliseSymbol } from './frame-name.js';
import { Cursor, type StringLookup } from './wire.js';

const POOLED_STRING = 2;
const UTF8_STRING = 3;
const LATIN1_STRING = 5;
const HASH_START = pairHash(0x811c, 0x9dc5);
/** Its content is not plain: only its text says what it is. */
const NOT_PLAIN = -1;
const ABSENT_TEXT = Uint8Array.of(0);

/**
 * Symbols, each distinct one once. Every chunk and every recording repeats them, so they are compared as bytes, of which
 * the table keeps a copy; a text is decoded when it is asked for.
 *
 * A symbol is plain when it is ASCII and shown as it is written. Most are, and no text is ever made of them.
 */
export class SymbolTable {
  /** Symbol 0 is the absent one. */
  length = 0;
  /** The symbols as they stand in a recording, one after the other: encoding, length, content. */
  private cursor = new Cursor(new Uint8Array(2 ** 14));
  private starts = new Int32Array(512);
  /** Where the content of a plain symbol begins. */
  private contents = new Int32Array(512);
  private hashes = new Int32Array(512);
  /** Symbol by hash, by open addressing; 0 where there is none. */
  private slots = new Int32Array(1024);
  /** The texts asked for so far, as written and as shown. */
  private rawTexts: (string | undefined)[] = [];
  private shownTexts: (string | undefined)[] = [];

  constructor(private readonly bytesMax: number) {
    this.add(new Cursor(ABSENT_TEXT), 0, 1, 0);
  }

  /** The bytes in which `contentStart` and `contentEnd` are offsets; others after the next `at`. */
  get bytes(): Uint8Array {
    return this.cursor.bytes;
  }

  get byteLength(): number {
    return this.starts[this.length] as number;
  }

  isPlain(symbol: number): boolean {
    return this.contents[symbol] !== NOT_PLAIN;
  }

  contentStart(symbol: number): number {
    return this.contents[symbol] as number;
  }

  contentEnd(symbol: number): number {
    return this.starts[symbol + 1] as number;
  }

  /** The symbol whose string begins at `offset`. Moves the cursor. */
  at(cursor: Cursor, offset: number, lookup: StringLookup): number {
    cursor.position = offset;
    cursor.end = cursor.bytes.length;
    if (cursor.bytes[offset] === POOLED_STRING) {
      // The same key means another text in another chunk.
      const text = new TextEncoder().encode(cursor.string(this.bytesMax, lookup));
      return this.symbol(new Cursor(asString(text)), 0, 10 + text.length);
    }
    cursor.skipString();
    return this.symbol(cursor, offset, cursor.position);
  }

  /** The text as written. */
  raw(symbol: number): string {
    let text = this.rawTexts[symbol];
    if (text === undefined) {
      const { cursor } = this;
      cursor.position = this.starts[symbol] as number;
      cursor.end = this.contentEnd(symbol);
      text = cursor.string(this.bytesMax);
      this.rawTexts[symbol] = text;
    }
    return text;
  }

  /** The text as shown; the same string where nothing is normalised. */
  shown(symbol: number): string {
    return (this.shownTexts[symbol] ??= normaliseSymbol(this.raw(symbol)));
  }

  private symbol(from: Cursor, start: number, end: number): number {
    const hash = hashOf(from, start, end);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (; ; slot = (slot + 1) & mask) {
      const symbol = this.slots[slot] as number;
      if (symbol === 0) break;
      if (this.hashes[symbol] === hash && this.same(symbol, from, start, end)) return symbol;
    }
    const symbol = this.add(from, start, end, hash);
    this.slots[slot] = symbol;
    if (symbol * 2 >= this.slots.length) this.growSlots();
    return symbol;
  }

  private add(from: Cursor, start: number, end: number, hash: number): number {
    const symbol = this.length++;
    if (symbol + 1 === this.starts.length) {
      this.starts = doubled(this.starts);
      this.contents = doubled(this.contents);
      this.hashes = doubled(this.hashes);
    }
    const at = this.starts[symbol] as number;
    const next = at + end - start;
    if (next > this.cursor.bytes.length) {
      const bytes = new Uint8Array(Math.max(next, this.cursor.bytes.length * 2));
      bytes.set(this.cursor.bytes);
      this.cursor = new Cursor(bytes);
    }
    const { bytes } = this.cursor;
    for (let i = start; i < end; i++) bytes[at + i - start] = from.bytes[i] as number;
    this.starts[symbol + 1] = next;
    this.hashes[symbol] = hash;
    this.contents[symbol] = this.plainContent(at, next);
    this.rawTexts.push(undefined);
    this.shownTexts.push(undefined);
    return symbol;
  }

  private plainContent(start: number, end: number): number {
    const { cursor } = this;
    const encoding = cursor.bytes[start] as number;
    if (encoding < POOLED_STRING) return end;
    if (encoding !== UTF8_STRING && encoding !== LATIN1_STRING) return NOT_PLAIN;
    cursor.position = start + 1;
    cursor.end = end;
    cursor.skipVarint();
    const content = cursor.position;
    return end - content > this.bytesMax || mayBeGenerated(cursor.bytes, content, end) ? NOT_PLAIN : content;
  }

  private same(symbol: number, from: Cursor, start: number, end: number): boolean {
    const own = this.starts[symbol] as number;
    if (this.contentEnd(symbol) - own !== end - start) return false;
    const { bytes, view } = this.cursor;
    const length = end - start;
    let i = 0;
    for (; i + 4 <= length; i += 4) if (view.getUint32(own + i) !== from.view.getUint32(start + i)) return false;
    for (; i < length; i++) if (bytes[own + i] !== from.bytes[start + i]) return false;
    return true;
  }

  private growSlots(): void {
    const length = this.slots.length * 2;
    this.slots = new Int32Array(length);
    for (let symbol = 1; symbol < this.length; symbol++) {
      let slot = (this.hashes[symbol] as number) & (length - 1);
      while (this.slots[slot] !== 0) slot = (slot + 1) & (length - 1);
      this.slots[slot] = symbol;
    }
  }
}

/** Four bytes at a time, as in `same`: most of the work on a chunk's symbols is to find that they are known. */
function hashOf({ bytes, view }: Cursor, start: number, end: number): number {
  let hash = HASH_START;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(hash ^ view.getUint32(at), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return pairHash(hash, end - start);
}

/** A text as a recording has it, its length in nine bytes. */
function asString(text: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(10 + text.length).fill(0x80, 1, 9);
  bytes[0] = UTF8_STRING;
  for (let i = 0, rest = text.length; i < 4; i++, rest >>>= 7) bytes[1 + i] = 0x80 | (rest & 0x7f);
  bytes.set(text, 10);
  return bytes;
}

function doubled(column: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(column.length * 2);
  grown.set(column);
  return grown;
}
