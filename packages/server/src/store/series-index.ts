import { PilotlightError } from '@pilotlight/profile';
import type { Matcher } from '@pilotlight/protocol';
import type { Engine } from './engine.js';
import { RowBinaryReader } from './row-binary.js';
import { DATABASE } from './schema.js';
import type { RecordSeries, UploadRecord } from './upload-record.js';

export interface SeriesEntry {
  readonly tenant: string;
  readonly profileType: string;
  readonly service: string;
  readonly seriesId: number;
  readonly labels: ReadonlyMap<string, string>;
  firstMs: number;
  lastMs: number;
  /** Seconds. */
  lastIngest: number;
  /** What the engine was last told, so that it is not told every second. */
  written: { firstMs: number; lastMs: number; lastIngest: number } | undefined;
}

/** How far `last_ms` and `last_ingest` in the engine may be behind: a range is asked that much wider, a series kept that much longer. */
const LAST_WRITE_EVERY_MS = 300_000;
const LAST_WRITE_EVERY_SECONDS = LAST_WRITE_EVERY_MS / 1_000;
/** Answers of the engine about patterns that are remembered. */
const PATTERN_CACHE_MAX = 1_000;

/** All series, in memory: at most a few thousand a tenant, by limit. The engine keeps them. */
export class SeriesIndex {
  private readonly tenants = new Map<string, Map<number, SeriesEntry>>();
  private readonly patterns = new Map<string, Map<string, boolean>>();

  constructor(
    private readonly engine: Engine,
    private readonly seriesMax: number,
  ) {}

  async load(): Promise<void> {
    const answer = await this.engine.query(
      `SELECT tenant, profile_type, service, series_id, any(labels), min(first_ms), max(last_ms), max(last_ingest)
       FROM ${DATABASE}.series GROUP BY tenant, profile_type, service, series_id`,
    );
    const rows = new RowBinaryReader(answer);
    while (rows.more) {
      const tenant = rows.string();
      const profileType = rows.string();
      const service = rows.string();
      const seriesId = rows.int64();
      const labels = new Map(rows.map().map(({ name, value }) => [name, value]));
      const firstMs = rows.int64();
      const lastMs = rows.int64();
      const lastIngest = rows.uint32();
      const written = { firstMs, lastMs, lastIngest };
      const entry = { tenant, profileType, service, seriesId, labels, firstMs, lastMs, lastIngest, written };
      this.tenant(tenant).set(seriesId, entry);
    }
  }

  count(tenant: string): number {
    return this.tenants.get(tenant)?.size ?? 0;
  }

  get size(): number {
    let size = 0;
    for (const entries of this.tenants.values()) size += entries.size;
    return size;
  }

  has(tenant: string, seriesId: number): boolean {
    return this.tenants.get(tenant)?.has(seriesId) ?? false;
  }

  /** Whether the series is known or there is room for it beside `added` others. @throws PilotlightError `series_limit` */
  checkRoom(tenant: string, seriesId: number, added = 0): void {
    const entries = this.tenants.get(tenant);
    const count = entries?.size ?? 0;
    if (entries?.has(seriesId) || count + added < this.seriesMax) return;
    throw new PilotlightError(
      'series_limit',
      `the tenant has ${count + added} series, the limit is ${this.seriesMax}: a label with ever new values makes a series of each`,
      { limit: this.seriesMax },
    );
  }

  /** Notes that an upload has a profile of the series. */
  see(upload: UploadRecord, series: RecordSeries): SeriesEntry {
    const entries = this.tenant(upload.tenant);
    let entry = entries.get(series.seriesId);
    if (entry === undefined) {
      entry = {
        tenant: upload.tenant,
        profileType: series.profileType,
        service: upload.service,
        seriesId: series.seriesId,
        labels: new Map(series.labels.map(({ name, value }) => [name, value])),
        firstMs: upload.timeMs,
        lastMs: upload.timeMs,
        lastIngest: upload.ingestSeconds,
        written: undefined,
      };
      entries.set(series.seriesId, entry);
    }
    entry.firstMs = Math.min(entry.firstMs, upload.timeMs);
    entry.lastMs = Math.max(entry.lastMs, upload.timeMs);
    entry.lastIngest = Math.max(entry.lastIngest, upload.ingestSeconds);
    return entry;
  }

  /** The services that have a series, each once. */
  services(): { tenant: string; service: string }[] {
    const services = new Map<string, { tenant: string; service: string }>();
    for (const entries of this.tenants.values()) {
      for (const { tenant, service } of entries.values())
        services.set(JSON.stringify([tenant, service]), { tenant, service });
    }
    return [...services.values()];
  }

