import type { StackTableBuilder } from '../builder.js';
import { PilotlightError } from '../errors.js';
import { NO_STACK_NAME, STACK_CUT_NAME } from '../markers.js';
import { FRAME_KINDS, type FrameKind, NO_PARENT } from '../model.js';
import { PairMap } from '../pair-map.js';
import { ChunkMethods } from './chunk-methods.js';
import type { ConstantPool, ConstantPools } from './constant-pool.js';
import { FieldReader } from './fields.js';
import { type Field, readCount, skipField, skipValue } from './metadata.js';
import type { NamedFrames } from './named-frames.js';
import type { StackPath } from './stack-path.js';
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
const UNSEEN = -1;
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
/**
 * The stack traces of one chunk, each turned into nodes when an event first names it. Most of a recording is frames (32
 * to an event in a large one), so nothing here allocates per frame: a frame is its method's key with its place, which
 * is line and kind in 32 bits.
 */
export class StackReader {
  private readonly stacks: StackTableBuilder;
  private readonly named: NamedFrames;
  private chunkMethods: ChunkMethods | undefined;
  /** Indexes into FRAME_KINDS, by key. */
  private readonly kinds: Uint8Array;
  private readonly pool: ConstantPool | undefined;
  /** Node of each entry of the pool. */
  private readonly leaf: Int32Array;
  private readonly framesField: Field | undefined;
  private readonly frameReader: FieldReader | undefined;
  /** Frames are four varints, and nothing follows them in their entry. */
  private readonly plain: boolean;
  /** Frames by method key and place. Keys of more than 32 bits stand as −2 − their name. */
  private readonly frames: PairMap;
  /**
   * The place and frame of each method's last sight; of small keys, as async-profiler's are. Most methods are called from one
   * line: only those of several are looked for in `frames`.
   */
  private readonly lastPlace: Int32Array;
  private readonly lastFrame: Int32Array;
  private readonly severalPlaces: Uint8Array;
  private readonly path: StackPath;
  /** Where the frame read last from behind begins. */
  private frameStart = 0;
  private fieldStarts = new Int32Array(64);
  private noStackNode = NO_PARENT;

  constructor(
    private readonly cursor: Cursor,
    private readonly pools: ConstantPools,
    private readonly sums: Sums,
  ) {
    this.stacks = sums.stacks;
    this.named = sums.frames;
    this.path = sums.stackPath;
    this.path.forget();
    this.kinds = readKinds(pools);
    const methodCount = pools.named('jdk.types.Method')?.length ?? 0;
    this.frames = new PairMap(powerOfTwo(methodCount));
    this.lastPlace = new Int32Array(methodCount * 2).fill(UNSEEN);
    this.lastFrame = new Int32Array(methodCount * 2);
    this.severalPlaces = new Uint8Array(methodCount * 2);
    this.pool = pools.named('jdk.types.StackTrace');
    this.leaf = new Int32Array((this.pool?.length ?? 0) + 1).fill(UNDECODED);
    const field = this.pool?.type.field('frames');
    // Frames of no bytes could be announced by the billion.
    this.framesField = field?.array && !field.pooled && field.type.sizeMin > 0 ? field : undefined;
    const type = this.framesField?.type;
    this.frameReader = type && new FieldReader(type, ['method', 'lineNumber', 'type']);
    this.plain =
      type?.varints === 4 &&
      type.fields.every((each, i) => each.name === PLAIN_FRAME[i]) &&
      this.pool?.type.fields.at(-1) === field;
  }

  /** The number of stack traces, with one for those whose key names none. */
  get length(): number {
    return this.leaf.length;
  }

  /** The index of a stack trace, which is the last one when the key names none. */
  index(low: number, high: number): number {
    const index = this.pool === undefined ? -1 : this.pool.keys.find(low, high);
    return index < 0 ? this.leaf.length - 1 : index;
  }

  /** The leaf of a stack trace; a marker node when there is none, or one without frames. */
  node(index: number): number {
    let leaf = this.leaf[index] as number;
    if (leaf === UNDECODED) {
      leaf = index === this.leaf.length - 1 ? this.noStack() : this.decode(index);
      this.leaf[index] = leaf;
    }
    return leaf;
  }

  /** Moves the cursor at its first use, which for most chunks without samples never comes. */
  private get methods(): ChunkMethods {
    this.chunkMethods ??= new ChunkMethods(this.cursor, this.named.names, this.pools, this.named.budget);
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
    const end = pool.end(index);
    const node = this.plain && end > 0 ? this.walkBytes(cursor.position, end, kept) : this.walkFields(kept);
    if (stacks.nodeCount > limits.nodesMax) {
      throw new PilotlightError('profile_size_limit', `the recording has more than ${limits.nodesMax} stack nodes`, {
        limit: limits.nodesMax,
      });
    }
    return cut ? stacks.node(node, marker(stacks, STACK_CUT_NAME)) : node;
  }

