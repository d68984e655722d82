/**
 * The store: what was appended is safe, what is asked is complete up to the moment of asking. No other part of the server knows the log, the
 * engine or SQL.
 */
import { PilotlightError } from '@pilotlight/profile';
import { CHDB_DEFAULTS, openChdb } from './chdb-engine.js';
import { CommitLog } from './commit-log.js';
import { type DataFolder, openDataFolder } from './data-folder.js';
import { Drainer } from './drainer.js';
import type { Engine } from './engine.js';
import { retain, storeBytes } from './retention.js';
import { RollupJob } from './rollup-job.js';
import { RollupState } from './rollup-state.js';
import { RowBinaryReader } from './row-binary.js';
import { DATABASE, MIGRATIONS, PARTITION_SECONDS, SCHEMA_VERSION } from './schema.js';
import { SeriesIndex } from './series-index.js';
import { SnapshotFolder } from './snapshot.js';
import { StackCache } from './stack-cache.js';
import { type Storage, storageOf } from './storage.js';
import { REMEMBER_SECONDS, UploadIds } from './upload-ids.js';
import { decodeUploadRecord, encodeUploadRecord, type UploadRecord } from './upload-record.js';

export interface StoreOptions {
  readonly folder: string;
  readonly retentionAgeSeconds: number;
  readonly retentionDetailsSeconds: number;
  readonly retentionBytes: number;
  readonly logBytesMax: number;
  readonly seriesMax: number;
  readonly nodesMax: number;
  readonly onTrouble: (message: string) => void;
  /** Milliseconds since the epoch; tests hand in a clock of their own. */
  readonly now?: () => number;
}

export const STORE_DEFAULTS = {
  logBytesMax: 1024 * 1024 * 1024,
  seriesMax: 5_000,
  nodesMax: 4_000_000,
  retentionDetailsSeconds: 86_400,
} as const;

const RETENTION_EVERY_MILLIS = 60_000;
/** Who starts a server wants to see something first. */
const RETENTION_FIRST_MILLIS = 5_000;
const SNAPSHOT_EVERY_MILLIS = 300_000;
const STORAGE_FOR_MILLIS = 5_000;

/** An upload as the decoder made it: the bytes of its record, and what must be known of it before it is written. */
export interface Upload {
  readonly uploadId: string;
  readonly tenant: string;
  readonly ingestSeconds: number;
  readonly seriesIds: readonly number[];
  readonly bytes: Uint8Array;
}

export interface Appended {
  /** How many uploads were there already. */
  readonly known: number;
  /** Series that were left out, with the reason. */
  readonly refused: readonly { readonly upload: Upload; readonly error: PilotlightError; readonly series: number }[];
}

