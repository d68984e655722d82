import type { StackTableBuilder } from '../builder.js';
import type { ReadLimits } from '../limits.js';
import type { ConstantPool, ConstantPools } from './constant-pool.js';
import { FieldReader } from './fields.js';
import { normaliseSymbol } from './frame-name.js';
import type { LetterBudget } from './letter-budget.js';
import type { Cursor } from './wire.js';

const TYPE = 0;
const NAME = 1;

/** Indexes of texts in the builder; `systemName` is 0 when equal to the name. */
export interface MethodName {
  readonly name: number;
  readonly systemName: number;
}

interface Symbol {
  readonly raw: string;
  readonly shown: string;
}

const NO_SYMBOL: Symbol = { raw: '', shown: '' };

/** Names of the methods of a chunk, `class.method` with the class's slashes kept, each made at its first use. */
export class MethodNames {
  private readonly names: (MethodName | undefined)[] = [];
  private readonly symbols: (Symbol | undefined)[] = [];
  private readonly classNames: (Symbol | undefined)[] = [];
  private readonly methods: ConstantPool | undefined;
  private readonly classes: ConstantPool | undefined;
  private readonly symbolPool: ConstantPool | undefined;
  private readonly methodReader: FieldReader | undefined;
  private readonly classReader: FieldReader | undefined;

  constructor(
    private readonly cursor: Cursor,
    private readonly stacks: StackTableBuilder,
    private readonly pools: ConstantPools,
    private readonly limits: ReadLimits,
    private readonly budget: LetterBudget,
  ) {
    this.methods = pools.named('jdk.types.Method');
    this.classes = pools.named('java.lang.Class');
    this.symbolPool = pools.named('jdk.types.Symbol');
    this.methodReader = this.methods && new FieldReader(this.methods.type, ['type', 'name']);
    this.classReader = this.classes && new FieldReader(this.classes.type, ['name']);
  }

  /** Moves the cursor. */
  of(method: number): MethodName {
    return (this.names[method] ??= this.make(method));
  }

  private make(method: number): MethodName {
    const reader = this.methodReader as FieldReader;
    this.read(reader, this.methods as ConstantPool, method);
    const own = this.symbol(reader.low[NAME] as number, reader.high[NAME] as number);
    const owner = this.className(reader.low[TYPE] as number, reader.high[TYPE] as number);
    const raw = join(owner.raw, own.raw);
    const shown = join(owner.shown, own.shown);
    this.budget.take(raw.length + (raw === shown ? 0 : shown.length));
    const { stacks } = this;
    return { name: stacks.string(shown), systemName: raw === shown ? 0 : stacks.string(raw) };
  }

  private className(low: number, high: number): Symbol {
    const index = this.classes === undefined ? -1 : this.classes.keys.find(low, high);
    if (index < 0) return NO_SYMBOL;
    let name = this.classNames[index];
    if (name === undefined) {
      const reader = this.classReader as FieldReader;
      this.read(reader, this.classes as ConstantPool, index);
      name = this.symbol(reader.low[0] as number, reader.high[0] as number);
      this.classNames[index] = name;
    }
    return name;
  }

  private symbol(low: number, high: number): Symbol {
    const index = this.symbolPool === undefined ? -1 : this.symbolPool.keys.find(low, high);
    if (index < 0) return NO_SYMBOL;
    let symbol = this.symbols[index];
    if (symbol === undefined) {
      const raw = this.pools.entryText(this.symbolPool as ConstantPool, index, this.limits.nameBytesMax);
      symbol = { raw, shown: normaliseSymbol(raw) };
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

/** Frames of the VM and stubs have no class; native ones have their library in its place. */
function join(owner: string, own: string): string {
  return owner === '' ? own : `${owner}.${own}`;
}