  /** From the root to the leaf of plain frames, whose bytes are told from behind. */
  private walkBytes(start: number, end: number, count: number): number {
    const { stacks, path } = this;
    path.expect(count);
    let node = NO_PARENT;
    let position = end;
    let entry = -1;
    while (position > start) {
      if (entry < 0) {
        const child = stacks.lastChild(node);
        if (child >= 0) entry = path.find(child);
      }
      if (entry >= 0) {
        const frames = path.match(entry, start, position);
        if (frames > 0) {
          path.close(position);
          node = path.nodeAt(entry + frames - 1);
          position -= path.bytes(entry, frames);
          entry = -1;
          continue;
        }
      }
      node = this.stepBytes(node, position);
      entry = -1;
      path.add(node, position);
      position = this.frameStart;
    }
    path.close(position);
    return node;
  }

  /** The child of `parent` whose plain frame ends at `end`. */
  private stepBytes(parent: number, end: number): number {
    const { bytes } = this.cursor;
    let at = end - 1;
    const kind = bytes[at] as number;
    at--;
    const wide = (bytes[at] as number) >= 0x80;
    while (wide && (bytes[at] as number) >= 0x80) at--;
    do at--;
    while ((bytes[at] as number) >= 0x80);
    const lineEnd = at;
    let line = bytes[at] as number;
    for (let byte = bytes[--at] as number; byte >= 0x80; byte = bytes[--at] as number) {
      line = (line << 7) | (byte & 0x7f);
    }
    const methodEnd = at;
    let method = bytes[at] as number;
    for (let byte = bytes[--at] as number; byte >= 0x80; byte = bytes[--at] as number) {
      method = (method << 7) | (byte & 0x7f);
    }
    this.frameStart = at + 1;
    let frame: number;
    if (wide || lineEnd - methodEnd > 4 || methodEnd - at > 4) frame = this.readFrame(at + 1);
    else frame = this.frame(method, (line <= LINE_MAX ? line : 0) * 32 + Math.min(kind, OTHER_KIND));
    return this.stacks.node(parent, frame);
  }

  /** From the root to the leaf of frames of any layout. */
  private walkFields(count: number): number {
    const { cursor, stacks } = this;
    const { type } = this.framesField as Field;
    if (count > this.fieldStarts.length) this.fieldStarts = new Int32Array(count * 2);
    for (let i = 0; i < count; i++) {
      this.fieldStarts[i] = cursor.position;
      skipValue(cursor, type);
    }
    let node = NO_PARENT;
    for (let i = count - 1; i >= 0; i--) node = stacks.node(node, this.readFrame(this.fieldStarts[i] as number));
    return node;
  }

  /** The builder's frame that begins at an offset. */
  private readFrame(start: number): number {
    const { cursor } = this;
    const reader = this.frameReader as FieldReader;
    const { low, high } = reader;
    cursor.position = start;
    reader.read(cursor);
    const line = low[LINE] as number;
    const kind = low[KIND] as number;
    const wide = high[METHOD] !== 0 || (low[METHOD] as number) > METHOD_MAX;
    const method = wide
      ? -2 - this.methods.name(low[METHOD] as number, high[METHOD] as number)
      : (low[METHOD] as number);
    return this.frame(method, (line <= LINE_MAX ? line : 0) * 32 + Math.min(kind, OTHER_KIND));
  }

  /** The builder's frame; made at the first sight of a method and place. */
  private frame(method: number, place: number): number {
    if (method < 0 || method >= this.lastPlace.length) return this.findFrame(method, place);
    const last = this.lastPlace[method] as number;
    if (last === place) return this.lastFrame[method] as number;
    let frame: number;
    if (last === UNSEEN) frame = this.makeFrame(method, place);
    else {
      if (this.severalPlaces[method] === 0) {
        this.severalPlaces[method] = 1;
        this.frames.add(method, last, this.lastFrame[method] as number);
      }
      frame = this.findFrame(method, place);
    }
    this.lastPlace[method] = place;
    this.lastFrame[method] = frame;
    return frame;
  }

  private findFrame(method: number, place: number): number {
    let frame = this.frames.get(method, place);
    if (frame < 0) {
      frame = this.makeFrame(method, place);
      this.frames.add(method, place, frame);
    }
    return frame;
  }

  private makeFrame(method: number, place: number): number {
    const { stacks, named } = this;
    const name = method < 0 ? -2 - method : this.methods.name(method, 0);
    const kind = this.kinds[place & OTHER_KIND] as number;
    return name === NO_METHOD ? marker(stacks, UNKNOWN_METHOD_NAME) : named.frame(name, place >>> 5, kind);
  }
}

/** The next one, for tables of a size that is only guessed. */
function powerOfTwo(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(count, 64)));
}

function marker(stacks: StackTableBuilder, name: string): number {
  return stacks.frame(stacks.string(name), 0, 0, 0, 0, 'marker');
}

function readKinds(pools: ConstantPools): Uint8Array {
  const pool = pools.named('jdk.types.FrameType');
  const kinds = new Uint8Array(OTHER_KIND + 1);
  for (let key = 0; key < OTHER_KIND; key++) {
    const index = pool === undefined ? -1 : pool.keys.find(key, 0);
    const kind = pool !== undefined && index >= 0 ? KINDS.get(pools.entryText(pool, index, 64)) : undefined;
    kinds[key] = FRAME_KINDS.indexOf(kind ?? 'unknown');
  }
  return kinds;
}
