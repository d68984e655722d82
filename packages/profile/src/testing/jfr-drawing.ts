import { JfrBytes } from './jfr-bytes.js';

/** A value of a type: a number for integers, a text for strings, a list for a struct or an array, bytes as they are. */
export type DrawnValue = number | bigint | string | boolean | Uint8Array | readonly DrawnValue[];

export type DrawnEvent = readonly [type: string, fields: Readonly<Record<string, DrawnValue>>] | Uint8Array;

export interface DrawnPool {
  readonly type: string;
  readonly entries: readonly (readonly [key: number | bigint, value: DrawnValue])[];
}

/**
 * A chunk spelled out. Most tests say only stacks and events; the rest is for what no writer would write.
 */
export interface ChunkDrawing {
  /**
   * Stack traces, root first, as in `Main.main:3;Main.work`; the first has key 1. Their pools come in the last
   * checkpoint.
   */
  readonly stacks?: readonly string[];
  readonly events?: readonly DrawnEvent[];
  /** Types besides those of `STANDARD_TYPES`, or in their place; `#` marks a pooled field, `[]` an array. */
  readonly types?: Readonly<Record<string, string>>;
  /** Pools of each further checkpoint, the oldest first. */
  readonly checkpoints?: readonly (readonly DrawnPool[])[];
  /** Key of the nth entry of a pool made from stacks. */
  readonly key?: (n: number) => number | bigint;
  /** Nanoseconds since the epoch. */
  readonly start?: bigint;
  readonly duration?: bigint;
  readonly ticksPerSecond?: bigint;
  /** The last word on the header. */
  readonly header?: (view: DataView) => void;
}

const CORRELATION = 'spanId: long, spanName: long, contextId: long, traceIdHi: long, traceIdLo: long';
const SAMPLE = 'startTime: long, sampledThread: java.lang.Thread#, stackTrace: jdk.types.StackTrace#';
const ALLOCATION = 'startTime: long, eventThread: java.lang.Thread#, stackTrace: jdk.types.StackTrace#';

export const STANDARD_TYPES: Readonly<Record<string, string>> = {
  boolean: '',
  byte: '',
  char: '',
  short: '',
  int: '',
  long: '',
  float: '',
  double: '',
  'java.lang.String': '',
  'java.lang.Thread': 'osName: java.lang.String, osThreadId: long',
  'java.lang.Class': 'classLoader: long, name: jdk.types.Symbol#, package: long, modifiers: int',
  'jdk.types.Symbol': 'string: java.lang.String',
  'jdk.types.Method':
    'type: java.lang.Class#, name: jdk.types.Symbol#, descriptor: jdk.types.Symbol#, modifiers: int, hidden: boolean',
  'jdk.types.FrameType': 'description: java.lang.String',
  'jdk.types.ThreadState': 'name: java.lang.String',
  'jdk.types.StackFrame': 'method: jdk.types.Method#, lineNumber: int, bytecodeIndex: int, type: jdk.types.FrameType#',
  'jdk.types.StackTrace': 'truncated: boolean, frames: jdk.types.StackFrame[]',
  'jdk.ExecutionSample': `${SAMPLE}, state: jdk.types.ThreadState#, ${CORRELATION}`,
  'profiler.WallClockSample': `${SAMPLE}, state: jdk.types.ThreadState#, ${CORRELATION}, samples: int, timeSpan: long`,
  'jdk.CPUTimeSample':
    'startTime: long, stackTrace: jdk.types.StackTrace#, eventThread: java.lang.Thread#, failed: boolean, samplingPeriod: long, biased: boolean',
  'jdk.ObjectAllocationInNewTLAB': `${ALLOCATION}, objectClass: java.lang.Class#, allocationSize: long, tlabSize: long, ${CORRELATION}`,
  'jdk.JavaMonitorEnter': `startTime: long, duration: long, eventThread: java.lang.Thread#, stackTrace: jdk.types.StackTrace#`,
  'jdk.ActiveSetting': 'startTime: long, id: long, name: java.lang.String, value: java.lang.String',
};

export const STATES = ['STATE_DEFAULT', 'STATE_RUNNABLE', 'STATE_SLEEPING'];
export const FRAME_TYPES = ['Interpreted', 'JIT compiled', 'Inlined', 'Native', 'C++', 'Kernel', 'C1 compiled'];

const HEADER_BYTES = 68;

