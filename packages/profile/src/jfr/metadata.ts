import { PilotlightError } from '../errors.js';
import type { Chunk } from './chunk.js';
import type { KnownTypes } from './known-types.js';
import { type Cursor, malformed, VARINT_BYTES_MAX } from './wire.js';

/**
 * The types of a chunk, from its metadata event: size, type 0, start, duration, id, strings, then one tree of elements,
 * `root > metadata > class > field > annotation`. Type ids differ between producers and versions, so types and fields
 * are bound by name, and read or passed over in the order the metadata give.
 */

const STRING_BYTES_MAX = 65_536;
const ELEMENT_DEPTH_MAX = 32;
const TYPE_DEPTH_MAX = 32;
/** Strings, and elements, of one chunk; the JDK has about 15,000. */
const ROWS_MAX = 200_000;

/** How a value of a type is written. */
export type Encoding = 'varint' | 'byte' | 'float' | 'double' | 'string' | 'fields';

const PRIMITIVES = new Map<string, { encoding: Encoding; sizeMin: number; signedBits: number }>([
  ['int', { encoding: 'varint', sizeMin: 1, signedBits: 32 }],
  ['long', { encoding: 'varint', sizeMin: 1, signedBits: 64 }],
  ['short', { encoding: 'varint', sizeMin: 1, signedBits: 16 }],
  ['char', { encoding: 'varint', sizeMin: 1, signedBits: 0 }],
  ['byte', { encoding: 'byte', sizeMin: 1, signedBits: 8 }],
  ['boolean', { encoding: 'byte', sizeMin: 1, signedBits: 0 }],
  ['float', { encoding: 'float', sizeMin: 4, signedBits: 0 }],
  ['double', { encoding: 'double', sizeMin: 8, signedBits: 0 }],
  ['java.lang.String', { encoding: 'string', sizeMin: 1, signedBits: 0 }],
]);

const FIXED_SIZES = new Map<Encoding, number>([
  ['byte', 1],
  ['float', 4],
  ['double', 8],
]);
const NOT_FLAT = -1;
const NONE_FLAT = new Uint8Array(0);

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** The value is a varint key into the pool of `type`. */
  readonly pooled: boolean;
  /** A varint count comes first. */
  readonly array: boolean;
  /** Of a `jdk.jfr.Timespan`, as in TICKS or NANOSECONDS; '' when not annotated. */
  readonly timespan: string;
}

export class Type {
  readonly encoding: Encoding;
  /** 0 when unsigned. */
  readonly signedBits: number;
  private readonly declared: Field[] = [];
  private size: number;
  private written: readonly Field[] | undefined;
  private varintCount = -1;
  private flatSizes: Uint8Array | undefined;

  constructor(
    readonly id: number,
    readonly name: string,
  ) {
    const primitive = PRIMITIVES.get(name);
    this.encoding = primitive?.encoding ?? 'fields';
    this.signedBits = primitive?.signedBits ?? 0;
    this.size = primitive?.sizeMin ?? -1;
  }

  declare(field: Field): void {
    this.declared.push(field);
  }

  /**
   * The fields that take any bytes, in the order they are written. Those of structs without fields take none; thousands
   * of them could be declared to make every value slow to pass over.
   */
  get fields(): readonly Field[] {
    this.written ??= this.declared.filter((field) => field.array || field.pooled || field.type.sizeMin > 0);
    return this.written;
  }

  /** The fewest bytes a value takes. Infinity for a type that contains itself or that the metadata does not define. */
  get sizeMin(): number {
    return this.size >= 0 ? this.size : this.measure(0);
  }

  /** The number of varints a value consists of, when it consists of nothing else; else 0. */
  get varints(): number {
    if (this.varintCount < 0) {
      const plain = (field: Field) => !field.array && (field.pooled || field.type.encoding === 'varint');
      if (this.encoding === 'varint') this.varintCount = 1;
      else this.varintCount = this.encoding === 'fields' && this.fields.every(plain) ? this.fields.length : 0;
    }
    return this.varintCount;
  }

