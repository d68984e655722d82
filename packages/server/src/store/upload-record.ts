/**
 * An upload as the commit log keeps it: everything the engine will need, decoded, and nothing else.
 *
 * ```
 *  0  u32  magic "PLR3"        8  u32  length of the header
 *  4  u32  CRC-32 of the rest  12 …    header (JSON, UTF-8), padding to 8, then the columns, each padded to 8, then the texts
 * ```
 * The texts follow each other in UTF-8, with a column of their lengths in UTF-16: a thousand of them are written and read in one call, where JSON took a
 * fifth of what an upload costs.
 *
 * Stacks come as tables of frames and nodes (parents before children); a series holds the rows of its nodes, sorted by node id, and a value each.
 */
import { crc32 } from 'node:zlib';
import { type Label, PilotlightError } from '@pilotlight/profile';

const MAGIC = 0x33524c50;
const HEADER_AT = 12;

export interface RecordSeries {
  /** `process_cpu:cpu:nanoseconds:cpu:nanoseconds` */
  readonly profileType: string;
  readonly seriesId: number;
  /** Sorted by name. */
  readonly labels: readonly Label[];
  readonly total: number;
  /** Rows of the node table, sorted by node id. */
  readonly nodes: Int32Array;
  readonly values: Float64Array;
  /** What its samples took of the values, where something is told of them: one value a row of the table. */
  readonly details?: { readonly table: number; readonly values: WholeNumbers };
}

/** Whole numbers in the narrowest type that holds them all: most are small. */
export type WholeNumbers = Uint8Array | Uint16Array | Int32Array | Float64Array;

/** What is told of single samples; the series of one profile share a table. Texts are indexes into the details' texts of the record. */
export interface RecordDetails {
  readonly length: number;
  readonly nodes: WholeNumbers;
  readonly timeOffsetMs: WholeNumbers;
  /** Those of one thread stand together. */
  readonly thread: WholeNumbers;
  /** Absent when no row tells of a span or trace, as in most uploads. */
  readonly spans?: { readonly name: WholeNumbers; readonly traceId: WholeNumbers; readonly id: BigUint64Array };
}

export interface RecordFrames {
  readonly length: number;
  readonly id: Float64Array;
  /** Indexes into strings. */
  readonly name: Int32Array;
  readonly systemName: Int32Array;
  readonly file: Int32Array;
  readonly startLine: Int32Array;
  readonly line: Int32Array;
  readonly kind: Uint8Array;
}

export interface RecordNodes {
  readonly length: number;
  readonly id: Float64Array;
  /** Row of the parent, before the row itself; −1 at the root level. */
  readonly parent: Int32Array;
  readonly frame: Int32Array;
}

export interface UploadRecord {
  /** 32 hex digits. */
  readonly uploadId: string;
  readonly tenant: string;
  readonly service: string;
  /** Milliseconds since the epoch: start of the profile. */
  readonly timeMs: number;
  readonly durationMs: number;
  /** Seconds since the epoch: arrival. */
  readonly ingestSeconds: number;
  readonly strings: readonly string[];
  readonly frames: RecordFrames;
  readonly nodes: RecordNodes;
  readonly series: readonly RecordSeries[];
  readonly details: readonly RecordDetails[];
  readonly detailTexts: readonly string[];
}

type Column = WholeNumbers | BigUint64Array;

export function encodeUploadRecord(record: UploadRecord): Uint8Array {
  const { strings, frames, nodes } = record;
  const texts = strings.join('');
  const textBytes = Buffer.byteLength(texts);
  const columns: Column[] = [
    Int32Array.from(strings, (text) => text.length),
    frames.id,
    frames.name,
    frames.systemName,
    frames.file,
    frames.startLine,
    frames.line,
    frames.kind,
    nodes.id,
    nodes.parent,
    nodes.frame,
    ...record.series.flatMap(({ nodes, values, details }) => [nodes, values, ...(details ? [details.values] : [])]),
    ...record.details.flatMap(detailColumns),
  ];
  const header = Buffer.from(
    JSON.stringify({
      ...record,
      strings: strings.length,
      textBytes,
      frames: frames.length,
      nodes: nodes.length,
      series: record.series.map((series) => ({
        ...series,
        nodes: series.nodes.length,
        values: undefined,
        details: series.details && { table: series.details.table, values: series.details.values.BYTES_PER_ELEMENT },
      })),
      details: record.details.map(headerOfDetails),
    }),
  );
  let size = align(HEADER_AT + header.length);
  for (const column of columns) size = align(size + column.byteLength);
  // A buffer of its own, for the record is handed from thread to thread.
  const bytes = Buffer.from(new ArrayBuffer(size + textBytes));
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(header.length, 8);
  header.copy(bytes, HEADER_AT);
  let at = align(HEADER_AT + header.length);
  for (const column of columns) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at = align(at + column.byteLength);
  }
  bytes.write(texts, at);
  bytes.writeUInt32LE(crc32(bytes.subarray(8)), 4);
  return bytes;
}

