/** The table of what is told of single samples: written beside the profiles, read only when somebody asks by thread. */
import { RowBinaryWriter } from './row-binary.js';
import type { RecordDetails, RecordSeries, UploadRecord, WholeNumbers } from './upload-record.js';

export const DETAIL_COLUMNS = [
  'tenant String',
  'profile_type String',
  'service String',
  'hour UInt32',
  'series_id UInt64',
  'thread String',
  'time_ms Int64',
  'total Int64',
  'nodes Array(UInt64)',
  'values Array(Int64)',
  'offsets_ms Array(Int32)',
  'span_ids Array(UInt64)',
  'span_names Array(String)',
  'trace_ids Array(String)',
  'upload_id FixedString(16)',
  'ingest_s UInt32',
];

const NONE = new Int32Array();

/** A row for each thread of a series. `nodeId` is the id of a node of the record. */
export function writeDetails(
  rows: RowBinaryWriter,
  record: UploadRecord,
  series: RecordSeries,
  { table, values }: NonNullable<RecordSeries['details']>,
  nodeId: (node: number) => number,
): void {
  const { length, nodes, timeOffsetMs, thread, spans } = record.details[table] as RecordDetails;
  const uploadId = Buffer.from(record.uploadId, 'hex');
  const key = new RowBinaryWriter(1_024);
  key.string(record.tenant);
  key.string(series.profileType);
  key.string(record.service);
  key.uint32(Math.floor(record.timeMs / 3_600_000));
  key.int64(series.seriesId);
  // Filled by loops, and used again for each thread: typed arrays made with a function cost most of the time here.
  const told = new Int32Array(length);
  const ids = new Float64Array(length);
  const taken = new Float64Array(length);
  const offsets = new Int32Array(length);
  for (let row = 0; row < length; ) {
    const current = thread[row] as number;
    let count = 0;
    let total = 0;
    for (; row < length && thread[row] === current; row++) {
      const value = values[row] as number;
      // Of another series with the same table.
      if (value === 0) continue;
      told[count] = row;
      ids[count] = nodeId(nodes[row] as number);
      taken[count] = value;
      offsets[count] = timeOffsetMs[row] as number;
      count++;
      total += value;
    }
    if (count === 0) continue;
    rows.raw(key.bytes(), false);
    rows.string(record.detailTexts[current] as string);
    rows.int64(record.timeMs);
    rows.int64(total);
    rows.int64Array(ids.subarray(0, count));
    rows.int64Array(taken.subarray(0, count));
    rows.numberArray(offsets.subarray(0, count));
    // All arrays of a row are of one length, or empty when nothing of the kind is told.
    if (spans === undefined) {
      for (let column = 0; column < 3; column++) rows.numberArray(NONE);
    } else {
      const at = told.subarray(0, count);
      const texts = (column: WholeNumbers) => Array.from(at, (i) => record.detailTexts[column[i] as number] as string);
      rows.numberArray(BigUint64Array.from(at, (i) => spans.id[i] as bigint));
      rows.stringArray(texts(spans.name));
      rows.stringArray(texts(spans.traceId));
    }
    rows.raw(uploadId, false);
    rows.uint32(record.ingestSeconds);
  }
}
