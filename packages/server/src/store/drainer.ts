/**
 * Moves what the commit log holds into the engine, about once a second: many small inserts cost five times what one does, in merges.
 *
 * The order is frames, nodes, series, details, profiles: a profile in the engine has everything it points to. When the process is killed on the way,
 * the records are still in the log; which of them the engine already holds is asked by upload id at the next start.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PilotlightError } from '@pilotlight/profile';
import type { CommitLog, LogEntry } from './commit-log.js';
import { DETAIL_COLUMNS, writeDetails } from './details.js';
import type { Engine, Insert } from './engine.js';
import type { RollupState } from './rollup-state.js';
import { RowBinaryReader, RowBinaryWriter } from './row-binary.js';
import { DATABASE, PARTITION_SECONDS, WEEK_SECONDS } from './schema.js';
import type { SeriesEntry, SeriesIndex } from './series-index.js';
import type { ServiceStacks } from './service-stacks.js';
import type { StackCache } from './stack-cache.js';
import { decodeUploadRecord, type UploadRecord } from './upload-record.js';

export interface DrainerOptions {
  readonly log: CommitLog;
  readonly engine: Engine;
  readonly stacks: StackCache;
  readonly series: SeriesIndex;
  /** The newest batch number in the engine. */
  readonly lastBatch: number;
  readonly now: () => number;
  /** What is computed from profiles by hour of arrival is told before a batch goes into one, and after. */
  readonly rollups: Pick<RollupState, 'announce' | 'land'>;
  /** Called when a batch is in the engine and out of the log. */
  readonly onDrained: (batch: number) => void | Promise<void>;
  readonly onTrouble: (message: string) => void;
}

const INTERVAL_MILLIS = 1_000;
/** A query that waits may hasten a drain, but no more often than this. */
const INTERVAL_MILLIS_MIN = 150;
const BATCH_BYTES_MAX = 64 * 1024 * 1024;
const BATCH_RECORDS_MAX = 2_000;
/** For so long the drainer keeps the main thread to itself. */
const TURN_MILLIS_MAX = 8;
const RETRY_MILLIS_MAX = 30_000;
/** After so many failures in a row records go one by one, and the one that fails is set aside. */
const TRIES_MAX = 5;

interface Decoded {
  readonly entry: LogEntry;
  readonly record: UploadRecord;
}

interface Service {
  readonly tenant: string;
  readonly service: string;
  readonly stacks: ServiceStacks;
  readonly freshFrames: number[];
  readonly freshNodes: number[];
}

export class Drainer {
  collisions = 0;
  setAside = 0;
  private batch: number;
  private drainedTo: number;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private lastEnd = 0;
  private failures = 0;
  private closed = false;
  /** Whether the engine may hold records that are still in the log: after a start, and after a failure on the way. */
  private doubtful = true;
  private waiting: { position: number; resolve: () => void; reject: (reason: unknown) => void }[] = [];

  constructor(private readonly options: DrainerOptions) {
    this.batch = options.lastBatch;
    this.drainedTo = options.log.head - options.log.length;
  }

  /** Number of the newest batch that was begun. */
  get lastBatch(): number {
    return this.batch;
  }

