import type { StackTableBuilder } from '../builder.js';
import { PilotlightError } from '../errors.js';
import type { ReadLimits } from '../limits.js';
import { NO_STACK_NAME, STACK_CUT_NAME } from '../markers.js';
import { type FrameKind, NO_PARENT } from '../model.js';
import { PairIndex } from '../pair-index.js';
import type { RefusalTally } from '../refusal-tally.js';
import type { ConstantPool, ConstantPools } from './constant-pool.js';
import type { Sums } from './decode.js';
import { FieldReader } from './fields.js';
import { type Field, readCount, skipField, skipValue, type TypeTable } from './metadata.js';
import { MethodNames } from './method-names.js';
import type { Cursor } from './wire.js';

/** Frame types as async-profiler and the JDK name them. Their numbers differ, their names do not. */
const KINDS = new Map<string, FrameKind>([
  ['Interpreted', 'interpreted'],
  ['JIT compiled', 'jit'],
  ['Inlined', 'inlined'],
  ['Native', 'native'],
  ['C++', 'cpp'],
  ['Kernel', 'kernel'],
  ['C1 compiled', 'c1'],
]);

const UNKNOWN_METHOD_NAME = '[unknown method]';
const UNDECODED = -2;
/** Line numbers of class files are below 65,536; this keeps line and kind of a frame in 32 bits. */
const LINE_MAX = 0x3ff_ffff;
const METHOD = 0;
const LINE = 1;
const KIND = 2;

/**
 * The stack traces of one chunk, each turned into nodes when an event first names it. Most of a recording is frames (32 to an event in a
 * large one), so nothing here allocates per frame: a frame is its method's index with line and kind, a stack a leaf.
 */
export class StackReader {
  private readonly stacks: StackTableBuilder;
  private readonly limits: ReadLimits;
  private readonly refusals: RefusalTally;
  private readonly pool: ConstantPool | undefined;
  private readonly leaf: Int32Array;
  private readonly framesField: Field | undefined;
  private readonly frameReader: FieldReader | undefined;
  /** Position of method, line and kind in a frame that consists of varints only. */
  private readonly places: readonly number[];
  private readonly methods: ConstantPool | undefined;
  private readonly kinds: readonly FrameKind[];
  private readonly kindPool: ConstantPool | undefined;
  private readonly names: MethodNames;
  private readonly frameKeys = new PairIndex(1024);
  private readonly frames: number[] = [];
  private scratch = new Int32Array(1024);
  private noStackNode = NO_PARENT;

  constructor(
    private readonly cursor: Cursor,
    types: TypeTable,
    pools: ConstantPools,
    sums: Sums,
  ) {
    this.stacks = sums.stacks;
    this.limits = sums.limits;
    this.refusals = sums.refusals;
    this.pool = pools.named('jdk.types.StackTrace');
    this.leaf = new Int32Array(this.pool?.length ?? 0).fill(UNDECODED);
    const field = this.pool?.type.field('frames');
    // Frames of no bytes could be announced by the billion.
    this.framesField = field?.array && !field.pooled && field.type.sizeMin > 0 ? field : undefined;
    const wanted = ['method', 'lineNumber', 'type'];
    this.frameReader = this.framesField && new FieldReader(this.framesField.type, wanted);
    this.places = wanted.map((name) => this.framesField?.type.fields.findIndex((each) => each.name === name) ?? -1);
    this.methods = pools.named('jdk.types.Method');
    this.kindPool = types.name('jdk.types.FrameType') && pools.named('jdk.types.FrameType');
    this.kinds = readKinds(this.kindPool, pools);
    this.names = new MethodNames(cursor, sums.stacks, pools, sums.limits, sums.budget);
  }

  /** The leaf of a stack trace; a marker node when the key names none, or one without frames. */
  node(low: number, high: number): number {
    const index = this.pool === undefined ? -1 : this.pool.keys.find(low, high);
    if (index < 0) return this.noStack();
    let leaf = this.leaf[index] as number;
    if (leaf === UNDECODED) {
      leaf = this.decode(index);
      this.leaf[index] = leaf;
    }
    return leaf;
  }

  private noStack(): number {
    const { stacks } = this;
    if (this.noStackNode === NO_PARENT) this.noStackNode = stacks.node(NO_PARENT, marker(stacks, NO_STACK_NAME));
    return this.noStackNode;
  }