export class Store {
  private readonly now: () => number;
  private readonly timers: NodeJS.Timeout[] = [];
  private lastSnapshot = 0;
  private lastBytes = 0;
  private lastStorage: { readonly atMs: number; readonly answer: Promise<Storage> } | undefined;
  private retaining: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly options: StoreOptions,
    readonly engine: Engine,
    private readonly log: CommitLog,
    readonly stacks: StackCache,
    readonly series: SeriesIndex,
    private readonly uploadIds: UploadIds,
    private readonly drainer: Drainer,
    readonly rollups: RollupState,
    private readonly rollupJob: RollupJob,
  ) {
    this.now = options.now ?? Date.now;
  }

  static async open(options: StoreOptions): Promise<Store> {
    const now = options.now ?? Date.now;
    const folder = openDataFolder(options.folder);
    // The engine's lock on its folder is the lock on all of it: the kernel gives it back whatever happens to the process.
    const engine = openChdb({ folder: folder.engine, ...CHDB_DEFAULTS });
    try {
      await migrate(engine, folder);
      const log = new CommitLog({ folder: folder.log, bytesMax: options.logBytesMax });
      const snapshots = new SnapshotFolder(folder.snapshots, folder.storeId);
      const startBatch = await newestStackBatch(engine);
      const stacks = new StackCache({ engine, snapshots, nodesMax: options.nodesMax, startBatch });
      const series = new SeriesIndex(engine, options.seriesMax);
      await series.load();
      const uploadIds = await recentUploadIds(engine, log, Math.floor(now() / 1_000), series);
      // Also after the clock: retention may have dropped the newest batch, and a snapshot must never be taken to hold a later batch of equal number.
      const rollups = new RollupState(engine);
      await rollups.load();
      const lastBatch = Math.max(rollups.newestBatch, startBatch, Math.floor(now()));
      let store: Store | undefined;
      const drainer = new Drainer({
        log,
        engine,
        stacks,
        series,
        rollups,
        lastBatch,
        now,
        onDrained: (batch) => store?.afterDrain(batch),
        onTrouble: options.onTrouble,
      });
      const job = new RollupJob({ engine, state: rollups, now, onTrouble: options.onTrouble });
      store = new Store(options, engine, log, stacks, series, uploadIds, drainer, rollups, job);
      store.start();
      return store;
    } catch (thrown) {
      await engine.close();
      throw thrown;
    }
  }

  /** @throws PilotlightError `store_full` or `store_unavailable`: nothing would be taken now. To be asked before work is put into a body. */
  checkRoom(): void {
    this.log.checkRoom(0);
  }

  /**
   * Resolves when the uploads are durable. An upload that is there already counts as taken; a series over the limit is left out, the others are kept.
   */
  async append(uploads: readonly Upload[]): Promise<Appended> {
    const records: Uint8Array[] = [];
    const added: string[] = [];
    const refused: { upload: Upload; error: PilotlightError; series: number }[] = [];
    let known = 0;
    for (const upload of uploads) {
      if (this.uploadIds.has(upload.uploadId)) {
        known++;
        continue;
      }
      const record = this.withinLimits(upload, refused);
      if (record === undefined) continue;
      records.push(record);
      this.uploadIds.add(upload.uploadId, upload.ingestSeconds);
      added.push(upload.uploadId);
    }
    try {
      // Also when all are known: the first sending may still be on its way to the disk.
      await this.log.append(records);
    } catch (thrown) {
      for (const id of added) this.uploadIds.remove(id);
      throw thrown;
    }
    this.drainer.wake();
    return { known, refused };
  }

  /** Resolves when everything appended before the call can be found by a query. */
  async caughtUp(): Promise<void> {
    await this.drainer.upTo(this.log.head);
  }

  async retain(): Promise<number> {
    const { retentionAgeSeconds, retentionDetailsSeconds, retentionBytes } = this.options;
    const limits = {
      ageSeconds: retentionAgeSeconds,
      detailsAgeSeconds: retentionDetailsSeconds,
      bytes: retentionBytes,
    };
    const dropped = await retain(this.engine, limits, this.now(), (hour) => this.rollups.forget(hour));
    await this.series.forgetBefore(Math.floor(this.now() / 1_000) - retentionAgeSeconds);
    this.stacks.keepOnly(this.series.services());
    this.lastBytes = await storeBytes(this.engine);
    return dropped;
  }

  /** Computes the roll-ups that are due; done by itself, too. */
  rollUp(): Promise<void> {
    return this.rollupJob.run();
  }

  status() {
    return {
      series: this.series.size,
      services: this.stacks.services,
      storeBytes: this.lastBytes,
      logRecords: this.log.length,
      logBytes: this.log.bytes,
      setAside: this.log.quarantined,
      collisions: this.drainer.collisions,
    };
  }

  /** What is on disk, by table and by service; at most every `STORAGE_FOR_MILLIS` anew, whoever asks how often. */
  async storage(): Promise<Storage> {
    const now = this.now();
    if (this.lastStorage === undefined || now - this.lastStorage.atMs >= STORAGE_FOR_MILLIS) {
      const answer = storageOf(this.engine);
      const asked = { atMs: now, answer };
      this.lastStorage = asked;
      answer.catch(() => {
        // The next who asks tries again; who waits for this one is told.
        if (this.lastStorage === asked) this.lastStorage = undefined;
      });
    }
    return this.lastStorage.answer;
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await this.retaining;
    await this.rollupJob.close();
    await this.drainer.close();
    await this.stacks.save(this.drainer.lastBatch).catch(() => {
      // A snapshot only makes the next start quicker.
    });
    await this.log.close();
    await this.engine.close();
  }

  private start(): void {
    const retain = () => {
      this.retaining = this.retain().catch((thrown) => {
        this.options.onTrouble(`retention failed: ${PilotlightError.from(thrown).message}`);
      });
    };
    this.timers.push(setInterval(retain, RETENTION_EVERY_MILLIS).unref());
    this.timers.push(setTimeout(retain, RETENTION_FIRST_MILLIS).unref());
    this.drainer.wake();
    this.rollupJob.wake();
  }

  private async afterDrain(batch: number): Promise<void> {
    this.stacks.shrink();
    this.rollupJob.wake();
    const now = this.now();
    if (now - this.lastSnapshot < SNAPSHOT_EVERY_MILLIS) return;
    this.lastSnapshot = now;
    try {
      await this.stacks.save(batch);
    } catch (thrown) {
      this.options.onTrouble(`snapshots could not be written: ${PilotlightError.from(thrown).message}`);
    }
  }

  /** The record with the series there is room for; undefined when there is room for none. */
  private withinLimits(
    upload: Upload,
    refused: { upload: Upload; error: PilotlightError; series: number }[],
  ): Uint8Array | undefined {
    // The usual case, and on the way of every upload: all series are known.
    if (upload.seriesIds.every((seriesId) => this.series.has(upload.tenant, seriesId))) return upload.bytes;
    let over = 0;
    let error: PilotlightError | undefined;
    let added = 0;
    const kept = new Set<number>();
    for (const seriesId of upload.seriesIds) {
      try {
        this.series.checkRoom(upload.tenant, seriesId, added);
        kept.add(seriesId);
        if (!this.series.has(upload.tenant, seriesId)) added++;
      } catch (thrown) {
        error = thrown as PilotlightError;
        over++;
      }
    }
    if (error !== undefined) refused.push({ upload, error, series: over });
    if (kept.size === 0) return undefined;
    const record = decodeUploadRecord(upload.bytes);
    const series = record.series.filter((one) => kept.has(one.seriesId));
    // Seen from now on, so that the limit holds for what is not in the engine yet.
    for (const one of series) this.series.see(record, one);
    return over === 0 ? upload.bytes : encodeUploadRecord({ ...record, series });
  }
}

