import type { StackTableBuilder } from '../builder.js';
import { PilotlightError } from '../errors.js';
import { NO_STACK_NAME, STACK_CUT_NAME } from '../markers.js';
import { type FrameKind, NO_PARENT } from '../model.js';
import { PairIndex } from '../pair-index.js';
import type { ConstantPool, ConstantPools } from './constant-pool.js';
import { FieldReader } from './fields.js';
import { type Field, readCount, skipField, skipValue } from './metadata.js';
import { ChunkMethods, type MethodNames } from './method-names.js';
import type { SeenFrames } from './seen-frames.js';
import type { Sums } from './sums.js';
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
const NO_METHOD = -1;
/**
 * Line numbers of class files are below 65,536, and there are ten kinds of frames at the most: together they fit 31
 * bits.
 */
const LINE_MAX = 0x3ff_ffff;
/** Stands for keys of frame types from 31 on, which nobody has. */
const OTHER_KIND = 31;
const METHOD_MAX = 0x7fff_ffff;
const METHOD = 0;
const LINE = 1;
const KIND = 2;

/** A frame as async-profiler and the JDK write it. Any other is read field by field. */
const PLAIN_FRAME = ['method', 'lineNumber', 'bytecodeIndex', 'type'];
/** The most bytes of a plain frame whose varints have four bytes each. */
const PLAIN_FRAME_BYTES = 16;

/**
 * The stack traces of one chunk, each turned into nodes when an event first names it. Most of a recording is frames (32
 * to an event in a large one), so nothing here allocates per frame: a frame is its method's key with its place, which
 * is line and kind in 32 bits.
 */
export class StackReader {
  private readonly stacks: StackTableBuilder;
  private readonly names: MethodNames;
  private chunkMethods: ChunkMethods | undefined;
  /** By key. */
  private readonly kinds: readonly FrameKind[];
  private readonly pool: ConstantPool | undefined;
  /** Node of each entry of the pool. */
  private readonly leaf: Int32Array;
  private readonly framesField: Field | undefined;
  private readonly frameReader: FieldReader | undefined;
  private readonly plain: boolean;
  /** Frames by method key and place. Keys of more than 32 bits stand as −2 − their name. */
  private readonly keys = new PairIndex();
  private readonly frames: number[] = [];
  private readonly seen: SeenFrames;
  /** The stack trace at hand, leaf first. */
  private method = new Int32Array(64);
  private place = new Int32Array(64);
  private noStackNode = NO_PARENT;

  constructor(
    private readonly cursor: Cursor,
    private readonly pools: ConstantPools,
    private readonly sums: Sums,
  ) {
    this.stacks = sums.stacks;
    this.names = sums.names;
    this.seen = sums.seenFrames;
    this.seen.forget();
    this.kinds = readKinds(pools);
    this.pool = pools.named('jdk.types.StackTrace');
    this.leaf = new Int32Array(this.pool?.length ?? 0).fill(UNDECODED);
    const field = this.pool?.type.field('frames');
    // Frames of no bytes could be announced by the billion.
    this.framesField = field?.array && !field.pooled && field.type.sizeMin > 0 ? field : undefined;
    const type = this.framesField?.type;
    this.frameReader = type && new FieldReader(type, ['method', 'lineNumber', 'type']);
    this.plain = type?.varints === 4 && type.fields.every((each, i) => each.name === PLAIN_FRAME[i]);
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

  /** Moves the cursor at its first use, which for most chunks without samples never comes. */
  private get methods(): ChunkMethods {
    this.chunkMethods ??= new ChunkMethods(this.cursor, this.names, this.pools);
    return this.chunkMethods;
  }

  private noStack(): number {
    const { stacks } = this;
    if (this.noStackNode === NO_PARENT) this.noStackNode = stacks.node(NO_PARENT, marker(stacks, NO_STACK_NAME));
    return this.noStackNode;
  }

  private decode(index: number): number {
    const { cursor, pool, framesField, stacks } = this;
    const { limits, refusals } = this.sums;
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
      refusals.add('depth_over_limit', () => `a stack trace has ${count} frames, over ${limits.depthMax}`);
      for (let i = kept; i < count; i++) skipValue(cursor, framesField.type);
    }
    if (kept > this.method.length) {
      this.method = new Int32Array(kept * 2);
      this.place = new Int32Array(kept * 2);
    }
    const read = this.plain ? this.readPlainFrames(kept) : 0;
    this.readFrames(read, kept);
    const node = this.walk(kept);
    if (stacks.nodeCount > limits.nodesMax) {
      throw new PilotlightError('profile_size_limit', `the recording has more than ${limits.nodesMax} stack nodes`, {
        limit: limits.nodesMax,
      });
    }
    return cut ? stacks.node(node, marker(stacks, STACK_CUT_NAME)) : node;
  }