  /**
   * Of each of its fields, the bytes it takes, 0 for a varint, when a value consists of varints and fields of fixed size;
   * else undefined.
   */
  get flat(): Uint8Array | undefined {
    if (this.flatSizes === undefined) {
      const size = ({ array, pooled, type }: Field) =>
        array ? NOT_FLAT : pooled || type.encoding === 'varint' ? 0 : (FIXED_SIZES.get(type.encoding) ?? NOT_FLAT);
      const sizes = this.encoding === 'fields' ? this.fields.map(size) : [NOT_FLAT];
      this.flatSizes = sizes.includes(NOT_FLAT) ? NONE_FLAT : Uint8Array.from(sizes);
    }
    return this.flatSizes === NONE_FLAT ? undefined : this.flatSizes;
  }

  field(name: string): Field | undefined {
    return this.fields.find((field) => field.name === name);
  }

  private measure(depth: number): number {
    if (this.size >= 0) return this.size;
    if (depth > TYPE_DEPTH_MAX) return Number.POSITIVE_INFINITY;
    // A type met again while it is being measured contains itself.
    this.size = Number.POSITIVE_INFINITY;
    let size = 0;
    for (const field of this.declared) size += field.array || field.pooled ? 1 : field.type.measure(depth + 1);
    this.size = size;
    return size;
  }
}

export class TypeTable {
  private readonly byName = new Map<string, Type>();

  constructor(private readonly byId: ReadonlyMap<number, Type>) {
    for (const type of byId.values()) this.byName.set(type.name, type);
  }

  id(id: number): Type | undefined {
    return this.byId.get(id);
  }

  name(name: string): Type | undefined {
    return this.byName.get(name);
  }
}

/** Passes over one value. Recursion is bounded, since a type that nests too deep has no finite `sizeMin`. */
export function skipValue(cursor: Cursor, type: Type): void {
  if (type.encoding === 'varint') cursor.skipVarint();
  else if (type.encoding === 'string') cursor.skipString();
  else if (type.encoding !== 'fields') cursor.skip(type.sizeMin, type.name);
  else {
    cursor.need(type.sizeMin, type.name);
    for (const field of type.fields) skipField(cursor, field);
  }
}

/**
 * Passes over a value of a flat type without looking at the end, given that the file does not end before it does. False,
 * with the cursor where it was, when it went past the cursor's end.
 */
export function skipFlat(cursor: Cursor, sizes: Uint8Array): boolean {
  const { bytes } = cursor;
  let position = cursor.position;
  for (let i = 0; i < sizes.length; i++) {
    const size = sizes[i] as number;
    if (size > 0) position += size;
    else {
      const last = position + VARINT_BYTES_MAX - 1;
      while (position < last && (bytes[position] as number) >= 0x80) position++;
      position++;
    }
  }
  if (position > cursor.end) return false;
  cursor.position = position;
  return true;
}

export function skipField(cursor: Cursor, field: Field): void {
  if (!field.array) {
    if (field.pooled) cursor.skipVarint();
    else skipValue(cursor, field.type);
    return;
  }
  const count = readCount(cursor, field);
  const { type } = field;
  const varints = field.pooled ? 1 : type.varints;
  if (varints > 0) cursor.skipVarints(count * varints);
  else if (type.sizeMin > 0) for (let i = 0; i < count; i++) skipValue(cursor, type);
}

/** The count of an array, once it is known to fit into the bytes left. */
export function readCount(cursor: Cursor, field: Field): number {
  const start = cursor.position;
  const count = cursor.varint();
  const size = field.pooled ? 1 : field.type.sizeMin;
  if (count > 0 && count * size > cursor.end - cursor.position) {
    throw malformed(
      start,
      `${field.name} announces ${count} elements of at least ${size} bytes, ${cursor.end - cursor.position} bytes are left`,
    );
  }
  return count;
}

