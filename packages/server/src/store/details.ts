/** The table of what is told of single samples: written beside the profiles, read only when somebody asks by thread. */
import { RowBinaryWriter } from './row-binary.js';
import type { RecordDetails, RecordSeries, UploadRecord } from './upload-record.js';

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
  const picked = new Int32Array(length);
  for (let row = 0; row < length; ) {
    const current = thread[row] as number;
    let count = 0;
    let total = 0;
    for (; row < length && thread[row] === current; row++) {
      // Of another series with the same table.
      if (values[row] === 0) continue;
      picked[count++] = row;
      total += values[row] as number;
    }
    if (count === 0) continue;
    const told = picked.subarray(0, count);
    const ids = new Float64Array(count);
    for (let i = 0; i < count; i++) ids[i] = nodeId(nodes[told[i] as number] as number);
    rows.raw(key.bytes(), false);
    rows.string(record.detailTexts[current] as string);
    rows.int64(record.timeMs);
    rows.int64(total);
    rows.int64Array(ids);
    rows.int64Array(values, told);
    rows.numberArray(Int32Array.from(told, (at) => timeOffsetMs[at] as number));
    // All arrays of a row are of one length, or empty when nothing of the kind is told.
    rows.numberArray(BigUint64Array.from(spans ? told : [], (at) => spans?.id[at] as bigint));
    for (const texts of [spans?.name, spans?.traceId]) {
      rows.stringArray(texts ? Array.from(told, (at) => record.detailTexts[texts[at] as number] as string) : []);
    }
    rows.raw(uploadId, false);
    rows.uint32(record.ingestSeconds);
  }
}