  needsWriting(entry: SeriesEntry): boolean {
    const { written } = entry;
    return (
      written === undefined ||
      entry.firstMs < written.firstMs ||
      entry.lastMs >= written.lastMs + LAST_WRITE_EVERY_MS ||
      entry.lastIngest >= written.lastIngest + LAST_WRITE_EVERY_SECONDS
    );
  }

  /** Drops the series nothing was sent to since, and says how many. */
  async forgetBefore(ingestSeconds: number): Promise<number> {
    const before = ingestSeconds - LAST_WRITE_EVERY_SECONDS;
    let forgotten = 0;
    for (const entries of this.tenants.values()) {
      for (const [id, entry] of entries) {
        if (entry.lastIngest >= before) continue;
        entries.delete(id);
        forgotten++;
      }
    }
    if (forgotten > 0) {
      await this.engine.execute(`DELETE FROM ${DATABASE}.series WHERE last_ingest < {before:UInt32}`, { before });
    }
    return forgotten;
  }

  /**
   * The series that match, with a profile within [startMs, endMs) as far as first and last tell. Patterns are anchored and run in the engine (RE2, linear
   * time), never in JavaScript.
   */
  async select(
    tenant: string,
    matchers: readonly Matcher[],
    range?: { startMs: number; endMs: number },
  ): Promise<SeriesEntry[]> {
    let entries = [...(this.tenants.get(tenant)?.values() ?? [])];
    if (range !== undefined) {
      entries = entries.filter(
        (entry) => entry.firstMs < range.endMs && entry.lastMs + LAST_WRITE_EVERY_MS >= range.startMs,
      );
    }
    for (const matcher of matchers) {
      const value = (entry: SeriesEntry) => entry.labels.get(matcher.name) ?? '';
      if (matcher.operator === '=') entries = entries.filter((entry) => value(entry) === matcher.value);
      else if (matcher.operator === '!=') entries = entries.filter((entry) => value(entry) !== matcher.value);
      else {
        const wanted = matcher.operator === '=~';
        const matches = await this.matchAll(matcher.value, [...new Set(entries.map(value))]);
        entries = entries.filter((entry) => matches.get(value(entry)) === wanted);
      }
    }
    return entries;
  }

  private async matchAll(pattern: string, values: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    let known = this.patterns.get(pattern);
    if (known === undefined) {
      if (this.patterns.size >= PATTERN_CACHE_MAX) this.patterns.clear();
      known = new Map();
      this.patterns.set(pattern, known);
    }
    // The empty text is always asked, so that a pattern that is none is refused whatever series there are.
    const unknown = [...new Set(['', ...values])].filter((value) => !known.has(value));
    if (unknown.length > 0) {
      checkGroups(pattern);
      const answer = await this.engine.query(
        'SELECT arrayJoin(arrayMap(v -> match(v, {pattern:String}), {values:Array(String)}))',
        { pattern: `^(?s:${pattern})$`, values: unknown },
      );
      const rows = new RowBinaryReader(answer);
      for (const value of unknown) known.set(value, rows.uint8() === 1);
    }
    return known;
  }

  private tenant(tenant: string): Map<number, SeriesEntry> {
    let entries = this.tenants.get(tenant);
    if (entries === undefined) {
      entries = new Map();
      this.tenants.set(tenant, entries);
    }
    return entries;
  }
}

/** A pattern whose groups do not close by themselves could close the group of the anchors, and stand outside of them. @throws PilotlightError */
function checkGroups(pattern: string): void {
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < pattern.length && depth >= 0; at++) {
    const sign = pattern[at];
    if (sign === '\\') {
      // Everything up to \E is literal.
      const quoteEnd = pattern[at + 1] === 'Q' ? pattern.indexOf('\\E', at) : -1;
      at = quoteEnd < 0 ? at + 1 : quoteEnd + 1;
    } else if (inClass) {
      if (sign === ']') inClass = false;
    } else if (sign === '[') {
      inClass = true;
      // A bracket that comes first, or first after ^, is one of the class.
      if (pattern[at + 1] === '^') at++;
      if (pattern[at + 1] === ']') at++;
    } else if (sign === '(') depth++;
    else if (sign === ')') depth--;
  }
  if (depth !== 0) {
    const what = depth < 0 ? 'closes a group that was not opened' : 'does not close a group';
    throw new PilotlightError('malformed_query', `the pattern ${JSON.stringify(pattern.slice(0, 100))} ${what}`);
  }
}