function detailColumns({ nodes, timeOffsetMs, thread, spans }: RecordDetails): Column[] {
  return [nodes, timeOffsetMs, thread, ...(spans ? [spans.name, spans.traceId, spans.id] : [])];
}

/** The widths of the columns in the place of them, bytes a number. */
interface HeaderDetails {
  readonly length: number;
  readonly nodes: number;
  readonly timeOffsetMs: number;
  readonly thread: number;
  readonly spans?: { readonly name: number; readonly traceId: number };
}

function headerOfDetails({ length, nodes, timeOffsetMs, thread, spans }: RecordDetails): HeaderDetails {
  return {
    length,
    nodes: nodes.BYTES_PER_ELEMENT,
    timeOffsetMs: timeOffsetMs.BYTES_PER_ELEMENT,
    thread: thread.BYTES_PER_ELEMENT,
    ...(spans && { spans: { name: spans.name.BYTES_PER_ELEMENT, traceId: spans.traceId.BYTES_PER_ELEMENT } }),
  };
}

/** `isOwn`: this process wrote it and nobody else had it since. @throws PilotlightError `internal` when the bytes are not what was written. */
export function decodeUploadRecord(bytes: Uint8Array, isOwn = false): UploadRecord {
  // The columns are views, so the record must start at a multiple of eight.
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const view = new DataView(aligned.buffer, aligned.byteOffset, aligned.byteLength);
  if (aligned.byteLength < HEADER_AT || view.getUint32(0, true) !== MAGIC) {
    throw new PilotlightError('internal', 'not an upload record: wrong magic');
  }
  if (!isOwn && crc32(aligned.subarray(8)) !== view.getUint32(4, true)) {
    throw new PilotlightError('internal', 'upload record damaged: wrong checksum');
  }
  const headerLength = view.getUint32(8, true);
  const header = JSON.parse(Buffer.from(aligned.buffer, aligned.byteOffset + HEADER_AT, headerLength).toString());
  let at = align(HEADER_AT + headerLength);
  const column = <T extends Column>(type: new (b: ArrayBufferLike, o: number, n: number) => T, n: number): T => {
    const out = new type(aligned.buffer, aligned.byteOffset + at, n);
    at = align(at + out.byteLength);
    return out;
  };
  const lengths = column(Int32Array, header.strings);
  const frameCount: number = header.frames;
  const nodeCount: number = header.nodes;
  const frames: RecordFrames = {
    length: frameCount,
    id: column(Float64Array, frameCount),
    name: column(Int32Array, frameCount),
    systemName: column(Int32Array, frameCount),
    file: column(Int32Array, frameCount),
    startLine: column(Int32Array, frameCount),
    line: column(Int32Array, frameCount),
    kind: column(Uint8Array, frameCount),
  };
  const nodes: RecordNodes = {
    length: nodeCount,
    id: column(Float64Array, nodeCount),
    parent: column(Int32Array, nodeCount),
    frame: column(Int32Array, nodeCount),
  };
  const numbers = (width: number, n: number): WholeNumbers =>
    width === 1
      ? column(Uint8Array, n)
      : width === 2
        ? column(Uint16Array, n)
        : width === 4
          ? column(Int32Array, n)
          : column(Float64Array, n);
  const tables: readonly HeaderDetails[] = header.details;
  const series = (header.series as HeaderSeries[]).map((one) => ({
    ...one,
    nodes: column(Int32Array, one.nodes),
    values: column(Float64Array, one.nodes),
    ...(one.details && {
      details: {
        table: one.details.table,
        values: numbers(one.details.values, tables[one.details.table]?.length as number),
      },
    }),
  })) as RecordSeries[];
  const details = tables.map(({ length, nodes, timeOffsetMs, thread, spans }) => ({
    length,
    nodes: numbers(nodes, length),
    timeOffsetMs: numbers(timeOffsetMs, length),
    thread: numbers(thread, length),
    ...(spans && {
      spans: {
        name: numbers(spans.name, length),
        traceId: numbers(spans.traceId, length),
        id: column(BigUint64Array, length),
      },
    }),
  }));
  const { textBytes, ...upload } = header;
  const texts = Buffer.from(aligned.buffer, aligned.byteOffset + at, textBytes).toString();
  const strings = textsOf(texts, lengths);
  return { ...upload, strings, frames, nodes, series, details };
}

/** A series in the header: the length of its columns in the place of them, the width of its details' values. */
type HeaderSeries = Omit<RecordSeries, 'nodes' | 'values' | 'details'> & {
  nodes: number;
  details?: { table: number; values: number };
};

/** Slices, which keep the whole text alive: whoever keeps one of them makes a copy. */
function textsOf(all: string, lengths: Int32Array): string[] {
  const texts = new Array<string>(lengths.length);
  let at = 0;
  for (let i = 0; i < lengths.length; i++) {
    const end = at + (lengths[i] as number);
    texts[i] = all.slice(at, end);
    at = end;
  }
  return texts;
}

function align(size: number): number {
  return (size + 7) & ~7;
}
