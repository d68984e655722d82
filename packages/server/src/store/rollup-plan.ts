import type { SqlParameters } from './engine.js';
import type { RollupState } from './rollup-state.js';
import { HOURS_A_DAY } from './rollup-state.js';
import { AHEAD_SECONDS_MAX, DATABASE, PARTITION_SECONDS, ROLLUPS } from './schema.js';

const HOUR_MS = 3_600_000;

export interface Asked {
  readonly tenant: string;
  readonly profileType: string;
  readonly service: string;
  readonly seriesIds: readonly number[];
  /** Profiles that start in [startMs, endMs), whole milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
}

export interface Statement {
  readonly sql: string;
  readonly parameters: SqlParameters;
}

/** The profiles asked for, as a condition on `profiles`. */
export function profilesAsked({ startMs, endMs, seriesIds, ...key }: Asked): {
  where: string;
  parameters: SqlParameters;
} {
  return {
    // The hours of the samples and of arrival say nothing of the rows that time does not say, but spare the engine the look into other parts of the table.
    where: `${KEY} AND indexHint(hour >= {firstHour:UInt32} AND hour <= {lastHour:UInt32} AND ingest_s >= {arrivedFrom:UInt32})
      AND time_ms >= {start:Int64} AND time_ms < {end:Int64}`,
    parameters: {
      ...key,
      series: seriesIds,
      firstHour: hourOf(startMs),
      lastHour: hourOf(endMs),
      start: startMs,
      end: endMs,
      arrivedFrom: uint32(Math.floor(startMs / 1_000) - AHEAD_SECONDS_MAX),
    },
  };
}

/**
 * Sums by node of the profiles asked for. Profiles belong to a range by their start, so whole hours of the range are taken from the hours' roll-ups and whole days of it from the
 * days', each where it is trusted for what arrived then; the edges, and what is not rolled up yet, come from the profiles themselves.
 */
export function sumsByNode(asked: Asked, state: RollupState): Statement {
  const { where, parameters } = profilesAsked(asked);
  const firstHour = Math.ceil(asked.startMs / HOUR_MS);
  const endHour = Math.floor(asked.endMs / HOUR_MS);
  const profiles = `${DATABASE}.profiles`;
  const parts = state.partsFrom(Math.floor((asked.startMs / 1_000 - AHEAD_SECONDS_MAX) / PARTITION_SECONDS));
  if (endHour <= firstHour || parts.hours.length === 0) {
    return { sql: `SELECT node, sum(value) FROM ${entries(profiles, where)} GROUP BY node ${NO_PREWHERE}`, parameters };
  }
  const firstDay = Math.ceil(firstHour / HOURS_A_DAY);
  const endDay = Math.max(firstDay, Math.floor(endHour / HOURS_A_DAY));
  const days = endDay > firstDay ? parts.days : [];
  const byDay = new Set(days);
  const branches: string[] = [];
  if (asked.startMs < firstHour * HOUR_MS || asked.endMs > endHour * HOUR_MS) {
    branches.push(entries(profiles, `${where} AND (hour < {fromHour:UInt32} OR hour >= {toHour:UInt32})`));
  }
  if (parts.raw.length > 0) {
    branches.push(
      entries(
        profiles,
        `${KEY} AND hour >= {fromHour:UInt32} AND hour < {toHour:UInt32} AND intDiv(ingest_s, ${PARTITION_SECONDS}) IN {raw:Array(UInt32)}`,
      ),
    );
  }
  // Of what a day's roll-up holds, the hours' are asked only for the hours outside of the whole days.
  const outside =
    '(bucket < {fromDay:UInt32} * 24 OR bucket >= {toDay:UInt32} * 24 OR arrived IN {rest:Array(UInt32)})';
  branches.push(
    entries(
      `${ROLLUPS.hour.table} FINAL`,
      `${KEY} AND bucket >= {fromHour:UInt32} AND bucket < {toHour:UInt32} AND arrived IN {hours:Array(UInt32)}${days.length > 0 ? ` AND ${outside}` : ''}`,
    ),
  );
  if (days.length > 0) {
    branches.push(
      entries(
        `${ROLLUPS.day.table} FINAL`,
        `${KEY} AND bucket >= {fromDay:UInt32} AND bucket < {toDay:UInt32} AND arrived IN {days:Array(UInt32)}`,
      ),
    );
  }
  return {
    sql: `SELECT node, sum(value) FROM (${branches.map((branch) => `SELECT node, value FROM ${branch}`).join(' UNION ALL ')}) GROUP BY node ${NO_PREWHERE}`,
    parameters: {
      ...parameters,
      fromHour: uint32(firstHour),
      toHour: uint32(endHour),
      raw: parts.raw,
      hours: parts.hours,
      fromDay: uint32(firstDay),
      toDay: uint32(endDay),
      days,
      rest: parts.hours.filter((hour) => !byDay.has(Math.floor(hour / HOURS_A_DAY))),
    },
  };
}

/** The id of a series is a hash of all its labels, type and service among them: these two serve the index and are read of no row. */
const KEY =
  'tenant = {tenant:String} AND indexHint(profile_type = {profileType:String} AND service = {service:String}) AND series_id IN {series:Array(UInt64)}';

/** The key leaves few rows that are not asked for; to find those first, column by column, costs more than to read them (npm run bench query). */
export const NO_PREWHERE = 'SETTINGS optimize_move_to_prewhere = 0';

function entries(table: string, where: string): string {
  return `${table} ARRAY JOIN nodes AS node, values AS value WHERE ${where}`;
}

function hourOf(ms: number): number {
  return uint32(Math.floor(ms / HOUR_MS));
}

function uint32(value: number): number {
  return Math.min(0xffff_ffff, Math.max(0, value));
}