export function readMetadata(cursor: Cursor, chunk: Chunk, known?: KnownTypes): TypeTable {
  cursor.position = chunk.metadata;
  cursor.end = chunk.end;
  const size = cursor.varint();
  if (size < 2 || chunk.metadata + size > chunk.end) {
    throw malformed(chunk.metadata, `expected the metadata event, found an event of size ${size}`);
  }
  cursor.end = chunk.metadata + size;
  const type = cursor.varint();
  if (type !== 0) throw malformed(chunk.metadata, `expected the metadata event (type 0), found type ${type}`);
  cursor.skipVarints(3);
  const start = cursor.position;
  const found = known?.find(cursor);
  if (found !== undefined) return found;
  const count = cursor.varint();
  cursor.need(count, 'the strings of the metadata');
  checkRows(count, 'strings');
  const strings: string[] = [];
  for (let i = 0; i < count; i++) strings.push(cursor.string(STRING_BYTES_MAX));
  const types = bind(new ElementReader(cursor, strings).read(0));
  known?.add(cursor, start, types);
  return types;
}

function checkRows(count: number, what: string): void {
  if (count <= ROWS_MAX) return;
  throw new PilotlightError('profile_size_limit', `the metadata have more than ${ROWS_MAX} ${what}`, {
    limit: ROWS_MAX,
  });
}

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
}

class ElementReader {
  private count = 0;

  constructor(
    private readonly cursor: Cursor,
    private readonly strings: readonly string[],
  ) {}

  read(depth: number): Element {
    const { cursor } = this;
    if (depth > ELEMENT_DEPTH_MAX) {
      throw malformed(cursor.position, `metadata elements nest deeper than ${ELEMENT_DEPTH_MAX}`);
    }
    checkRows(++this.count, 'elements');
    const name = this.text();
    const attributes = new Map<string, string>();
    const attributeCount = cursor.varint();
    cursor.need(attributeCount * 2, 'the attributes of a metadata element');
    for (let i = 0; i < attributeCount; i++) attributes.set(this.text(), this.text());
    const children: Element[] = [];
    const childCount = cursor.varint();
    cursor.need(childCount * 3, 'the children of a metadata element');
    for (let i = 0; i < childCount; i++) children.push(this.read(depth + 1));
    return { name, attributes, children };
  }

  private text(): string {
    const { cursor, strings } = this;
    const start = cursor.position;
    const index = cursor.varint();
    const text = strings[index];
    if (text === undefined)
      throw malformed(start, `expected one of ${strings.length} metadata strings, found ${index}`);
    return text;
  }
}

/**
 * Makes types of the `class` elements. Ids are small in every file; of two beyond 2^53 that meet, the later one counts.
 */
function bind(root: Element): TypeTable {
  const classes = root.children
    .filter((element) => element.name === 'metadata')
    .flatMap((metadata) => metadata.children.filter((element) => element.name === 'class'));
  const types = new Map<number, Type>();
  for (const element of classes) {
    const id = idOf(element, 'id');
    types.set(id, new Type(id, element.attributes.get('name') ?? ''));
  }
  const bound = new Set<Type>();
  for (const element of classes) {
    const type = types.get(idOf(element, 'id')) as Type;
    if (type.encoding !== 'fields' || bound.has(type)) continue;
    bound.add(type);
    for (const child of element.children) if (child.name === 'field') type.declare(bindField(child, types));
  }
  return new TypeTable(types);
}

function bindField(element: Element, types: Map<number, Type>): Field {
  const id = idOf(element, 'class');
  let type = types.get(id);
  if (type === undefined) {
    type = new Type(id, `undefined type ${id}`);
    // It contains itself, so that using it fails, while a chunk that only mentions it can be read.
    type.declare({ name: 'self', type, pooled: false, array: false, timespan: '' });
    types.set(id, type);
  }
  return {
    name: element.attributes.get('name') ?? '',
    type,
    pooled: element.attributes.get('constantPool') === 'true',
    array: element.attributes.get('dimension') === '1',
    timespan: timespan(element, types),
  };
}

function timespan(element: Element, types: ReadonlyMap<number, Type>): string {
  for (const child of element.children) {
    if (child.name !== 'annotation') continue;
    if (types.get(idOf(child, 'class'))?.name === 'jdk.jfr.Timespan') return child.attributes.get('value') ?? '';
  }
  return '';
}

function idOf(element: Element, attribute: string): number {
  return Number(element.attributes.get(attribute));
}
