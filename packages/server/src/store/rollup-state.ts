/**
 * Which roll-ups may be believed.
 *
 * A roll-up is a sum of the profiles that *arrived* in one hour (or day), by the hour (or day) of their samples. Why by arrival: retention drops hours of arrival, so
 * a roll-up and what it was made of go together, and a late upload of last month makes nothing stale: it is part of the hour it arrives in. Only what is drained
 * late (the engine was away, a clock was set back) re-opens an hour.
 *
 * An hour is trusted when it was computed after its newest batch had landed, of a day also: when the hours it was made of are those that are there. What was
 * computed is in `rollup_state`, written after the rows are durable; what landed is asked of `profiles` at the start. So a kill at any point leaves an hour that is computed
 * again.
 */
import type { Engine } from './engine.js';
import { RowBinaryReader } from './row-binary.js';
import { DATABASE, PARTITION_SECONDS, ROLLUPS } from './schema.js';

export const HOURS_A_DAY = 24;

interface ArrivalHour {
  /** Newest batch announced, and newest that is known to be in the engine, or never will be. */
  announced: number;
  landed: number;
  /** Batch up to which the roll-up holds everything; −1: there is none. */
  version: number;
}

interface ArrivalDay {
  readonly version: number;
  /** Bit for each hour of arrival it was made of. */
  readonly hours: number;
}

export class RollupState {
  private readonly hours = new Map<number, ArrivalHour>();
  private readonly days = new Map<number, ArrivalDay>();

  constructor(private readonly engine: Engine) {}

  async load(): Promise<void> {
    const landed = new RowBinaryReader(
      await this.engine.query(
        `SELECT toInt64(intDiv(ingest_s, ${PARTITION_SECONDS})) AS hour, toInt64(max(batch)) FROM ${DATABASE}.profiles GROUP BY hour`,
      ),
    );
    while (landed.more) {
      const hour = landed.int64();
      const batch = landed.int64();
      this.hours.set(hour, { announced: batch, landed: batch, version: -1 });
    }
    const computed = new RowBinaryReader(
      await this.engine.query(
        `SELECT level, arrived, toInt64(max(version)), argMax(hours, version) FROM ${DATABASE}.rollup_state GROUP BY level, arrived`,
      ),
    );
    while (computed.more) {
      const level = computed.uint8();
      const arrived = computed.uint32();
      const version = computed.int64();
      const hours = computed.uint32();
      if (level === ROLLUPS.day.level) this.days.set(arrived, { version, hours });
      else {
        const hour = this.hours.get(arrived);
        if (hour !== undefined) hour.version = version;
      }
    }
  }

  /** The newest batch of all. */
  get newestBatch(): number {
    let newest = 0;
    for (const { landed } of this.hours.values()) newest = Math.max(newest, landed);
    return newest;
  }

  /** Before a batch is inserted into the partition of an hour: from here on its roll-up misses something. */
  announce(hour: number, batch: number): void {
    const known = this.hours.get(hour);
    if (known === undefined) this.hours.set(hour, { announced: batch, landed: -1, version: -1 });
    else known.announced = batch;
  }

  /** After the insert, however it ended. */
  land(hour: number, batch: number): void {
    const known = this.hours.get(hour);
    if (known !== undefined) known.landed = batch;
  }

  /** The partition was dropped. */
  forget(hour: number): void {
    this.hours.delete(hour);
    const day = Math.floor(hour / HOURS_A_DAY);
    if (this.hoursOf(day).length === 0) this.days.delete(day);
  }

  trustsHour(hour: number): boolean {
    const known = this.hours.get(hour);
    return known !== undefined && known.version >= known.announced;
  }

  trustsDay(day: number): boolean {
    const known = this.days.get(day);
    return known !== undefined && known.hours === this.maskOf(day) && known.version >= this.announcedOf(day);
  }

  /** Hours of arrival from `hour` on, by what their profiles are to be read from: the coarsest that is trusted. */
  partsFrom(hour: number): { raw: number[]; hours: number[]; days: number[] } {
    const parts = { raw: [] as number[], hours: [] as number[], days: new Set<number>() };
    for (const known of this.hours.keys()) {
      if (known < hour) continue;
      if (!this.trustsHour(known)) parts.raw.push(known);
      else parts.hours.push(known);
      const day = Math.floor(known / HOURS_A_DAY);
      if (this.trustsDay(day)) parts.days.add(day);
    }
    return { ...parts, days: [...parts.days] };
  }

  /** The oldest hour that ended before `hour`, is settled and is not trusted; with the version its roll-up will have. */
  dueHour(hour: number): { arrived: number; version: number } | undefined {
    let due: { arrived: number; version: number } | undefined;
    for (const [arrived, { announced, landed, version }] of this.hours) {
      if (arrived >= hour || announced !== landed || version >= landed) continue;
      if (due === undefined || arrived < due.arrived) due = { arrived, version: landed };
    }
    return due;
  }

  /** A day that ended before `hour`, whose hours are all trusted and which holds not all of them yet. That hours of it are gone is no reason to compute it anew. */
  dueDay(hour: number): { arrived: number; version: number; hours: number } | undefined {
    for (const day of new Set([...this.hours.keys()].map((one) => Math.floor(one / HOURS_A_DAY)))) {
      if ((day + 1) * HOURS_A_DAY > hour) continue;
      const version = this.announcedOf(day);
      if ((this.days.get(day)?.version ?? -1) >= version) continue;
      if (this.hoursOf(day).every((one) => this.trustsHour(one))) {
        return { arrived: day, version, hours: this.maskOf(day) };
      }
    }
    return undefined;
  }

  /** Whether anything is not trusted yet, so that something will be due. */
  get isComplete(): boolean {
    for (const hour of this.hours.keys()) {
      if (!this.trustsHour(hour) || !this.days.has(Math.floor(hour / HOURS_A_DAY))) return false;
    }
    return true;
  }

  /** Notes, durably, that the rows of a roll-up are durable. */
  async computed(level: number, arrived: number, version: number, hours: number): Promise<void> {
    await this.engine.execute(
      `INSERT INTO ${DATABASE}.rollup_state (level, arrived, version, hours) VALUES ({level:UInt8}, {arrived:UInt32}, {version:UInt64}, {hours:UInt32})`,
      { level, arrived, version, hours },
    );
    if (level === ROLLUPS.day.level) this.days.set(arrived, { version, hours });
    else {
      const hour = this.hours.get(arrived);
      if (hour !== undefined) hour.version = version;
    }
  }

  private hoursOf(day: number): number[] {
    const hours: number[] = [];
    for (let hour = day * HOURS_A_DAY; hour < (day + 1) * HOURS_A_DAY; hour++) {
      if (this.hours.has(hour)) hours.push(hour);
    }
    return hours;
  }

  private maskOf(day: number): number {
    return this.hoursOf(day).reduce((mask, hour) => mask | (1 << (hour % HOURS_A_DAY)), 0);
  }

  private announcedOf(day: number): number {
    return Math.max(-1, ...this.hoursOf(day).map((hour) => (this.hours.get(hour) as ArrivalHour).announced));
  }
}
