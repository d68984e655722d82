/**
 * The tables, their settings and the migrations between versions of them.
 *
 * All of it is plain ClickHouse SQL, so that the same tables can stand on a cluster. Why they look as they do:
 * - A profile is one row with two parallel arrays; a row a sample costs nine times the CPU at ingest.
 * - `profiles` is partitioned by the hour of *ingest*: retention drops whole partitions, imports of old recordings live as long as
 *   anything else, and one insert never touches two partitions. The hour of the samples stands early in the key, so ranges are still read narrowly.
 * - `index_granularity = 256`: rows are large; the default granule holds thousands of profiles and makes one pod of fifty cost as much as all fifty.
 * - `details` is a row a profile and thread. It is written before the profiles and may be written twice, after a kill in between: its key replaces.
 * - Merges are not fsynced by default and the sources of a merge vanish at once; both are set otherwise, or a power cut loses old data.
 * - Roll-ups (`profiles_1h`, `profiles_1d`) are sums of what *arrived* in one hour, or day: `rollup-state.ts` says when they may be believed.
 * - The engine's own deduplication is off: it loses rows when killed between its log and the rename of a part. `upload_id` does that work.
 */

export const DATABASE = 'pilotlight';
export const SCHEMA_VERSION = 3;

/** Width of a partition of `profiles`, seconds of ingest time. */
export const PARTITION_SECONDS = 3_600;
/** How far ahead of its arrival a profile may be, seconds; what is further ahead is not taken. */
export const AHEAD_SECONDS_MAX = 600;
/** Width of a partition of `nodes` and `frames`, seconds. */
export const WEEK_SECONDS = 604_800;

/** The roll-ups, from the finest to the coarsest: hours of samples from the hours of their arrival, days from days. */
export const ROLLUPS = {
  hour: { level: 1, table: `${DATABASE}.profiles_1h` },
  day: { level: 2, table: `${DATABASE}.profiles_1d` },
} as const;

const DURABLE =
  'fsync_after_insert = 1, fsync_part_directory = 1, min_compressed_bytes_to_fsync_after_merge = 1, ' +
  'min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 480, non_replicated_deduplication_window = 0';

/** Each statement runs once, in order; a statement once released is never changed, only followed by others. */
export const MIGRATIONS: readonly { readonly version: number; readonly statements: readonly string[] }[] = [
  {
    version: 1,
    statements: [
      `CREATE TABLE IF NOT EXISTS ${DATABASE}.series (
        tenant LowCardinality(String),
        profile_type LowCardinality(String),
        service LowCardinality(String),
        series_id UInt64,
        labels SimpleAggregateFunction(any, Map(String, String)),
        first_ms SimpleAggregateFunction(min, Int64),
        last_ms SimpleAggregateFunction(max, Int64),
        last_ingest SimpleAggregateFunction(max, UInt32)
      ) ENGINE = AggregatingMergeTree
      ORDER BY (tenant, profile_type, service, series_id)
      SETTINGS ${DURABLE}`,
      `CREATE TABLE IF NOT EXISTS ${DATABASE}.frames (
        tenant LowCardinality(String),
        service LowCardinality(String),
        frame_id UInt64 CODEC(ZSTD(1)),
        name String CODEC(ZSTD(1)),
        system_name String CODEC(ZSTD(1)),
        file String CODEC(ZSTD(1)),
        start_line UInt32,
        line UInt32,
        kind UInt8,
        week UInt16,
        batch UInt64 CODEC(Delta, ZSTD(1))
      ) ENGINE = ReplacingMergeTree
      PARTITION BY week
      ORDER BY (tenant, service, frame_id)
      SETTINGS ${DURABLE}`,
      `CREATE TABLE IF NOT EXISTS ${DATABASE}.nodes (
        tenant LowCardinality(String),
        service LowCardinality(String),
        node_id UInt64 CODEC(ZSTD(1)),
        parent_id UInt64 CODEC(ZSTD(1)),
        frame_id UInt64 CODEC(ZSTD(1)),
        depth UInt16,
        week UInt16,
        batch UInt64 CODEC(Delta, ZSTD(1))
      ) ENGINE = ReplacingMergeTree
      PARTITION BY week
      ORDER BY (tenant, service, node_id, parent_id, frame_id)
      SETTINGS ${DURABLE}`,
      `CREATE TABLE IF NOT EXISTS ${DATABASE}.profiles (
        tenant LowCardinality(String),
        profile_type LowCardinality(String),
        service LowCardinality(String),
        hour UInt32,
        series_id UInt64,
        time_ms Int64 CODEC(Delta, ZSTD(1)),
        duration_ms UInt32,
        total Int64,
        nodes Array(UInt64) CODEC(ZSTD(1)),
        values Array(Int64) CODEC(ZSTD(1)),
        upload_id FixedString(16) CODEC(NONE),
        ingest_s UInt32 CODEC(Delta, ZSTD(1)),
        batch UInt64 CODEC(Delta, ZSTD(1))
      ) ENGINE = MergeTree
      PARTITION BY intDiv(ingest_s, ${PARTITION_SECONDS})
      ORDER BY (tenant, profile_type, service, hour, series_id, time_ms)
      SETTINGS index_granularity = 256, ${DURABLE}`,
    ],
  },
  {
    version: 2,
    statements: [
      ...Object.values(ROLLUPS).map(
        ({ table }) => `CREATE TABLE IF NOT EXISTS ${table} (
        tenant LowCardinality(String),
        profile_type LowCardinality(String),
        service LowCardinality(String),
        bucket UInt32,
        series_id UInt64,
        arrived UInt32,
        nodes Array(UInt64) CODEC(ZSTD(1)),
        values Array(Int64) CODEC(ZSTD(1)),
        version UInt64
      ) ENGINE = ReplacingMergeTree(version)
      PARTITION BY arrived
      ORDER BY (tenant, profile_type, service, bucket, series_id, arrived)
      SETTINGS index_granularity = 256, index_granularity_bytes = 262144, ${DURABLE}`,
      ),
      `CREATE TABLE IF NOT EXISTS ${DATABASE}.rollup_state (
        level UInt8,
        arrived UInt32,
        version UInt64,
        hours UInt32
      ) ENGINE = ReplacingMergeTree(version)
      ORDER BY (level, arrived)
      SETTINGS ${DURABLE}`,
    ],
  },
  {
    version: 3,
    statements: [
      `CREATE TABLE IF NOT EXISTS ${DATABASE}.details (
        tenant LowCardinality(String),
        profile_type LowCardinality(String),
        service LowCardinality(String),
        hour UInt32,
        series_id UInt64,
        thread String CODEC(ZSTD(1)),
        time_ms Int64 CODEC(Delta, ZSTD(1)),
        total Int64,
        nodes Array(UInt64) CODEC(ZSTD(1)),
        values Array(Int64) CODEC(ZSTD(1)),
        offsets_ms Array(Int32) CODEC(ZSTD(1)),
        span_ids Array(UInt64) CODEC(ZSTD(1)),
        span_names Array(String) CODEC(ZSTD(1)),
        trace_ids Array(String) CODEC(ZSTD(1)),
        upload_id FixedString(16) CODEC(NONE),
        ingest_s UInt32 CODEC(Delta, ZSTD(1))
      ) ENGINE = ReplacingMergeTree
      PARTITION BY intDiv(ingest_s, ${PARTITION_SECONDS})
      ORDER BY (tenant, profile_type, service, hour, series_id, thread, time_ms, upload_id)
      SETTINGS index_granularity = 256, ${DURABLE}`,
    ],
  },
];
