import { type Profile, SAMPLE_VALUE_MAX } from './model.js';
import { PairIndex } from './pair-index.js';

/** Rows that differ in nothing but the time are one while they lie within the same second. */
const MERGE_MILLIS = 1_000;

/**
 * What is told of single samples beside the profile, which adds up equal stacks: thread, span, trace and time. A row belongs to the samples of its node and label
 * set, and is a part of their values; samples nothing is told of have no row.
 */
export interface DetailTable {
  readonly length: number;
  /** Leaf of the stack trace; index into the nodes of the profile. */
  readonly node: Int32Array;
  /** Index into labelSets of the profile. */
  readonly labelSet: Int32Array;
  /** One column a sample type, in the order of the profile's. */
  readonly values: readonly Float64Array[];
  /** Milliseconds from the profile's start. */
  readonly timeOffsetMs: Int32Array;
  /** Indexes into strings; 0, the empty text, when not told. */
  readonly thread: Int32Array;
  readonly spanName: Int32Array;
  readonly traceId: Int32Array;
  /** 0n when not told. */
  readonly spanId: BigUint64Array;
  readonly strings: readonly string[];
}

/** One row; texts are indexes from `string`. */
export interface Detail {
  readonly node: number;
  readonly labelSet: number;
  readonly timeOffsetMs: number;
  readonly thread: number;
  readonly spanName: number;
  readonly traceId: number;
  readonly spanId: bigint;
}

export class DetailTableBuilder {
  private readonly strings: string[] = [''];
  private readonly stringIndex = new Map<string, number>([['', 0]]);
  private readonly spanIndex = new Map<bigint, number>([[0n, 0]]);
  // A row is a pair of pairs, so that no key is ever built as a string.
  private readonly places = new PairIndex();
  private readonly names = new PairIndex();
  private readonly moments = new PairIndex();
  private readonly spans = new PairIndex();
  private readonly owners = new PairIndex();
  private readonly keys = new PairIndex();
  private readonly rows: Detail[] = [];
  private readonly values: number[][];

  constructor(sampleTypeCount: number) {
    this.values = Array.from({ length: sampleTypeCount }, () => []);
  }

  string(text: string): number {
    let index = this.stringIndex.get(text);
    if (index === undefined) {
      index = this.strings.push(text) - 1;
      this.stringIndex.set(text, index);
    }
    return index;
  }

  /** Adds one value a sample type; false, with nothing added, when a sum would go over SAMPLE_VALUE_MAX. */
  add(detail: Detail, values: ArrayLike<number>): boolean {
    const { places, names, moments, spans, owners, keys } = this;
    const second = Math.floor(detail.timeOffsetMs / MERGE_MILLIS);
    const owner = owners.indexOf(
      places.indexOf(detail.node, detail.labelSet),
      names.indexOf(detail.thread, detail.spanName),
    );
    const moment = spans.indexOf(moments.indexOf(detail.traceId, second), this.span(detail.spanId));
    const key = keys.put(owner, moment);
    const row = key < 0 ? ~key : key;
    if (key < 0) {
      this.rows.push(detail);
      for (const column of this.values) column.push(0);
    }
    for (let i = 0; i < this.values.length; i++) {
      const sum = (this.values[i]?.[row] as number) + (values[i] as number);
      if (Math.abs(sum) > SAMPLE_VALUE_MAX) return false;
    }
    for (let i = 0; i < this.values.length; i++) this.values[i]![row]! += values[i] as number;
    return true;
  }

  finish(): DetailTable {
    const { rows } = this;
    return {
      length: rows.length,
      node: Int32Array.from(rows, ({ node }) => node),
      labelSet: Int32Array.from(rows, ({ labelSet }) => labelSet),
      values: this.values.map((column) => Float64Array.from(column)),
      timeOffsetMs: Int32Array.from(rows, ({ timeOffsetMs }) => timeOffsetMs),
      thread: Int32Array.from(rows, ({ thread }) => thread),
      spanName: Int32Array.from(rows, ({ spanName }) => spanName),
      traceId: Int32Array.from(rows, ({ traceId }) => traceId),
      spanId: BigUint64Array.from(rows, ({ spanId }) => spanId),
      strings: this.strings,
    };
  }

  private span(id: bigint): number {
    let index = this.spanIndex.get(id);
    if (index === undefined) {
      index = this.spanIndex.size;
      this.spanIndex.set(id, index);
    }
    return index;
  }
}

/** Under which labels formats tell of a sample's thread and span, the first that is there counts. */
const THREAD_LABELS = ['thread', 'thread_name', 'thread name', 'thread_id', 'thread id'];
const SPAN_LABELS = ['span_id', 'profile_id'];

/** What the labels of a profile's samples tell of them; undefined when they tell nothing. Such a profile does not know the times of its samples. */
export function detailsOfLabels({ samples, labelSets, sampleTypes }: Profile): DetailTable | undefined {
  const builder = new DetailTableBuilder(sampleTypes.length);
  const told = labelSets.map((set) => {
    const text = (names: readonly string[]) => {
      for (const wanted of names) for (const { name, value } of set) if (name === wanted) return value;
      return '';
    };
    const [thread, spanName, traceId] = [text(THREAD_LABELS), text(['span_name']), text(['trace_id'])];
    const spanId = spanIdOf(text(SPAN_LABELS));
    if (thread === '' && spanName === '' && traceId === '' && spanId === 0n) return undefined;
    return {
      thread: builder.string(thread),
      spanName: builder.string(spanName),
      traceId: builder.string(traceId),
      spanId,
      timeOffsetMs: 0,
    };
  });
  if (told.every((one) => one === undefined)) return undefined;
  for (let i = 0; i < samples.length; i++) {
    const labelSet = samples.labelSet[i] as number;
    const detail = told[labelSet];
    if (detail === undefined) continue;
    builder.add(
      { ...detail, node: samples.node[i] as number, labelSet },
      samples.values.map((column) => column[i] as number),
    );
  }
  return builder.finish();
}

/** Up to sixteen hex digits, as OpenTelemetry writes a span's id; anything else is none. */
function spanIdOf(text: string): bigint {
  return /^[0-9a-f]{1,16}$/i.test(text) ? BigInt(`0x${text}`) : 0n;
}
