import type { ConstantPool, ConstantPools } from './constant-pool.js';
import { FieldReader } from './fields.js';
import type { LetterBudget } from './letter-budget.js';
import type { MethodNames } from './method-names.js';
import type { Cursor } from './wire.js';

const UNKNOWN = -1;
/** The symbol of what has no name. */
const ABSENT = 0;

/**
 * The methods of one chunk. All are named at once and in the order of their bytes, since nearly all are used and jumping
 * about in the recording for each would take most of the time.
 */
export class ChunkMethods {
  private readonly names: Int32Array;
  private readonly pool: ConstantPool | undefined;
  private readonly classPool: ConstantPool | undefined;
  private readonly classReader: FieldReader | undefined;
  /** Symbol of each class's name. */
  private readonly owners: Int32Array;
  private readonly symbolPool: ConstantPool | undefined;
  /** Number of each symbol of the chunk in the table of all. */
  private readonly symbols: Int32Array;

  constructor(
    private readonly cursor: Cursor,
    private readonly recording: MethodNames,
    private readonly pools: ConstantPools,
    budget: LetterBudget,
  ) {
    this.pool = pools.named('jdk.types.Method');
    this.classPool = pools.named('java.lang.Class');
    this.classReader = this.classPool && new FieldReader(this.classPool.type, ['name']);
    this.owners = new Int32Array(this.classPool?.length ?? 0).fill(UNKNOWN);
    this.symbolPool = pools.named('jdk.types.Symbol');
    this.symbols = new Int32Array(this.symbolPool?.length ?? 0).fill(UNKNOWN);
    this.names = new Int32Array(this.pool?.length ?? 0);
    this.read(budget);
  }

  /** Index into the recording's names; −1 when there is no such method. */
  name(low: number, high: number): number {
    const method = this.pool?.keys.find(low, high) ?? -1;
    return method < 0 ? -1 : (this.names[method] as number);
  }

  private read(budget: LetterBudget): void {
    const { cursor, pool, recording } = this;
    if (pool === undefined) return;
    const reader = new FieldReader(pool.type, ['type', 'name']);
    const { low, high } = reader;
    for (let i = 0; i < pool.length; i++) {
      cursor.position = pool.offset(i);
      cursor.end = cursor.bytes.length;
      reader.read(cursor);
      const owner = this.owner(low[0] as number, high[0] as number);
      const own = this.symbol(low[1] as number, high[1] as number);
      this.names[i] = recording.of(owner, own, budget);
    }
    recording.decode();
  }

  private owner(low: number, high: number): number {
    const { cursor, classPool, classReader, owners } = this;
    const index = classPool === undefined ? -1 : classPool.keys.find(low, high);
    if (index < 0) return ABSENT;
    let symbol = owners[index] as number;
    if (symbol === UNKNOWN) {
      const reader = classReader as FieldReader;
      cursor.position = (classPool as ConstantPool).offset(index);
      cursor.end = cursor.bytes.length;
      reader.read(cursor);
      symbol = this.symbol(reader.low[0] as number, reader.high[0] as number);
      owners[index] = symbol;
    }
    return symbol;
  }

  private symbol(low: number, high: number): number {
    const { symbolPool, symbols } = this;
    const index = symbolPool === undefined ? -1 : symbolPool.keys.find(low, high);
    if (index < 0 || !(symbolPool as ConstantPool).beginsWithString) return ABSENT;
    let symbol = symbols[index] as number;
    if (symbol === UNKNOWN) {
      symbol = this.recording.symbols.at(this.cursor, (symbolPool as ConstantPool).offset(index), this.pools.text);
      symbols[index] = symbol;
    }
    return symbol;
  }
}
