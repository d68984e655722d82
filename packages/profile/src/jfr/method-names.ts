import type { StackTableBuilder } from '../builder.js';
import { FRAME_KINDS, type FrameKind } from '../model.js';
import { cutToBytes } from '../name-limit.js';
import { PairIndex } from '../pair-index.js';
import type { RefusalTally } from '../refusal-tally.js';
import type { ConstantPool, ConstantPools } from './constant-pool.js';
import { FieldReader } from './fields.js';
import type { LetterBudget } from './letter-budget.js';
import { SymbolTable } from './symbol-table.js';
import type { Cursor } from './wire.js';

const KIND_INDEX = new Map(FRAME_KINDS.map((kind, index) => [kind, index]));
const TYPE = 0;
const NAME = 1;
const UNKNOWN = -1;

/**
 * Names of methods and frames in a recording: `class.method`, the class's slashes kept. Each is made at its first use.
 */
export class MethodNames {
  readonly symbols: SymbolTable;
  private readonly pairs = new PairIndex(1024);
  /** Name and system name of each pair, as the builder has them. */
  private readonly names: number[] = [];
  private readonly systemNames: number[] = [];
  private readonly frameKeys = new PairIndex(1024);
  private readonly frames: number[] = [];

  constructor(
    cursor: Cursor,
    private readonly stacks: StackTableBuilder,
    private readonly budget: LetterBudget,
    private readonly refusals: RefusalTally,
    private readonly nameBytesMax: number,
  ) {
    // One byte more than a name may have, so that a symbol cut here makes a name that is cut, and counted, below.
    this.symbols = new SymbolTable(cursor, nameBytesMax + 1);
  }

  /**
   * Index of the name made of two symbols. Frames of the VM and stubs have no class; native ones have their library in
   * its place.
   */
  of(owner: number, own: number): number {
    const index = this.pairs.put(owner, own);
    if (index >= 0) return index;
    const { raw, shown } = this.symbols;
    const name = join(shown[owner] as string, shown[own] as string);
    this.names.push(this.string(name));
    const asWritten = shown[owner] === raw[owner] && shown[own] === raw[own];
    this.systemNames.push(asWritten ? 0 : this.string(join(raw[owner] as string, raw[own] as string)));
    return ~index;
  }

  /** The builder's frame of a name, line and kind. */
  frame(name: number, line: number, kind: FrameKind): number {
    const key = this.frameKeys.put(name, line * 16 + (KIND_INDEX.get(kind) as number));
    if (key >= 0) return this.frames[key] as number;
    const frame = this.stacks.frame(this.names[name] as number, this.systemNames[name], 0, 0, line, kind);
    this.frames.push(frame);
    return frame;
  }

  private string(name: string): number {
    this.budget.take(name.length);
    const { nameBytesMax } = this;
    const cut = cutToBytes(name, nameBytesMax);
    if (cut.length !== name.length) {
      this.refusals.add('name_over_limit', () => `the name of a method is cut at ${nameBytesMax} bytes`);
    }
    return this.stacks.string(cut);
  }
}

/** The methods of one chunk. */
export class ChunkMethods {
  private readonly names: Int32Array;
  private readonly classSymbols: Int32Array;
  private readonly symbols: Int32Array;
  private readonly methods: ConstantPool | undefined;
  private readonly classes: ConstantPool | undefined;
  private readonly symbolPool: ConstantPool | undefined;
  private readonly methodReader: FieldReader | undefined;
  private readonly classReader: FieldReader | undefined;

  constructor(
    private readonly cursor: Cursor,
    private readonly recording: MethodNames,
    private readonly pools: ConstantPools,
  ) {
    this.methods = pools.named('jdk.types.Method');
    this.classes = pools.named('java.lang.Class');
    this.symbolPool = pools.named('jdk.types.Symbol');
    this.methodReader = this.methods && new FieldReader(this.methods.type, ['type', 'name']);
    this.classReader = this.classes && new FieldReader(this.classes.type, ['name']);
    this.names = new Int32Array(this.methods?.length ?? 0).fill(UNKNOWN);
    this.classSymbols = new Int32Array(this.classes?.length ?? 0).fill(UNKNOWN);
    this.symbols = new Int32Array(this.symbolPool?.length ?? 0).fill(UNKNOWN);
  }

  /** Index into the recording's names; −1 when there is no such method. Moves the cursor. */
  name(low: number, high: number): number {
    const method = this.methods?.keys.find(low, high) ?? -1;
    if (method < 0) return -1;
    let name = this.names[method] as number;
    if (name !== UNKNOWN) return name;
    const reader = this.methodReader as FieldReader;
    this.read(reader, this.methods as ConstantPool, method);
    const own = this.symbol(reader.low[NAME] as number, reader.high[NAME] as number);
    const owner = this.classSymbol(reader.low[TYPE] as number, reader.high[TYPE] as number);
    name = this.recording.of(owner, own);
    this.names[method] = name;
    return name;
  }

  private classSymbol(low: number, high: number): number {
    const index = this.classes?.keys.find(low, high) ?? -1;
    if (index < 0) return 0;
    let symbol = this.classSymbols[index] as number;
    if (symbol === UNKNOWN) {
      const reader = this.classReader as FieldReader;
      this.read(reader, this.classes as ConstantPool, index);
      symbol = this.symbol(reader.low[0] as number, reader.high[0] as number);
      this.classSymbols[index] = symbol;
    }
    return symbol;
  }

  private symbol(low: number, high: number): number {
    const pool = this.symbolPool;
    const index = pool === undefined ? -1 : pool.keys.find(low, high);
    if (pool === undefined || index < 0 || !pool.beginsWithString) return 0;
    let symbol = this.symbols[index] as number;
    if (symbol === UNKNOWN) {
      symbol = this.recording.symbols.at(pool.offset(index), this.pools.text);
      this.symbols[index] = symbol;
    }
    return symbol;
  }

  private read(reader: FieldReader, pool: ConstantPool, index: number): void {
    this.cursor.position = pool.offset(index);
    this.cursor.end = this.cursor.bytes.length;
    reader.read(this.cursor);
  }
}

function join(owner: string, own: string): string {
  return owner === '' ? own : `${owner}.${own}`;
}