interface DrawnField {
  readonly name: string;
  readonly type: string;
  readonly pooled: boolean;
  readonly array: boolean;
}

export function jfrChunk(drawing: ChunkDrawing): Uint8Array {
  const { types, ids } = drawnTypes(drawing.types);
  const body = new JfrBytes();
  body.raw(metadataEvent(types, ids));
  for (const event of drawing.events ?? [])
    body.raw(event instanceof Uint8Array ? event : drawnEvent(event, types, ids));
  let checkpoint = 0;
  for (const pools of [...(drawing.checkpoints ?? []), stackPools(drawing)]) {
    const at = HEADER_BYTES + body.length;
    body.raw(checkpointEvent(pools, checkpoint === 0 ? 0 : checkpoint - at, types, ids));
    checkpoint = at;
  }
  const chunk = new Uint8Array(HEADER_BYTES + body.length);
  chunk.set(body.finish(), HEADER_BYTES);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, 0x464c5200);
  view.setUint16(4, 2);
  view.setBigUint64(8, BigInt(chunk.length));
  view.setBigUint64(16, BigInt(checkpoint));
  view.setBigUint64(24, BigInt(HEADER_BYTES));
  view.setBigUint64(32, drawing.start ?? 1_700_000_000_000_000_000n);
  view.setBigUint64(40, drawing.duration ?? 10_000_000_000n);
  view.setBigUint64(56, drawing.ticksPerSecond ?? 1_000_000_000n);
  view.setUint8(67, 1);
  drawing.header?.(view);
  return chunk;
}

/** The metadata event of a chunk with these types besides the standard ones, or in their place. */
export function jfrMetadata(replaced: Readonly<Record<string, string>>): Uint8Array {
  const { types, ids } = drawnTypes(replaced);
  return metadataEvent(types, ids);
}

/** An event of a type by its number, for types that the metadata does not know. */
export function rawEvent(type: number | bigint, body: Iterable<number> = [], typeBytesMin = 1): Uint8Array {
  return new JfrBytes().varint(type, typeBytesMin).raw(body).asEvent();
}

/** Types have ids from 20 in the order of the drawing. */
function drawnTypes(replaced: Readonly<Record<string, string>> = {}): {
  types: ReadonlyMap<string, DrawnField[]>;
  ids: ReadonlyMap<string, number>;
} {
  const texts = Object.entries({ ...STANDARD_TYPES, ...replaced });
  return {
    types: new Map(texts.map(([name, fields]) => [name, drawnFields(fields)])),
    ids: new Map(texts.map(([name], i) => [name, 20 + i])),
  };
}

