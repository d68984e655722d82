import { PilotlightError } from '../errors.js';
import type { Chunk } from './chunk.js';
import { KeyIndex } from './key-index.js';
import { skipFlat, skipValue, type Type, type TypeTable } from './metadata.js';
import { type Cursor, malformed, type StringLookup, VARINT_BYTES_MAX } from './wire.js';

/**
 * The constant pools of a chunk: for each entry of the pools we use, where its bytes are. Walking them checks them
 * once; whoever decodes an entry later, at its first use, may trust its length.
 *
 * Checkpoints form a chain from the last to the first, each saying how far back the one before it lies. A type may come
 * in several of them, and several times in one; the newest entry of a key holds.
 */

const TEXT_BYTES_MAX = 65_536;

const USED = new Set([
  'jdk.types.StackTrace',
  'jdk.types.Method',
  'java.lang.Class',
  'jdk.types.Symbol',
  'jdk.types.FrameType',
  'jdk.types.ThreadState',
  'java.lang.String',
]);

export class ConstantPool {
  readonly keys: KeyIndex;
  private offsets: Int32Array<ArrayBuffer>;
  private ends: Int32Array<ArrayBuffer>;

  /** An entry is a string, or its first field is one. */
  readonly beginsWithString: boolean;

  constructor(
    readonly type: Type,
    entriesExpected: number,
  ) {
    this.keys = new KeyIndex(entriesExpected);
    this.offsets = new Int32Array(Math.max(entriesExpected, 16));
    this.ends = new Int32Array(Math.max(entriesExpected, 16));
    const [first] = type.fields;
    this.beginsWithString =
      type.encoding === 'string' || (first?.type.encoding === 'string' && !first.array && !first.pooled);
  }

  get length(): number {
    return this.keys.length;
  }

  /** Offset into the file of an entry's value. */
  offset(index: number): number {
    return this.offsets[index] as number;
  }

  /** Offset behind an entry's value; 0 when there may be varints of nine bytes in it. */
  end(index: number): number {
    return this.ends[index] as number;
  }

  put(low: number, high: number, offset: number, end: number): void {
    const index = this.keys.put(low, high);
    if (index < 0) return;
    if (index === this.offsets.length) {
      this.offsets = doubled(this.offsets);
      this.ends = doubled(this.ends);
    }
    this.offsets[index] = offset;
    this.ends[index] = end;
  }
}

export class ConstantPools {
  private readonly pools = new Map<string, ConstantPool>();
  /** Pools of types the metadata does not define; what follows them in their checkpoint is lost. */
  undefinedTypes = 0;

  constructor(
    private readonly cursor: Cursor,
    readonly rowsMax: number,
    /** Of further pools, kept besides those that stack traces need. */
    readonly further: readonly string[] = [],
  ) {}

  /** The pool of a type, made at its first sight in the chain, which is that of most entries. */
  pool(type: Type, entriesExpected: number): ConstantPool {
    let pool = this.pools.get(type.name);
    if (pool === undefined) {
      pool = new ConstantPool(type, entriesExpected);
      this.pools.set(type.name, pool);
    }
    return pool;
  }

  /** A pool must not have more entries than one table of an input may have. */
  refuseRows(pool: ConstantPool): never {
    const { rowsMax } = this;
    throw new PilotlightError('profile_size_limit', `the pool of ${pool.type.name} has more than ${rowsMax} entries`, {
      limit: rowsMax,
    });
  }

  named(name: string): ConstantPool | undefined {
    return this.pools.get(name);
  }

  /** A text of the `java.lang.String` pool; '' when it has none of that key. */
  readonly text: StringLookup = (low, high) => {
    const pool = this.named('java.lang.String');
    const index = pool === undefined ? -1 : pool.keys.find(low, high);
    return index < 0 ? '' : this.entryText(pool as ConstantPool, index, TEXT_BYTES_MAX);
  };

  /** The text of an entry that is a string, or whose first field is one. Leaves the cursor where it was. */
  entryText(pool: ConstantPool, index: number, bytesMax: number): string {
    const { cursor } = this;
    if (!pool.beginsWithString) return '';
    const { position, end } = cursor;
    cursor.position = pool.offset(index);
    cursor.end = cursor.bytes.length;
    // A symbol may be a key into the string pool. A pooled string that is such a key is written by nobody, and could go
    // round in circles.
    const text = pool.type.encoding === 'string' ? cursor.string(bytesMax) : cursor.string(bytesMax, this.text);
    cursor.position = position;
    cursor.end = end;
    return text;
  }
}

export function readConstantPools(
  cursor: Cursor,
  chunk: Chunk,
  types: TypeTable,
  rowsMax: number,
  further?: readonly string[],
): ConstantPools {
  const pools = new ConstantPools(cursor, rowsMax, further);
  let start = chunk.checkpoint;
  let end = chunk.end;
  for (;;) {
    cursor.position = start;
    cursor.end = end;
    const back = readCheckpoint(cursor, types, pools);
    if (back === 0) return pools;
    const previous = start + back;
    if (!(previous < start && previous >= chunk.events)) {
      throw malformed(start, `the checkpoint names ${previous} as the one before it, which is not before it`);
    }
    // Were checkpoints allowed to overlap, a chain of them could have the same bytes read again and again.
    end = start;
    start = previous;
  }
}

/** Reads one checkpoint; returns the distance to the one before it, 0 when there is none. */
function readCheckpoint(cursor: Cursor, types: TypeTable, pools: ConstantPools): number {
  const start = cursor.position;
  const size = cursor.varint();
  if (size < 2 || start + size > cursor.end) {
    throw malformed(start, `expected a checkpoint, found an event of size ${size}`);
  }
  cursor.end = start + size;
  const eventType = cursor.varint();
  if (eventType !== 1) throw malformed(start, `expected a checkpoint (type 1), found type ${eventType}`);
  cursor.skipVarints(2);
  cursor.long();
  const back = (cursor.high | 0) * 0x1_0000_0000 + cursor.low;
  cursor.byte();
  const poolCount = cursor.varint();
  for (let i = 0; i < poolCount; i++) {
    const id = cursor.varint();
    const count = cursor.varint();
    if (count === 0) continue;
    const type = types.id(id);
    if (type === undefined) {
      pools.undefinedTypes++;
      break;
    }
    readPool(cursor, type, count, pools);
  }
  return back;
}

function readPool(cursor: Cursor, type: Type, count: number, pools: ConstantPools): void {
  // Each entry has a key of at least one byte.
  cursor.need(count * (1 + type.sizeMin), `${count} entries of the pool of ${type.name}`);
  const used = USED.has(type.name) || pools.further.includes(type.name);
  const pool = used ? pools.pool(type, Math.min(count, pools.rowsMax)) : undefined;
  const { flat } = type;
  const flatStartMax = cursor.bytes.length - (flat?.length ?? 0) * VARINT_BYTES_MAX;
  for (let i = 0; i < count; i++) {
    if (pool === undefined) {
      cursor.skipVarint();
      skipValue(cursor, type);
      continue;
    }
    cursor.long();
    const { low, high, position, longVarints } = cursor;
    if (flat === undefined || position > flatStartMax || !skipFlat(cursor, flat)) skipValue(cursor, type);
    pool.put(low, high, position, cursor.longVarints === longVarints ? cursor.position : 0);
    if (pool.length > pools.rowsMax) pools.refuseRows(pool);
  }
}

function doubled(column: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(column.length * 2);
  grown.set(column);
  return grown;
}
