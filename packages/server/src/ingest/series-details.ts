/** What is told of single samples, shared out among the series of an upload. */
import type { DetailTable } from '@pilotlight/profile';
import type { RecordDetails, WholeNumbers } from '../store/upload-record.js';

/** Names of threads and spans beyond it are cut: they are data of the client's, kept once a row. */
const TEXT_LENGTH_MAX = 256;

/** The texts of all details of an upload, each once; the empty text first. */
export class DetailTexts {
  readonly list: string[] = [''];
  private readonly indexes = new Map<string, number>([['', 0]]);

  index(text: string): number {
    const kept = text.slice(0, TEXT_LENGTH_MAX);
    let index = this.indexes.get(kept);
    if (index === undefined) {
      index = this.list.push(kept) - 1;
      this.indexes.set(kept, index);
    }
    return index;
  }
}

/** The details of a profile, in the order of their threads; `groupOf` is the group of series of each label set. */
export class ProfileDetails {
  private readonly rows: Int32Array;
  /** Index of each of the profile's texts among those of the upload. */
  private readonly text: Int32Array;
  private readonly hasSpans: boolean;

  constructor(
    private readonly details: DetailTable,
    private readonly groupOf: Int32Array,
    texts: DetailTexts,
  ) {
    const { spanName, traceId, spanId } = details;
    this.text = Int32Array.from(details.strings, (text) => texts.index(text));
    this.rows = rowsByThread(details);
    this.hasSpans =
      spanName.some((name) => name !== 0) || traceId.some((id) => id !== 0) || spanId.some((id) => id !== 0n);
  }

  /**
   * The rows of one group, with a column of values a sample type; undefined when there are none. By thread alone: to sort them
   * by node as well would cost more than it saves on disk.
   */
  of(group: number): { table: RecordDetails; values: WholeNumbers[] } | undefined {
    const { details, text } = this;
    const rows = this.rowsOf(group);
    if (rows.length === 0) return undefined;
    const spanId = () => {
      const ids = new BigUint64Array(rows.length);
      for (let i = 0; i < rows.length; i++) ids[i] = details.spanId[rows[i] as number] as bigint;
      return ids;
    };
    const table = {
      length: rows.length,
      nodes: picked(rows, details.node),
      timeOffsetMs: picked(rows, details.timeOffsetMs),
      thread: picked(rows, details.thread, text),
      ...(this.hasSpans && {
        spans: {
          name: picked(rows, details.spanName, text),
          traceId: picked(rows, details.traceId, text),
          id: spanId(),
        },
      }),
    };
    return { table, values: details.values.map((column) => picked(rows, column)) };
  }

  private rowsOf(group: number): Int32Array {
    const { rows, groupOf } = this;
    const { labelSet } = this.details;
    if (groupOf.every((other) => other === group)) return rows;
    return rows.filter((row) => groupOf[labelSet[row] as number] === group);
  }
}

/** The numbers at `rows`, each replaced by what `means` has in its place, in the narrowest type that holds them. */
function picked(rows: Int32Array, from: Int32Array | Float64Array, means?: Int32Array): WholeNumbers {
  const { length } = rows;
  const all = new Float64Array(length);
  let least = 0;
  let most = 0;
  for (let i = 0; i < length; i++) {
    const number = from[rows[i] as number] as number;
    const value = means === undefined ? number : (means[number] as number);
    all[i] = value;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least >= 0 && most < 2 ** 8) return new Uint8Array(all);
  if (least >= 0 && most < 2 ** 16) return new Uint16Array(all);
  return least >= -(2 ** 31) && most < 2 ** 31 ? new Int32Array(all) : all;
}

/** Counted, not compared. */
function rowsByThread({ length, thread, strings }: DetailTable): Int32Array {
  const starts = new Int32Array(strings.length + 1);
  for (let row = 0; row < length; row++) starts[(thread[row] as number) + 1]!++;
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1] as number;
  const rows = new Int32Array(length);
  for (let row = 0; row < length; row++) rows[starts[thread[row] as number]!++] = row;
  return rows;
}
