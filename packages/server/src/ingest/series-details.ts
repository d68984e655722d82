/** What is told of single samples, shared out among the series of an upload. */
import type { DetailTable } from '@pilotlight/profile';
import type { RecordDetails, RecordNodes } from '../store/upload-record.js';

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

/** The rows of one sample type whose label sets belong to a series; undefined when there are none. */
export function seriesDetails(
  details: DetailTable,
  column: number,
  belongs: (labelSet: number) => boolean,
  { id }: RecordNodes,
  texts: DetailTexts,
): RecordDetails | undefined {
  const value = details.values[column] as Float64Array;
  const rows: number[] = [];
  for (let row = 0; row < details.length; row++) {
    if (value[row] !== 0 && belongs(details.labelSet[row] as number)) rows.push(row);
  }
  if (rows.length === 0) return undefined;
  const nodeId = (row: number) => id[details.node[row] as number] as number;
  const thread = (row: number) => details.thread[row] as number;
  rows.sort((a, b) => thread(a) - thread(b) || nodeId(a) - nodeId(b));
  const text = (indexes: Int32Array) =>
    Int32Array.from(rows, (row) => texts.index(details.strings[indexes[row] as number] as string));
  return {
    length: rows.length,
    nodes: Int32Array.from(rows, (row) => details.node[row] as number),
    values: Float64Array.from(rows, (row) => value[row] as number),
    timeOffsetMs: Int32Array.from(rows, (row) => details.timeOffsetMs[row] as number),
    thread: text(details.thread),
    spanName: text(details.spanName),
    traceId: text(details.traceId),
    spanId: BigUint64Array.from(rows, (row) => details.spanId[row] as bigint),
  };
}