  /** Asks for a drain; `soon` when somebody waits for it. */
  wake(soon = false): void {
    if (this.closed || this.running !== undefined) return;
    const since = performance.now() - this.lastEnd;
    const backoff = this.failures === 0 ? 0 : Math.min(RETRY_MILLIS_MAX, 250 * 2 ** this.failures);
    const wait = Math.max(0, backoff, (soon ? INTERVAL_MILLIS_MIN : INTERVAL_MILLIS) - since);
    if (this.timer !== undefined) {
      if (!soon) return;
      clearTimeout(this.timer);
    }
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.running = this.drain().finally(() => {
        this.running = undefined;
        this.lastEnd = performance.now();
        if (this.options.log.length > 0) this.wake(this.waiting.length > 0);
      });
    }, wait);
  }

  /** Resolves when everything up to `position` is in the engine. @throws what the engine said when it is away. */
  async upTo(position: number): Promise<void> {
    if (position <= this.drainedTo) return;
    await new Promise<void>((resolve, reject) => {
      this.waiting.push({ position, resolve, reject });
      this.wake(true);
    });
  }

  /** One last drain, then none. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.running;
    if (this.options.log.length > 0) await this.drain();
    clearTimeout(this.timer);
    this.settle();
  }

  private async drain(): Promise<void> {
    try {
      if (this.doubtful) await this.removeStored();
      for (;;) {
        const countMax = this.failures > 2 ? 1 : BATCH_RECORDS_MAX;
        const entries = this.options.log.read(BATCH_BYTES_MAX, countMax);
        if (entries.length === 0) {
          this.drainedTo = this.options.log.length === 0 ? this.options.log.head : this.drainedTo;
          this.settle();
          break;
        }
        await this.drainBatch(await this.decode(entries));
        this.failures = 0;
        this.drainedTo = (entries.at(-1) as LogEntry).position;
        this.settle();
      }
    } catch (thrown) {
      this.failures++;
      const error = PilotlightError.from(thrown);
      this.options.onTrouble(`a drain failed (${this.failures} in a row): ${error.message}`);
      const waiting = this.waiting;
      this.waiting = [];
      for (const { reject } of waiting) reject(error);
      if (this.failures >= TRIES_MAX) await this.blameOldest(error);
    }
  }

  /** A record that is damaged will not mend: it is kept aside at once. */
  private async decode(entries: readonly LogEntry[]): Promise<Decoded[]> {
    const decoded: Decoded[] = [];
    for (const entry of entries) {
      try {
        decoded.push({ entry, record: decodeUploadRecord(entry.bytes, entry.isOwn) });
      } catch (thrown) {
        await this.putAside(entry, PilotlightError.from(thrown));
      }
    }
    return decoded;
  }

  /** The oldest record failed alone and again: it is kept aside, and the others go on. */
  private async blameOldest(error: PilotlightError): Promise<void> {
    const [oldest] = this.options.log.read(1, 1);
    if (oldest === undefined) return;
    try {
      // Only when the engine answers at all is it the record's fault.
      await this.options.engine.query('SELECT 1');
      await this.putAside(oldest, error);
    } catch {
      // The engine is away: the record stays, and is tried again later.
    }
  }

  private async putAside(entry: LogEntry, error: PilotlightError): Promise<void> {
    await this.options.log.setAside(entry);
    this.setAside++;
    this.options.onTrouble(`record ${entry.position} was set aside, it can't be stored: ${error.message}`);
  }

  private async drainBatch(decoded: readonly Decoded[]): Promise<void> {
    if (decoded.length === 0) return;
    const batch = this.batch + 1;
    const week = Math.floor(this.options.now() / 1_000 / WEEK_SECONDS);
    const services = new Map<string, Service>();
    const partitions = new Map<number, RowBinaryWriter>();
    const details = new Map<number, RowBinaryWriter>();
    const touched = new Set<SeriesEntry>();
    try {
      let turnEnd = performance.now() + TURN_MILLIS_MAX;
      for (const { record } of decoded) {
        if (performance.now() > turnEnd) {
          // Hundreds of records take a tenth of a second, in which no upload would be received nor acknowledged.
          await nextTurn();
          turnEnd = performance.now() + TURN_MILLIS_MAX;
        }
        const service = await this.service(services, record);
        const admission = service.stacks.admit(record, week);
        this.collisions += admission.collisions;
        for (const row of admission.freshFrames) service.freshFrames.push(row);
        for (const row of admission.freshNodes) service.freshNodes.push(row);
        const partition = Math.floor(record.ingestSeconds / PARTITION_SECONDS);
        const rows = writerOf(partitions, partition);
        const nodeId = (node: number) => service.stacks.nodes.ids[admission.nodes[node] as number] as number;
        for (const series of record.series) {
          writeProfile(rows, record, series, admission.nodes, service.stacks, batch);
          if (series.details !== undefined) {
            writeDetails(writerOf(details, partition), record, series, series.details, nodeId);
          }
          touched.add(this.options.series.see(record, series));
        }
      }
      this.batch = batch;
      await this.insertStacks([...services.values()], week, batch);
      await this.insertSeries([...touched].filter((entry) => this.options.series.needsWriting(entry)));
      for (const rows of details.values()) {
        await this.options.engine.insert({ table: `${DATABASE}.details`, columns: DETAIL_COLUMNS, rows: rows.bytes() });
      }
      for (const [partition, rows] of partitions) {
        // From here on a failure leaves open what the engine holds: asked before the next try.
        this.doubtful = true;
        this.options.rollups.announce(partition, batch);
        try {
          await this.options.engine.insert({
            table: `${DATABASE}.profiles`,
            columns: PROFILE_COLUMNS,
            rows: rows.bytes(),
          });
        } finally {
          this.options.rollups.land(partition, batch);
        }
      }
    } catch (thrown) {
      for (const { stacks, freshFrames, freshNodes } of services.values()) {
        stacks.forgetWritten(freshFrames, freshNodes);
      }
      throw thrown;
    }
    await this.options.log.remove(decoded.map(({ entry }) => entry));
    this.doubtful = false;
    await this.options.onDrained(batch);
  }

  private async service(services: Map<string, Service>, record: UploadRecord): Promise<Service> {
    const key = JSON.stringify([record.tenant, record.service]);
    let service = services.get(key);
    if (service === undefined) {
      const stacks = await this.options.stacks.of(record.tenant, record.service);
      service = { tenant: record.tenant, service: record.service, stacks, freshFrames: [], freshNodes: [] };
      services.set(key, service);
    }
    return service;
  }

  private async insertStacks(services: readonly Service[], week: number, batch: number): Promise<void> {
    const frames = new RowBinaryWriter();
    const nodes = new RowBinaryWriter();
    for (const { tenant, service, stacks, freshFrames, freshNodes } of services) {
      for (const row of freshFrames) {
        const frame = stacks.frame(row);
        frames.string(tenant);
        frames.string(service);
        frames.int64(stacks.frames.ids[row] as number);
        frames.string(frame.name);
        frames.string(frame.systemName);
        frames.string(frame.file);
        frames.uint32(frame.startLine);
        frames.uint32(frame.line);
        frames.uint8(frame.kind);
        frames.uint16(week);
        frames.int64(batch);
      }
      for (const row of freshNodes) {
        const parent = stacks.nodeParent[row] as number;
        nodes.string(tenant);
        nodes.string(service);
        nodes.int64(stacks.nodes.ids[row] as number);
        nodes.int64(parent < 0 ? 0 : (stacks.nodes.ids[parent] as number));
        nodes.int64(stacks.frames.ids[stacks.nodeFrame[row] as number] as number);
        nodes.uint16(stacks.nodeDepth[row] as number);
        nodes.uint16(week);
        nodes.int64(batch);
      }
    }
    await this.insertIfAny({ table: `${DATABASE}.frames`, columns: FRAME_COLUMNS, rows: frames.bytes() });
    await this.insertIfAny({ table: `${DATABASE}.nodes`, columns: NODE_COLUMNS, rows: nodes.bytes() });
  }

  private async insertSeries(entries: readonly SeriesEntry[]): Promise<void> {
    const rows = new RowBinaryWriter();
    for (const entry of entries) {
      rows.string(entry.tenant);
      rows.string(entry.profileType);
      rows.string(entry.service);
      rows.int64(entry.seriesId);
      rows.map([...entry.labels].map(([name, value]) => ({ name, value })));
      rows.int64(entry.firstMs);
      rows.int64(entry.lastMs);
      rows.uint32(entry.lastIngest);
    }
    await this.insertIfAny({ table: `${DATABASE}.series`, columns: SERIES_COLUMNS, rows: rows.bytes() });
    for (const entry of entries) {
      entry.written = { firstMs: entry.firstMs, lastMs: entry.lastMs, lastIngest: entry.lastIngest };
    }
  }

  private async insertIfAny(insert: Insert): Promise<void> {
    if (insert.rows.length > 0) await this.options.engine.insert(insert);
  }

  /** Takes out of the log what the engine already holds, after a kill or a failure between the insert and the removal. */
  private async removeStored(): Promise<void> {
    for (let after = 0; ; ) {
      const entries = this.options.log.read(BATCH_BYTES_MAX, BATCH_RECORDS_MAX, after);
      if (entries.length === 0) break;
      after = (entries.at(-1) as LogEntry).position;
      const byId = new Map<string, LogEntry>();
      let oldest = Number.MAX_SAFE_INTEGER;
      for (const { entry, record } of await this.decode(entries)) {
        byId.set(record.uploadId, entry);
        oldest = Math.min(oldest, record.ingestSeconds);
      }
      const answer = await this.options.engine.query(
        `SELECT DISTINCT lower(hex(upload_id)) FROM ${DATABASE}.profiles
         WHERE intDiv(ingest_s, ${PARTITION_SECONDS}) >= {partition:UInt32} AND lower(hex(upload_id)) IN {ids:Array(String)}`,
        { partition: Math.floor(oldest / PARTITION_SECONDS), ids: [...byId.keys()] },
      );
      const rows = new RowBinaryReader(answer);
      const stored: LogEntry[] = [];
      while (rows.more) stored.push(byId.get(rows.string()) as LogEntry);
      await this.options.log.remove(stored);
    }
    this.doubtful = false;
  }

  private settle(): void {
    const { waiting } = this;
    this.waiting = waiting.filter(({ position }) => position > this.drainedTo);
    for (const { position, resolve } of waiting) if (position <= this.drainedTo) resolve();
  }
}

