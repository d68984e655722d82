import type { Engine } from './engine.js';
import { HOURS_A_DAY } from './rollup-state.js';
import { RowBinaryReader } from './row-binary.js';
import { DATABASE, PARTITION_SECONDS, WEEK_SECONDS } from './schema.js';

export interface RetentionLimits {
  /** Seconds since ingest. */
  readonly ageSeconds: number;
  /** Of details, which are larger than the profiles they belong to; they never outlive them. */
  readonly detailsAgeSeconds: number;
  /** Bytes of all tables on disk. */
  readonly bytes: number;
}

interface Partition {
  readonly id: number;
  readonly bytes: number;
}

/**
 * Drops whole partitions of `profiles`, the oldest first, that are over the age or because all tables together are over the size; then the
 * roll-ups of what is gone, and the weeks of frames and nodes that no remaining profile can point to. The partition being written is never dropped.
 *
 * A roll-up goes after its profiles, and `forget` is told in between: whatever stops this on the way, no roll-up is believed to hold what is kept and does not,
 * and one that is left behind is believed by nobody and dropped the next time.
 */
export async function retain(
  engine: Engine,
  limits: RetentionLimits,
  nowMs: number,
  forget: (hour: number) => void,
): Promise<number> {
  const now = Math.floor(nowMs / 1_000);
  const partitions = await partitionsOf(engine, 'profiles');
  const rollups = new Map((await partitionsOf(engine, 'profiles_1h')).map((hour) => [hour.id, hour]));
  let total = await storeBytes(engine);
  let dropped = 0;
  const remaining: Partition[] = [];
  for (const partition of partitions) {
    const ended = (partition.id + 1) * PARTITION_SECONDS;
    const tooOld = ended <= now - limits.ageSeconds;
    const tooMuch = total > limits.bytes && ended <= now;
    if (tooOld || tooMuch) {
      await drop(engine, 'profiles', partition.id);
      forget(partition.id);
      total -= partition.bytes + (rollups.get(partition.id)?.bytes ?? 0);
      dropped++;
    } else {
      remaining.push(partition);
    }
  }
  for (const { id } of await partitionsOf(engine, 'details')) {
    const ended = (id + 1) * PARTITION_SECONDS;
    const tooOld = ended <= now - Math.min(limits.detailsAgeSeconds, limits.ageSeconds);
    const isAlone = ended <= now && !remaining.some((partition) => partition.id === id);
    if (tooOld || isAlone) await drop(engine, 'details', id);
  }
  const hours = new Set(remaining.map(({ id }) => id));
  const days = new Set(remaining.map(({ id }) => Math.floor(id / HOURS_A_DAY)));
  for (const id of rollups.keys()) if (!hours.has(id)) await drop(engine, 'profiles_1h', id);
  for (const { id } of await partitionsOf(engine, 'profiles_1d')) {
    if (!days.has(id)) await drop(engine, 'profiles_1d', id);
  }
  // A node is written anew in each week it is seen, by the clock at the drain, which is never before the ingest.
  const oldest = remaining[0]?.id ?? Math.floor(now / PARTITION_SECONDS);
  const oldestWeek = Math.floor((oldest * PARTITION_SECONDS) / WEEK_SECONDS);
  for (const table of ['nodes', 'frames'] as const) {
    for (const { id } of await partitionsOf(engine, table)) {
      if (id < oldestWeek) await drop(engine, table, id);
    }
  }
  return dropped;
}

/** Bytes of the active parts of all tables. */
export async function storeBytes(engine: Engine): Promise<number> {
  const answer = await engine.query(
    `SELECT toInt64(sum(bytes_on_disk)) FROM system.parts WHERE database = '${DATABASE}' AND active`,
  );
  return new RowBinaryReader(answer).int64();
}

async function partitionsOf(engine: Engine, table: string): Promise<Partition[]> {
  const answer = await engine.query(
    `SELECT toInt64(partition) AS id, toInt64(sum(bytes_on_disk)) FROM system.parts
     WHERE database = '${DATABASE}' AND table = {table:String} AND active GROUP BY id ORDER BY id`,
    { table },
  );
  const rows = new RowBinaryReader(answer);
  const partitions: Partition[] = [];
  while (rows.more) partitions.push({ id: rows.int64(), bytes: rows.int64() });
  return partitions;
}

function drop(engine: Engine, table: string, id: number): Promise<void> {
  return engine.execute(`ALTER TABLE ${DATABASE}.${table} DROP PARTITION ${id}`);
}