async function migrate(engine: Engine, folder: DataFolder): Promise<void> {
  if (folder.schemaVersion === SCHEMA_VERSION) return;
  await engine.execute(`CREATE DATABASE IF NOT EXISTS ${DATABASE}`);
  for (const { version, statements } of MIGRATIONS) {
    if (version <= folder.schemaVersion) continue;
    for (const statement of statements) await engine.execute(statement);
    folder.stamp(version);
  }
}

/** Of the stacks; that of the profiles is in the state of the roll-ups. */
async function newestStackBatch(engine: Engine): Promise<number> {
  const newest = ['nodes', 'frames'].map((table) => `SELECT toInt64(max(batch)) AS batch FROM ${DATABASE}.${table}`);
  return new RowBinaryReader(await engine.query(`SELECT max(batch) FROM (${newest.join(' UNION ALL ')})`)).int64();
}

/** The uploads a client may still send again: those of the engine's last hour and those in the log. */
async function recentUploadIds(
  engine: Engine,
  log: CommitLog,
  nowSeconds: number,
  series: SeriesIndex,
): Promise<UploadIds> {
  const ids = new UploadIds();
  const since = nowSeconds - REMEMBER_SECONDS;
  const answer = await engine.query(
    `SELECT lower(hex(upload_id)), min(ingest_s) AS at FROM ${DATABASE}.profiles
     WHERE intDiv(ingest_s, ${PARTITION_SECONDS}) >= intDiv({since:UInt32}, ${PARTITION_SECONDS}) AND ingest_s >= {since:UInt32}
     GROUP BY upload_id ORDER BY at`,
    { since },
  );
  const rows = new RowBinaryReader(answer);
  while (rows.more) ids.add(rows.string(), rows.uint32());
  for (let after = 0; ; ) {
    const entries = log.read(64 * 1024 * 1024, 2_000, after);
    const last = entries.at(-1);
    if (last === undefined) break;
    after = last.position;
    for (const { bytes } of entries) {
      const record = readable(bytes);
      if (record === undefined) continue;
      ids.add(record.uploadId, record.ingestSeconds);
      for (const one of record.series) series.see(record, one);
    }
  }
  return ids;
}

/** A damaged record is the drainer's to set aside; here it says nothing. */
function readable(bytes: Uint8Array): UploadRecord | undefined {
  try {
    return decodeUploadRecord(bytes);
  } catch {
    return undefined;
  }
}
