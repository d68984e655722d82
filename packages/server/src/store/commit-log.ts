import { mkdirSync } from 'node:fs';
import { PilotlightError } from '@pilotlight/profile';
import { type Database, open, type RootDatabase } from 'lmdb';

export interface CommitLogOptions {
  readonly folder: string;
  /** Above this many bytes of records nothing more is taken until the engine has caught up. */
  readonly bytesMax: number;
}

export interface LogEntry {
  readonly position: number;
  readonly bytes: Uint8Array;
  /** Never left this process, so that there is nothing to check. */
  readonly isOwn: boolean;
}

/** What the log remembers of the newest records beside lmdb. */
const RECENT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Where an upload is safe: lmdb, one record an upload, ordered by position. `append` resolves after the fsync of the transaction that
 * holds the record; lmdb groups what waits meanwhile into the next one.
 */
export class CommitLog {
  private readonly root: RootDatabase<Uint8Array, number>;
  private readonly records: Database<Uint8Array, number>;
  private readonly quarantine: Database<Uint8Array, number>;
  private next = 1;
  private count = 0;
  private size = 0;
  private failure: unknown;
  /** The newest records once more, as they were appended: the drainer, a second later, need not read and check them. */
  private readonly recent = new Map<number, Uint8Array>();
  private recentBytes = 0;
  /** The newest records on their way to the disk; lmdb makes transactions durable in order. Never rejects. */
  private newest: Promise<void> = Promise.resolve();

  constructor(private readonly options: CommitLogOptions) {
    mkdirSync(options.folder, { recursive: true });
    this.root = open<Uint8Array, number>({ path: options.folder, encoding: 'binary', maxDbs: 4, commitDelay: 1 });
    this.records = this.root.openDB<Uint8Array, number>({ name: 'records', encoding: 'binary' });
    this.quarantine = this.root.openDB<Uint8Array, number>({ name: 'quarantine', encoding: 'binary' });
    for (const { key, value } of this.records.getRange({})) {
      this.next = key + 1;
      this.count++;
      this.size += value.length;
    }
    // What was set aside keeps its position for ever.
    for (const key of this.quarantine.getKeys({ reverse: true, limit: 1 })) this.next = Math.max(this.next, key + 1);
  }

  get length(): number {
    return this.count;
  }

  get bytes(): number {
    return this.size;
  }

  get quarantined(): number {
    return this.quarantine.getCount();
  }

  /** Position of the newest record given out; 0 when there never was one in this process. */
  get head(): number {
    return this.next - 1;
  }

  /** @throws PilotlightError `store_full`, or `store_unavailable` once a write has failed. */
  checkRoom(bytes: number): void {
    if (this.failure !== undefined) throw unavailable(this.failure);
    if (this.size + bytes > this.options.bytesMax) {
      throw new PilotlightError(
        'store_full',
        `the commit log holds ${this.size} bytes, its limit is ${this.options.bytesMax}: the engine is behind; send again later`,
        { limit: this.options.bytesMax },
      );
    }
  }

  /**
   * Resolves when all records are durable; they become so together. Without records: when those of every append before are.
   *
   * There is never an empty transaction: lmdb ends one at once, and with it resolves those before it whose fsync is still under way.
   */
  async append(records: readonly Uint8Array[]): Promise<void> {
    let bytes = 0;
    for (const record of records) bytes += record.length;
    this.checkRoom(bytes);
    if (records.length > 0) {
      this.count += records.length;
      this.size += bytes;
      this.remember(records);
      this.newest = this.put(records);
    }
    await this.newest;
    if (this.failure !== undefined) throw unavailable(this.failure);
  }

  private async put(records: readonly Uint8Array[]): Promise<void> {
    const first = this.next;
    this.next += records.length;
    try {
      // One transaction: a push of several profiles is acknowledged whole or not at all.
      await this.root.batch(() => {
        records.forEach((record, index) => {
          this.records.put(first + index, record);
        });
      });
      await this.root.flushed;
    } catch (thrown) {
      // After a failed fsync the pages look clean though the disk may not have them: never try again as if nothing happened.
      this.failure = thrown;
    }
  }

  /** The oldest records after a position, at most `bytesMax` bytes of them but at least one. Copies, where lmdb's memory may move. */
  read(bytesMax: number, countMax: number, after = 0): LogEntry[] {
    const entries: LogEntry[] = [];
    let total = 0;
    for (const position of this.records.getKeys({ start: after + 1, limit: countMax })) {
      const own = this.recent.get(position);
      const bytes = own ?? new Uint8Array(this.records.get(position) as Uint8Array);
      total += bytes.length;
      if (entries.length > 0 && total > bytesMax) break;
      entries.push({ position, bytes, isOwn: own !== undefined });
    }
    return entries;
  }

  /** Forgets records that the engine holds. Needs no fsync of its own: what comes back after a crash is recognised by its upload id. */
  async remove(entries: readonly LogEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.root.batch(() => {
      for (const entry of entries) this.records.remove(entry.position);
    });
    this.forget(entries);
  }

  /** Sets a record aside that the engine refuses on its own, so that it does not stop those behind it. */
  async setAside(entry: LogEntry): Promise<void> {
    await this.root.batch(() => {
      this.quarantine.put(entry.position, entry.bytes);
      this.records.remove(entry.position);
    });
    this.forget([entry]);
  }

  async close(): Promise<void> {
    await this.root.flushed;
    await this.root.close();
  }

  private remember(records: readonly Uint8Array[]): void {
    records.forEach((bytes, index) => {
      if (this.recentBytes + bytes.length > RECENT_BYTES_MAX) return;
      this.recent.set(this.next + index, bytes);
      this.recentBytes += bytes.length;
    });
  }

  private forget(entries: readonly LogEntry[]): void {
    this.count -= entries.length;
    for (const { position, bytes } of entries) {
      this.size -= bytes.length;
      if (this.recent.delete(position)) this.recentBytes -= bytes.length;
    }
  }
}

function unavailable(cause: unknown): PilotlightError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new PilotlightError('store_unavailable', `the commit log can't be written: ${message}`, { cause });
}
