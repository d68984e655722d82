/** What is told of single samples, shared out among the series of an upload. */
import type { DetailTable } from '@pilotlight/profile';
import type { RecordDetails } from '../store/upload-record.js';

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

  constructor(
    private readonly details: DetailTable,
    private readonly groupOf: Int32Array,
    texts: DetailTexts,
  ) {
    this.text = Int32Array.from(details.strings, (text) => texts.index(text));
    this.rows = rowsByThread(details);
  }

  /** The rows of one sample type of one group; undefined when there are none. By thread alone: to sort them by node as well would cost more than it saves on disk. */
  of(column: number, group: number): RecordDetails | undefined {
    const { details, groupOf, text } = this;
    const value = details.values[column] as Float64Array;
    const rows = this.rows.filter((row) => value[row] !== 0 && groupOf[details.labelSet[row] as number] === group);
    if (rows.length === 0) return undefined;
    const picked = (from: Int32Array) => rows.map((row) => from[row] as number);
    const texts = (from: Int32Array) => rows.map((row) => text[from[row] as number] as number);
    const values = new Float64Array(rows.length);
    const spanId = new BigUint64Array(rows.length);
    for (let i = 0; i < rows.length; i++) {
      values[i] = value[rows[i] as number] as number;
      spanId[i] = details.spanId[rows[i] as number] as bigint;
    }
    return {
      length: rows.length,
      nodes: picked(details.node),
      values,
      timeOffsetMs: picked(details.timeOffsetMs),
      thread: texts(details.thread),
      spanName: texts(details.spanName),
      traceId: texts(details.traceId),
      spanId,
    };
  }
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
