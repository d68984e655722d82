import { cutToBytes } from '../name-limit.js';
import { asciiTextId, textId } from '../node-id.js';
import { PairIndex } from '../pair-index.js';
import type { LetterBudget } from './letter-budget.js';
import { SymbolTable } from './symbol-table.js';

const DOT = 0x2e;
const ASCII = new TextDecoder();

/**
 * Names of methods: `class.method`, the class's slashes kept, each made once.
 *
 * Most symbols are plain, and their names are joined as bytes and decoded all at once: text by text that would take longer
 * than all the rest of a recording's reading.
 */
export class MethodNames {
  readonly symbols: SymbolTable;
  /** As shown, with its `textId`. */
  readonly shown: string[] = [];
  readonly shownIds: number[] = [];
  /** As written, likewise; '' where that is how it is shown. */
  readonly written: string[] = [];
  readonly writtenIds: number[] = [];
  /** How many of the two are cut at the limit. */
  readonly cuts: number[] = [];
  /** Of all names. */
  letters = 0;
  private readonly pairs = new PairIndex(1024);
  /** The names that are joined, one after the other, but not decoded. */
  private joined = new Uint8Array(2 ** 14);
  private joinedLength = 0;
  private readonly undecoded: number[] = [];
  private readonly undecodedEnds: number[] = [];

  constructor(readonly nameBytesMax: number) {
    // One byte more than a name may have, so that a symbol cut here makes a name that is cut, and counted.
    this.symbols = new SymbolTable(nameBytesMax + 1);
  }

  get length(): number {
    return this.pairs.length;
  }

  /**
   * Index of the name made of two symbols. Frames of the VM and stubs have no class; native ones have their library in
   * its place. Its texts are there after the next `decode`.
   */
  of(owner: number, own: number, budget: LetterBudget): number {
    const index = this.pairs.put(owner, own);
    if (index >= 0) return index;
    const { symbols } = this;
    if (symbols.isPlain(owner) && symbols.isPlain(own) && this.join(owner, own, budget)) return ~index;
    const shown = join(symbols.shown(owner), symbols.shown(own));
    const written = join(symbols.raw(owner), symbols.raw(own));
    const letters = shown.length + (written === shown ? 0 : written.length);
    budget.take(letters);
    this.letters += letters;
    const { nameBytesMax } = this;
    const [shownCut, writtenCut] = [cutToBytes(shown, nameBytesMax), cutToBytes(written, nameBytesMax)];
    const isWritten = written === shown;
    this.shown.push(shownCut);
    this.shownIds.push(textId(shownCut));
    this.written.push(isWritten ? '' : writtenCut);
    this.writtenIds.push(isWritten ? 0 : textId(writtenCut));
    this.cuts.push(Number(shownCut !== shown) + Number(!isWritten && writtenCut !== written));
    return ~index;
  }

  /** Makes the texts of the names that came since the last time. */
  decode(): void {
    const text = ASCII.decode(this.joined.subarray(0, this.joinedLength));
    let start = 0;
    for (let i = 0; i < this.undecoded.length; i++) {
      const end = this.undecodedEnds[i] as number;
      this.shown[this.undecoded[i] as number] = text.slice(start, end);
      start = end;
    }
    this.undecoded.length = 0;
    this.undecodedEnds.length = 0;
    this.joinedLength = 0;
  }

  /** False when the name would be too long. */
  private join(owner: number, own: number, budget: LetterBudget): boolean {
    const { symbols } = this;
    const { bytes } = symbols;
    const [ownerStart, ownerEnd] = [symbols.contentStart(owner), symbols.contentEnd(owner)];
    const [ownStart, ownEnd] = [symbols.contentStart(own), symbols.contentEnd(own)];
    const start = this.joinedLength;
    const length = ownerEnd - ownerStart + ownEnd - ownStart + (ownerEnd > ownerStart ? 1 : 0);
    if (length > this.nameBytesMax) return false;
    budget.take(length);
    this.letters += length;
    if (start + length > this.joined.length) this.growJoined(start + length);
    const { joined } = this;
    let at = start;
    for (let i = ownerStart; i < ownerEnd; i++) joined[at++] = bytes[i] as number;
    if (ownerEnd > ownerStart) joined[at++] = DOT;
    for (let i = ownStart; i < ownEnd; i++) joined[at++] = bytes[i] as number;
    this.joinedLength = at;
    this.undecoded.push(this.shown.length);
    this.undecodedEnds.push(at);
    this.shown.push('');
    this.shownIds.push(asciiTextId(joined, start, at));
    this.written.push('');
    this.writtenIds.push(0);
    this.cuts.push(0);
    return true;
  }

  private growJoined(lengthMin: number): void {
    const joined = new Uint8Array(Math.max(lengthMin, this.joined.length * 2));
    joined.set(this.joined);
    this.joined = joined;
  }
}

function join(owner: string, own: string): string {
  return owner === '' ? own : `${owner}.${own}`;
}
