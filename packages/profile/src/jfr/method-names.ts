import type { StackTableBuilder } from '../builder.js';
import { FRAME_KINDS, type FrameKind } from '../model.js';
import { cutToBytes } from '../name-limit.js';
import { PairIndex } from '../pair-index.js';
import type { RefusalTally } from '../refusal-tally.js';
import type { ConstantPool, ConstantPools } from './constant-pool.js';
import { FieldReader } from './fields.js';
import type { LetterBudget } from './letter-budget.js';
import { SymbolTable } from './symbol-table.js';
import type { Cursor, StringLookup } from './wire.js';

const KIND_INDEX = new Map(FRAME_KINDS.map((kind, index) => [kind, index]));
const NONE = new Int32Array(0);
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
    const { symbols } = this;
    const [rawOwner, rawOwn, shownOwner, shownOwn] = [
      symbols.raw(owner),
      symbols.raw(own),
      symbols.shown(owner),
      symbols.shown(own),
    ];
    this.names.push(this.string(join(shownOwner, shownOwn)));
    const asWritten = shownOwner === rawOwner && shownOwn === rawOwn;
    this.systemNames.push(asWritten ? 0 : this.string(join(rawOwner, rawOwn)));
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

/**
 * The methods of one chunk. Their symbols are found for all of them at once and in the order of their bytes, since nearly
 * all are used and jumping about in the recording for each would take most of the time.
 */
export class ChunkMethods {
  private readonly names: Int32Array;
  /** The symbols of each method's class and of its own name. */
  private readonly owners: Int32Array;
  private readonly owns: Int32Array;
  private readonly pool: ConstantPool | undefined;

  constructor(
    cursor: Cursor,
    private readonly recording: MethodNames,
    pools: ConstantPools,
  ) {
    this.pool = pools.named('jdk.types.Method');
    const symbolPool = pools.named('jdk.types.Symbol');
    const symbols = symbolNumbers(symbolPool, recording.symbols, pools.text);
    const classPool = pools.named('java.lang.Class');
    const [classes = NONE] = readSymbols(cursor, classPool, [['name', symbolPool, symbols]]);
    const [owners = NONE, owns = NONE] = readSymbols(cursor, this.pool, [
      ['type', classPool, classes],
      ['name', symbolPool, symbols],
    ]);
    this.owners = owners;
    this.owns = owns;
    this.names = new Int32Array(this.pool?.length ?? 0).fill(UNKNOWN);
  }

  /** Index into the recording's names; −1 when there is no such method. Moves the cursor. */
  name(low: number, high: number): number {
    const method = this.pool?.keys.find(low, high) ?? -1;
    if (method < 0) return -1;
    let name = this.names[method] as number;
    if (name === UNKNOWN) {
      name = this.recording.of(this.owners[method] as number, this.owns[method] as number);
      this.names[method] = name;
    }
    return name;
  }
}

function symbolNumbers(pool: ConstantPool | undefined, symbols: SymbolTable, text: StringLookup): Int32Array {
  const numbers = new Int32Array(pool?.length ?? 0);
  if (pool?.beginsWithString) for (let i = 0; i < numbers.length; i++) numbers[i] = symbols.at(pool.offset(i), text);
  return numbers;
}

type PooledSymbol = readonly [field: string, pool: ConstantPool | undefined, symbols: Int32Array];

/** For each entry of a pool, the symbols that its fields name by keys of other pools; 0 for a key that names none. */
function readSymbols(cursor: Cursor, pool: ConstantPool | undefined, fields: readonly PooledSymbol[]): Int32Array[] {
  if (pool === undefined) return [];
  const columns = fields.map(() => new Int32Array(pool.length));
  const reader = new FieldReader(
    pool.type,
    fields.map(([name]) => name),
  );
  for (let i = 0; i < pool.length; i++) {
    cursor.position = pool.offset(i);
    cursor.end = cursor.bytes.length;
    reader.read(cursor);
    for (let slot = 0; slot < columns.length; slot++) {
      const [, target, symbols] = fields[slot] as PooledSymbol;
      const index = target?.keys.find(reader.low[slot] as number, reader.high[slot] as number) ?? -1;
      if (index >= 0) (columns[slot] as Int32Array)[i] = symbols[index] as number;
    }
  }
  return columns;
}

function join(owner: string, own: string): string {
  return owner === '' ? own : `${owner}.${own}`;
}
