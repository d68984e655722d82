import { setTimeout as sleep } from 'node:timers/promises';
import { PilotlightError } from '@pilotlight/profile';
import type { Engine, SqlParameters } from './engine.js';
import type { RollupState } from './rollup-state.js';
import { HOURS_A_DAY } from './rollup-state.js';
import { RowBinaryReader } from './row-binary.js';
import { DATABASE, PARTITION_SECONDS, ROLLUPS } from './schema.js';

export interface RollupJobOptions {
  readonly engine: Engine;
  readonly state: RollupState;
  readonly now: () => number;
  readonly onTrouble: (message: string) => void;
}

/** An hour is computed this long after its end: what arrived in its last second is drained by then, and it need not be computed twice. */
const SETTLE_MILLIS = 60_000;
/** Who starts a server wants to see something first. */
const START_MILLIS = 10_000;
const RETRY_MILLIS = 600_000;
const TIMER_MILLIS_MAX = PARTITION_SECONDS * 1_000;
const REST_MILLIS_MAX = 1_000;
/** Entries of one statement: some hundred megabytes while they are summed. */
const ENTRIES_MAX = 8_000_000;

/** What one statement sums: a run of services, or a share of the series of one that is too large. */
interface Chunk {
  readonly tenant: string;
  readonly first: readonly [profileType: string, service: string];
  readonly last: readonly [profileType: string, service: string];
  readonly shares: number;
}

interface Source {
  readonly rows: string;
  readonly bucket: string;
}

/** Computes roll-ups of hours and days of arrival that are over, one statement at a time, and sleeps while nothing is due. */
export class RollupJob {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private closed = false;
  private notBefore: number;
  /** Whether nobody waits for it. */
  private gentle = false;
  private readonly resting = new AbortController();

  constructor(private readonly options: RollupJobOptions) {
    this.notBefore = options.now() + START_MILLIS;
  }

