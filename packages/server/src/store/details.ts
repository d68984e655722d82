/** The table of what is told of single samples: written beside the profiles, read only when somebody asks by thread. */
import type { RowBinaryWriter } from './row-binary.js';
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
  details: RecordDetails,
  nodeId: (node: number) => number,
): void {
  const uploadId = Buffer.from(record.uploadId, 'hex');
  const texts = (column: Int32Array) => Array.from(column, (index) => record.detailTexts[index] as string);
  for (let start = 0, end = 0; start < details.length; start = end) {
    const thread = details.thread[start] as number;
    while (end < details.length && details.thread[end] === thread) end++;
    const values = details.values.subarray(start, end);
    rows.string(record.tenant);
    rows.string(series.profileType);
    rows.string(record.service);
    rows.uint32(Math.floor(record.timeMs / 3_600_000));
    rows.int64(series.seriesId);
    rows.string(record.detailTexts[thread] as string);
    rows.int64(record.timeMs);
    rows.int64(values.reduce((sum, value) => sum + value, 0));
    rows.int64Array(Float64Array.from(details.nodes.subarray(start, end), nodeId));
    rows.int64Array(values);
    rows.numberArray(details.timeOffsetMs.subarray(start, end));
    rows.numberArray(details.spanId.subarray(start, end));
    rows.stringArray(texts(details.spanName.subarray(start, end)));
    rows.stringArray(texts(details.traceId.subarray(start, end)));
    rows.raw(uploadId, false);
    rows.uint32(record.ingestSeconds);
  }
}