const FRAME_COLUMNS = [
  'tenant String',
  'service String',
  'frame_id UInt64',
  'name String',
  'system_name String',
  'file String',
  'start_line UInt32',
  'line UInt32',
  'kind UInt8',
  'week UInt16',
  'batch UInt64',
];
const NODE_COLUMNS = [
  'tenant String',
  'service String',
  'node_id UInt64',
  'parent_id UInt64',
  'frame_id UInt64',
  'depth UInt16',
  'week UInt16',
  'batch UInt64',
];
const SERIES_COLUMNS = [
  'tenant String',
  'profile_type String',
  'service String',
  'series_id UInt64',
  'labels Map(String, String)',
  'first_ms Int64',
  'last_ms Int64',
  'last_ingest UInt32',
];
const PROFILE_COLUMNS = [
  'tenant String',
  'profile_type String',
  'service String',
  'hour UInt32',
  'series_id UInt64',
  'time_ms Int64',
  'duration_ms UInt32',
  'total Int64',
  'nodes Array(UInt64)',
  'values Array(Int64)',
  'upload_id FixedString(16)',
  'ingest_s UInt32',
  'batch UInt64',
];

function writerOf(partitions: Map<number, RowBinaryWriter>, partition: number): RowBinaryWriter {
  let rows = partitions.get(partition);
  if (rows === undefined) {
    rows = new RowBinaryWriter(1 << 20);
    partitions.set(partition, rows);
  }
  return rows;
}

function writeProfile(
  rows: RowBinaryWriter,
  record: UploadRecord,
  series: UploadRecord['series'][number],
  nodes: Int32Array,
  stacks: ServiceStacks,
  batch: number,
): void {
  const ids = new Float64Array(series.nodes.length);
  for (let i = 0; i < ids.length; i++) ids[i] = stacks.nodes.ids[nodes[series.nodes[i] as number] as number] as number;
  rows.string(record.tenant);
  rows.string(series.profileType);
  rows.string(record.service);
  rows.uint32(Math.floor(record.timeMs / 3_600_000));
  rows.int64(series.seriesId);
  rows.int64(record.timeMs);
  rows.uint32(Math.min(0xffff_ffff, record.durationMs));
  rows.int64(series.total);
  rows.int64Array(ids);
  rows.int64Array(series.values);
  rows.raw(Buffer.from(record.uploadId, 'hex'), false);
  rows.uint32(record.ingestSeconds);
  rows.int64(batch);
}