  /** Looks when something will be due; to be called whenever something was inserted. */
  wake(): void {
    if (this.closed || this.timer !== undefined || this.running !== undefined || this.options.state.isComplete) return;
    const now = this.options.now();
    const nextHour = (this.settledHour() + 1) * PARTITION_SECONDS * 1_000 + SETTLE_MILLIS;
    const at = Math.max(this.notBefore, this.isDue() ? now : nextHour);
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.gentle = true;
        this.run()
          .catch((thrown) => {
            this.notBefore = this.options.now() + RETRY_MILLIS;
            this.options.onTrouble(
              `a roll-up failed, ranges are answered without it: ${PilotlightError.from(thrown).message}`,
            );
          })
          .finally(() => {
            this.gentle = false;
            this.wake();
          });
      },
      Math.min(TIMER_MILLIS_MAX, Math.max(0, at - now)),
    ).unref();
  }

  /** Computes all that is due. */
  async run(): Promise<void> {
    this.running ??= this.computeDue().finally(() => {
      this.running = undefined;
    });
    await this.running;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.resting.abort();
    clearTimeout(this.timer);
    await this.running?.catch(() => {
      // Said where it was asked for.
    });
  }

  private isDue(): boolean {
    const hour = this.settledHour();
    return this.options.state.dueHour(hour) !== undefined || this.options.state.dueDay(hour) !== undefined;
  }

  /** The first hour that is not over. */
  private settledHour(): number {
    return Math.floor((this.options.now() - SETTLE_MILLIS) / 1_000 / PARTITION_SECONDS);
  }

  private async computeDue(): Promise<void> {
    const { state } = this.options;
    while (!this.closed) {
      const hour = state.dueHour(this.settledHour());
      if (hour !== undefined) {
        await this.compute(ROLLUPS.hour, hour, 0, {
          rows: `${DATABASE}.profiles WHERE intDiv(ingest_s, ${PARTITION_SECONDS}) = {arrived:UInt32}`,
          bucket: 'hour',
        });
        continue;
      }
      const day = state.dueDay(this.settledHour());
      if (day === undefined) return;
      await this.compute(ROLLUPS.day, day, day.hours, {
        rows: `${ROLLUPS.hour.table} FINAL WHERE intDiv(arrived, ${HOURS_A_DAY}) = {arrived:UInt32}`,
        bucket: `intDiv(bucket, ${HOURS_A_DAY})`,
      });
    }
  }

  private async compute(
    { level, table }: { level: number; table: string },
    { arrived, version }: { arrived: number; version: number },
    hours: number,
    source: Source,
  ): Promise<void> {
    const { engine, state } = this.options;
    const started = performance.now();
    for (const chunk of await this.chunks(source.rows, arrived)) {
      for (let share = 0; share < chunk.shares && !this.closed; share++) {
        await engine.derive(table, insertOf(table, source), { ...parametersOf(chunk), arrived, version, share });
      }
    }
    // Closed on the way: the next start computes it again.
    if (!this.closed) await state.computed(level, arrived, version, hours);
    // Half of a thread at most: after an upgrade, or a long time away, there are hundreds of hours to compute.
    if (this.gentle) await this.rest(Math.min(REST_MILLIS_MAX, performance.now() - started));
  }

  private async rest(millis: number): Promise<void> {
    await sleep(millis, undefined, { signal: this.resting.signal }).catch(() => {
      // Closed meanwhile.
    });
  }

  private async chunks(rows: string, arrived: number): Promise<Chunk[]> {
    const answer = await this.options.engine.query(
      `SELECT tenant, profile_type, service, toInt64(sum(length(nodes))) FROM ${rows}
       GROUP BY tenant, profile_type, service ORDER BY tenant, profile_type, service`,
      { arrived },
    );
    const chunks: Chunk[] = [];
    const reader = new RowBinaryReader(answer);
    let entries = 0;
    while (reader.more) {
      const tenant = reader.string();
      const key = [reader.string(), reader.string()] as const;
      const count = reader.int64();
      const before = chunks.at(-1);
      if (before?.tenant === tenant && entries + count <= ENTRIES_MAX) {
        entries += count;
        chunks[chunks.length - 1] = { ...before, last: key };
      } else {
        entries = count;
        chunks.push({ tenant, first: key, last: key, shares: Math.max(1, Math.ceil(count / ENTRIES_MAX)) });
      }
    }
    return chunks;
  }
}

/** Series ids tell type and service, so the sums go by numbers alone; what they are called is joined to the few rows that come out. */
function insertOf(table: string, { rows, bucket }: Source): string {
  const chunk = `tenant = {tenant:String} AND (profile_type, service) >= ({firstType:String}, {firstService:String})
    AND (profile_type, service) <= ({lastType:String}, {lastService:String}) AND series_id % {shares:UInt32} = {share:UInt32}`;
  const [from, where] = rows.split(' WHERE ') as [string, string];
  return `INSERT INTO ${table} (tenant, profile_type, service, bucket, series_id, arrived, nodes, values, version)
    SELECT {tenant:String}, kind.profile_type, kind.service, sums.summed, sums.series_id, {arrived:UInt32}, sums.nodes, sums.values, {version:UInt64}
    FROM (
      SELECT summed, series_id, groupArray(node) AS nodes, groupArray(total) AS values
      FROM (
        SELECT toUInt32(${bucket}) AS summed, series_id, node, sum(value) AS total
        FROM ${from} ARRAY JOIN nodes AS node, values AS value WHERE ${where} AND ${chunk}
        GROUP BY summed, series_id, node ORDER BY summed, series_id, node
      ) GROUP BY summed, series_id
    ) AS sums
    INNER JOIN (
      SELECT DISTINCT series_id, profile_type, service FROM ${from} WHERE ${where} AND ${chunk}
    ) AS kind ON sums.series_id = kind.series_id`;
}

function parametersOf({ tenant, first, last, shares }: Chunk): SqlParameters {
  return { tenant, firstType: first[0], firstService: first[1], lastType: last[0], lastService: last[1], shares };
}