  private decode(index: number): number {
    const { cursor, pool, framesField, limits, stacks } = this;
    if (pool === undefined || framesField === undefined) return this.noStack();
    cursor.position = pool.offset(index);
    cursor.end = cursor.bytes.length;
    for (const field of pool.type.fields) {
      if (field === framesField) break;
      skipField(cursor, field);
    }
    const count = readCount(cursor, framesField);
    if (count === 0) return this.noStack();
    const cut = count > limits.depthMax;
    const kept = cut ? limits.depthMax - 1 : count;
    if (cut) {
      this.refusals.add('depth_limit', () => `a stack trace of ${count} frames was cut to ${limits.depthMax}`);
      for (let i = kept; i < count; i++) skipValue(cursor, framesField.type);
    }
    if (kept > this.scratch.length) this.scratch = new Int32Array(kept * 2);
    if (framesField.type.varints > 0) this.readPlainFrames(kept, framesField.type.varints);
    else this.readFrames(kept);

    let node = NO_PARENT;
    for (let i = kept - 1; i >= 0; i--) node = stacks.node(node, this.scratch[i] as number);
    if (cut) node = stacks.node(node, marker(stacks, STACK_CUT_NAME));
    if (stacks.nodeCount > limits.nodesMax) {
      throw new PilotlightError('profile_size_limit', `the recording has more than ${limits.nodesMax} stack nodes`, {
        limit: limits.nodesMax,
      });
    }
    return node;
  }

  /** Frames that consist of varints only: every producer's. The pool was walked before, so the bytes are known to be there. */
  private readPlainFrames(count: number, fieldCount: number): void {
    const { cursor, scratch } = this;
    const { bytes } = cursor;
    const [methodPlace, linePlace, kindPlace] = this.places as [number, number, number];
    let position = cursor.position;
    for (let i = 0; i < count; i++) {
      let methodLow = 0;
      let methodHigh = 0;
      let line = 0;
      let kind = 0;
      for (let place = 0; place < fieldCount; place++) {
        let low = bytes[position++] as number;
        let high = 0;
        if (low >= 0x80) {
          const second = bytes[position++] as number;
          low = (low & 0x7f) | ((second & 0x7f) << 7);
          if (second >= 0x80) {
            const third = bytes[position++] as number;
            low |= (third & 0x7f) << 14;
            if (third >= 0x80) {
              cursor.position = position - 3;
              cursor.long();
              position = cursor.position;
              low = cursor.low;
              high = cursor.high;
            }
          }
        }
        if (place === methodPlace) {
          methodLow = low;
          methodHigh = high;
        } else if (place === linePlace) line = high === 0 ? low : 0;
        else if (place === kindPlace) kind = high === 0 ? low : -1;
      }
      scratch[i] = this.frame(methodLow, methodHigh, line, kind);
    }
    cursor.position = position;
  }

  private readFrames(count: number): void {
    const { cursor, scratch } = this;
    const reader = this.frameReader as FieldReader;
    const type = (this.framesField as Field).type;
    for (let i = 0; i < count; i++) {
      const start = cursor.position;
      reader.read(cursor);
      scratch[i] = this.frame(
        reader.low[METHOD] as number,
        reader.high[METHOD] as number,
        reader.low[LINE] as number,
        reader.low[KIND] as number,
      );
      cursor.position = start;
      skipValue(cursor, type);
    }
  }

  /** The builder's frame; made at the first sight of a method, line and kind. */
  private frame(methodLow: number, methodHigh: number, line: number, kindKey: number): number {
    const method = this.methods === undefined ? -1 : this.methods.keys.find(methodLow, methodHigh);
    const kind = this.kindPool === undefined ? -1 : this.kindPool.keys.find(kindKey, 0);
    const shownLine = line <= LINE_MAX ? line : 0;
    const key = this.frameKeys.put(method, shownLine * 32 + Math.min(kind + 1, 31));
    if (key >= 0) return this.frames[key] as number;
    const frame = this.makeFrame(method, shownLine, this.kinds[kind] ?? 'unknown');
    this.frames.push(frame);
    return frame;
  }

  private makeFrame(method: number, line: number, kind: FrameKind): number {
    const { stacks, cursor } = this;
    if (method < 0) return marker(stacks, UNKNOWN_METHOD_NAME);
    const { position, end } = cursor;
    const { name, systemName } = this.names.of(method);
    cursor.position = position;
    cursor.end = end;
    return stacks.frame(name, systemName, 0, 0, line, kind);
  }
}

function marker(stacks: StackTableBuilder, name: string): number {
  return stacks.frame(stacks.string(name), 0, 0, 0, 0, 'marker');
}

function readKinds(pool: ConstantPool | undefined, pools: ConstantPools): FrameKind[] {
  const kinds: FrameKind[] = [];
  for (let index = 0; index < (pool?.length ?? 0); index++) {
    kinds.push(KINDS.get(pools.entryText(pool as ConstantPool, index, 64)) ?? 'unknown');
  }
  return kinds;
}