  /**
   * Reads plain frames whose varints have four bytes at the most, without a branch on their lengths, which nobody can
   * predict. Stops at the first other one, or near the file's end; returns how many were read. The pool was walked
   * before, so the bytes are known to be there.
   */
  private readPlainFrames(count: number): number {
    const { cursor, method, place } = this;
    const { view } = cursor;
    const lastStart = cursor.bytes.length - PLAIN_FRAME_BYTES;
    let position = cursor.position;
    let read = 0;
    for (; read < count && position <= lastStart; read++) {
      const methodWord = view.getUint32(position, true);
      const methodEnd = lastBit(methodWord);
      const lineAt = position + byteCount(methodEnd);
      const lineWord = view.getUint32(lineAt, true);
      const lineEnd = lastBit(lineWord);
      const indexAt = lineAt + byteCount(lineEnd);
      const indexEnd = lastBit(view.getUint32(indexAt, true));
      const kindAt = indexAt + byteCount(indexEnd);
      const kind = view.getUint8(kindAt);
      if (methodEnd === 0 || lineEnd === 0 || indexEnd === 0 || kind >= OTHER_KIND) break;
      const line = sevenBits(lineWord, lineEnd);
      method[read] = sevenBits(methodWord, methodEnd);
      place[read] = (line <= LINE_MAX ? line : 0) * 32 + kind;
      position = kindAt + 1;
    }
    cursor.position = position;
    return read;
  }

  private readFrames(from: number, to: number): void {
    if (from === to) return;
    const { cursor } = this;
    const reader = this.frameReader as FieldReader;
    const { type } = this.framesField as Field;
    const { low, high } = reader;
    for (let i = from; i < to; i++) {
      const start = cursor.position;
      reader.read(cursor);
      const line = low[LINE] as number;
      const kind = low[KIND] as number;
      const wide = high[METHOD] !== 0 || (low[METHOD] as number) > METHOD_MAX;
      this.method[i] = wide
        ? -2 - this.methods.name(low[METHOD] as number, high[METHOD] as number)
        : (low[METHOD] as number);
      this.place[i] = (line <= LINE_MAX ? line : 0) * 32 + Math.min(kind, OTHER_KIND);
      cursor.position = start;
      skipValue(cursor, type);
    }
  }

  /** From the root to the leaf. */
  private walk(count: number): number {
    const { stacks, method, place, seen } = this;
    let node = NO_PARENT;
    for (let i = count - 1; i >= 0; i--) {
      const child = stacks.lastChild(node);
      if (child >= 0 && seen.is(stacks.frameOf(child), method[i] as number, place[i] as number)) node = child;
      else node = stacks.node(node, this.frame(method[i] as number, place[i] as number));
    }
    return node;
  }

  /** The builder's frame; made at the first sight of a method and place. */
  private frame(method: number, place: number): number {
    const key = this.keys.put(method, place);
    const frame = key >= 0 ? (this.frames[key] as number) : this.makeFrame(method, place);
    this.seen.put(frame, method, place);
    return frame;
  }

  private makeFrame(method: number, place: number): number {
    const { stacks, names } = this;
    const name = method < 0 ? -2 - method : this.methods.name(method, 0);
    const kind = this.kinds[place & OTHER_KIND] as FrameKind;
    const frame = name === NO_METHOD ? marker(stacks, UNKNOWN_METHOD_NAME) : names.frame(name, place >>> 5, kind);
    this.frames.push(frame);
    return frame;
  }
}

/** The top bit of the last byte of a varint that begins a word; 0 when it ends behind the word. */
function lastBit(word: number): number {
  const ends = ~word & 0x80808080;
  return ends & -ends;
}

/** From the top bit of a varint's last byte to the number of its bytes. */
function byteCount(end: number): number {
  return (39 - Math.clz32(end)) >>> 3;
}

/** The number that a varint at the start of a word stands for, given the top bit of its last byte. */
function sevenBits(word: number, end: number): number {
  const own = word & (end - 1);
  return (own & 0x7f) | ((own >>> 1) & 0x3f80) | ((own >>> 2) & 0x1fc000) | ((own >>> 3) & 0xfe00000);
}

function marker(stacks: StackTableBuilder, name: string): number {
  return stacks.frame(stacks.string(name), 0, 0, 0, 0, 'marker');
}

function readKinds(pools: ConstantPools): FrameKind[] {
  const pool = pools.named('jdk.types.FrameType');
  return Array.from({ length: OTHER_KIND + 1 }, (_, key) => {
    const index = pool === undefined || key === OTHER_KIND ? -1 : pool.keys.find(key, 0);
    return (pool !== undefined && index >= 0 && KINDS.get(pools.entryText(pool, index, 64))) || 'unknown';
  });
}
