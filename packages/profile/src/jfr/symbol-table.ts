import { pairHash } from '../pair-index.js';
import { normaliseSymbol } from './frame-name.js';
import type { Cursor, StringLookup } from './wire.js';

const POOLED_STRING = 2;
const HASH_START = pairHash(0x811c, 0x9dc5);

/**
 * The symbols of a recording, each distinct one once. Every chunk repeats its symbols, so they are compared as bytes; a
 * text is decoded when it is asked for.
 */
export class SymbolTable {
  /** The texts decoded so far, as written and as shown. Symbol 0 is the absent one. */
  private readonly rawTexts: (string | undefined)[] = [''];
  private readonly shownTexts: (string | undefined)[] = [''];
  private readonly offsets: number[] = [0];
  private readonly lengths: number[] = [0];
  private hashes = new Int32Array(1024);
  /** Symbol by hash, by open addressing; 0 where there is none. */
  private slots = new Int32Array(1024);

  constructor(
    private readonly cursor: Cursor,
    private readonly bytesMax: number,
  ) {}

  /** The symbol whose string begins at `offset`. Moves the cursor. */
  at(offset: number, lookup: StringLookup): number {
    const { cursor } = this;
    const { bytes } = cursor;
    if (this.offsets.length * 2 > this.slots.length) this.grow();
    cursor.position = offset;
    cursor.end = bytes.length;
    cursor.skipString();
    const end = cursor.position;
    cursor.position = offset;
    // The same key means another text in another chunk.
    if (bytes[offset] === POOLED_STRING) return this.add(0, 0, 0, cursor.string(this.bytesMax, lookup));

    const hash = this.hash(offset, end);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (; ; slot = (slot + 1) & mask) {
      const symbol = this.slots[slot] as number;
      if (symbol === 0) break;
      if (this.hashes[symbol] === hash && this.same(symbol, offset, end - offset)) return symbol;
    }
    const symbol = this.add(offset, end - offset, hash, undefined);
    this.slots[slot] = symbol;
    return symbol;
  }

  /** The text as written. Moves the cursor. */
  raw(symbol: number): string {
    let text = this.rawTexts[symbol];
    if (text === undefined) {
      const { cursor } = this;
      cursor.position = this.offsets[symbol] as number;
      cursor.end = cursor.bytes.length;
      text = cursor.string(this.bytesMax);
      this.rawTexts[symbol] = text;
    }
    return text;
  }

  /** The text as shown; the same string where nothing is normalised. Moves the cursor. */
  shown(symbol: number): string {
    return (this.shownTexts[symbol] ??= normaliseSymbol(this.raw(symbol)));
  }

  private add(offset: number, length: number, hash: number, text: string | undefined): number {
    const symbol = this.offsets.push(offset) - 1;
    this.lengths.push(length);
    this.rawTexts.push(text);
    this.shownTexts.push(undefined);
    this.hashes[symbol] = hash;
    return symbol;
  }

  /** Four bytes at a time, as in `same`: most of the work on a chunk's symbols is to find that they are known. */
  private hash(offset: number, end: number): number {
    const { bytes, view } = this.cursor;
    let hash = HASH_START;
    let at = offset;
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(hash ^ view.getUint32(at), 0x85ebca6b);
      hash ^= hash >>> 15;
    }
    for (; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    return pairHash(hash, end - offset);
  }

  private same(symbol: number, offset: number, length: number): boolean {
    if (this.lengths[symbol] !== length) return false;
    const { bytes, view } = this.cursor;
    const other = this.offsets[symbol] as number;
    let i = 0;
    for (; i + 4 <= length; i += 4) if (view.getUint32(offset + i) !== view.getUint32(other + i)) return false;
    for (; i < length; i++) if (bytes[offset + i] !== bytes[other + i]) return false;
    return true;
  }

  private grow(): void {
    const length = this.slots.length * 2;
    const hashes = new Int32Array(length);
    hashes.set(this.hashes);
    this.hashes = hashes;
    this.slots = new Int32Array(length);
    for (let symbol = 1; symbol < this.offsets.length; symbol++) {
      if (this.lengths[symbol] === 0) continue;
      let slot = (hashes[symbol] as number) & (length - 1);
      while (this.slots[slot] !== 0) slot = (slot + 1) & (length - 1);
      this.slots[slot] = symbol;
    }
  }
}