function drawnFields(text: string): DrawnField[] {
  return text
    .split(', ')
    .filter((field) => field !== '')
    .map((field) => {
      const [, name = '', type = '', mark = ''] = /^(\w+): ([\w.]+)(#|\[\])?$/.exec(field) ?? [];
      return { name, type, pooled: mark === '#', array: mark === '[]' };
    });
}

function drawnEvent(
  [type, values]: Exclude<DrawnEvent, Uint8Array>,
  types: ReadonlyMap<string, DrawnField[]>,
  ids: ReadonlyMap<string, number>,
): Uint8Array {
  const event = new JfrBytes().varint(ids.get(type) ?? 0);
  for (const field of types.get(type) ?? []) writeField(event, field, values[field.name] ?? 0, types);
  return event.asEvent();
}

function writeField(
  out: JfrBytes,
  field: DrawnField,
  value: DrawnValue,
  types: ReadonlyMap<string, DrawnField[]>,
): void {
  if (value instanceof Uint8Array) out.raw(value);
  else if (field.array) {
    const elements = value as readonly DrawnValue[];
    out.varint(elements.length);
    for (const element of elements) writeValue(out, field.type, element, types);
  } else if (field.pooled) out.varint(value as number);
  else writeValue(out, field.type, value, types);
}

function writeValue(out: JfrBytes, type: string, value: DrawnValue, types: ReadonlyMap<string, DrawnField[]>): void {
  if (value instanceof Uint8Array) out.raw(value);
  else if (type === 'java.lang.String') value === 0 ? out.byte(0) : out.utf8(value as string);
  else if (type === 'byte' || type === 'boolean') out.byte(Number(value));
  else if (type === 'float' || type === 'double') out.raw(new Uint8Array(type === 'float' ? 4 : 8));
  else if (type === 'int') out.varint(BigInt.asUintN(32, BigInt(value as number)));
  else if (type === 'short' || type === 'char') out.varint(BigInt.asUintN(16, BigInt(value as number)));
  else if (type === 'long') out.varint(value as number);
  else {
    const fields = types.get(type) ?? [];
    const values = Array.isArray(value) ? (value as readonly DrawnValue[]) : [value];
    for (const [i, field] of fields.entries()) writeField(out, field, values[i] ?? 0, types);
  }
}

function checkpointEvent(
  pools: readonly DrawnPool[],
  delta: number,
  types: ReadonlyMap<string, DrawnField[]>,
  ids: ReadonlyMap<string, number>,
): Uint8Array {
  const event = new JfrBytes().varint(1).varint(0).varint(0).varint(delta).byte(0).varint(pools.length);
  for (const { type, entries } of pools) {
    event.varint(ids.get(type) ?? Number(type)).varint(entries.length);
    for (const [key, value] of entries) {
      event.varint(key);
      writeValue(event, type, value, types);
    }
  }
  return event.asEvent();
}

function stackPools({ stacks = [], key = (n) => n }: ChunkDrawing): DrawnPool[] {
  const symbols = new Map<string, number>();
  const classes = new Map<string, number>();
  const methods = new Map<string, number>();
  const index = (map: Map<string, number>, text: string): number => {
    if (!map.has(text)) map.set(text, map.size + 1);
    return map.get(text) as number;
  };
  const traces = stacks.map((stack) =>
    stack
      .split(';')
      .reverse()
      .map((frame) => {
        const [, name = '', line = '0'] = /^(.*?)(?::(\d+))?$/.exec(frame) ?? [];
        return [key(index(methods, name)), Number(line), 0, 1];
      }),
  );
  const methodEntries = [...methods].map(([name, n]) => {
    const dot = name.lastIndexOf('.');
    const owner = dot < 0 ? 0 : key(index(classes, name.slice(0, dot)));
    return [key(n), [owner, key(index(symbols, name.slice(dot + 1))), 0, 1, 0]] as const;
  });
  const classEntries = [...classes].map(([name, n]) => [key(n), [0, key(index(symbols, name)), 0, 1]] as const);
  return [
    { type: 'jdk.types.FrameType', entries: FRAME_TYPES.map((name, i) => [i, [name]]) },
    { type: 'jdk.types.ThreadState', entries: STATES.map((name, i) => [i, [name]]) },
    { type: 'jdk.types.StackTrace', entries: traces.map((frames, i) => [key(i + 1), [false, frames]]) },
    { type: 'jdk.types.Method', entries: methodEntries },
    { type: 'java.lang.Class', entries: classEntries },
    { type: 'jdk.types.Symbol', entries: [...symbols].map(([text, n]) => [key(n), [text]]) },
  ];
}

function metadataEvent(types: ReadonlyMap<string, DrawnField[]>, ids: ReadonlyMap<string, number>): Uint8Array {
  const strings = new Map<string, number>();
  const tree = new JfrBytes();
  const text = (value: string): number => {
    if (!strings.has(value)) strings.set(value, strings.size);
    return strings.get(value) as number;
  };
  const element = (name: string, attributes: Record<string, string>, childCount: number): void => {
    const entries = Object.entries(attributes);
    tree.varint(text(name)).varint(entries.length);
    for (const [key, value] of entries) tree.varint(text(key)).varint(text(value));
    tree.varint(childCount);
  };
  element('root', {}, 2);
  element('metadata', {}, types.size);
  for (const [name, fields] of types) {
    element('class', { id: String(ids.get(name)), name }, fields.length);
    for (const { name: fieldName, type, pooled, array } of fields) {
      const marks = { ...(pooled ? { constantPool: 'true' } : {}), ...(array ? { dimension: '1' } : {}) };
      element('field', { name: fieldName, class: String(ids.get(type) ?? type), ...marks }, 0);
    }
  }
  element('region', { locale: 'en' }, 0);
  const event = new JfrBytes().varint(0).varint(0).varint(0).varint(1).varint(strings.size);
  // The JDK writes UTF-16 here, async-profiler UTF-8.
  for (const [value, i] of strings) i % 2 === 0 ? event.utf16(value) : event.utf8(value);
  return event.raw(tree.finish()).asEvent();
}
