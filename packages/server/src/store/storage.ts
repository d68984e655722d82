import type { Engine } from './engine.js';
import { RowBinaryReader } from './row-binary.js';
import { DATABASE, ROLLUPS } from './schema.js';

/** Bytes and rows of a table's active parts. */
export interface TableStorage {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface ServiceStorage {
  readonly service: string;
  readonly profiles: number;
  /** Distinct stacks of all profiles together. */
  readonly samples: number;
  /** Its share of the tables by its share of their rows: services share files, so none has bytes of its own. */
  readonly bytes: number;
  /** Start of the oldest profile and of the newest, milliseconds since the epoch. */
  readonly oldestMs: number;
  readonly newestMs: number;
}

export interface Storage {
  readonly tables: readonly TableStorage[];
  /** The largest first. */
  readonly services: readonly ServiceStorage[];
}

/** What the bytes of a table go by: a row of a profile is as large as its samples are many. */
const WEIGHTS: Readonly<Record<string, string>> = {
  profiles: 'sum(length(nodes))',
  details: 'sum(length(nodes))',
  ...Object.fromEntries(
    Object.values(ROLLUPS).map(({ table }) => [table.slice(`${DATABASE}.`.length), 'sum(length(nodes))']),
  ),
  nodes: 'count()',
  frames: 'count()',
};

/** What is on disk, by table and by service. Reads the narrow columns of every row, so it is not for every second. */
export async function storageOf(engine: Engine): Promise<Storage> {
  const tables = await tablesOf(engine);
  const answer = await engine.query(
    `SELECT service, count(), toInt64(sum(length(nodes))), toInt64(min(time_ms)), toInt64(max(time_ms))
     FROM ${DATABASE}.profiles GROUP BY service`,
  );
  const profiles: Omit<ServiceStorage, 'bytes'>[] = [];
  const rows = new RowBinaryReader(answer);
  while (rows.more) {
    const [service, count, samples, oldestMs, newestMs] = [
      rows.string(),
      rows.int64(),
      rows.int64(),
      rows.int64(),
      rows.int64(),
    ];
    profiles.push({ service, profiles: count, samples, oldestMs, newestMs });
  }
  const shares = await Promise.all(
    Object.entries(WEIGHTS).map(async ([name, weight]) => ({
      bytes: tables.find(({ table }) => table === name)?.bytes ?? 0,
      parts: await weightByService(engine, name, weight),
    })),
  );
  const services = profiles.map((one) => {
    let bytes = 0;
    for (const share of shares) bytes += share.bytes * partOf(share.parts, one.service);
    return { ...one, bytes: Math.round(bytes) };
  });
  return { tables, services: services.sort((a, b) => b.bytes - a.bytes || (a.service < b.service ? -1 : 1)) };
}

async function tablesOf(engine: Engine): Promise<TableStorage[]> {
  const answer = await engine.query(
    `SELECT table, toInt64(sum(rows)), toInt64(sum(bytes_on_disk)) FROM system.parts
     WHERE database = '${DATABASE}' AND active GROUP BY table ORDER BY table`,
  );
  const tables: TableStorage[] = [];
  const rows = new RowBinaryReader(answer);
  while (rows.more) tables.push({ table: rows.string(), rows: rows.int64(), bytes: rows.int64() });
  return tables;
}

async function weightByService(engine: Engine, table: string, weight: string): Promise<Map<string, number>> {
  const answer = await engine.query(`SELECT service, toInt64(${weight}) FROM ${DATABASE}.${table} GROUP BY service`);
  const weights = new Map<string, number>();
  const rows = new RowBinaryReader(answer);
  while (rows.more) weights.set(rows.string(), rows.int64());
  return weights;
}

function partOf(parts: ReadonlyMap<string, number>, service: string): number {
  let whole = 0;
  for (const part of parts.values()) whole += part;
  return whole === 0 ? 0 : (parts.get(service) ?? 0) / whole;
}
