import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PilotlightError } from '@pilotlight/profile';
import { drainPending, Session } from 'chdb';
import { Semaphore } from '../semaphore.js';
import type { Engine, Insert, SqlParameters } from './engine.js';
import { RowBinaryReader } from './row-binary.js';
import { syncFolder } from './sync-folder.js';

export interface ChdbOptions {
  /** Folder of the engine's files; created when absent. One process a folder. */
  readonly folder: string;
  /** Reads under way at once, each on a session of its own. */
  readonly readers: number;
  readonly memoryBytesMax: number;
  readonly queryMemoryBytesMax: number;
  readonly querySecondsMax: number;
}

export const CHDB_DEFAULTS = {
  readers: 3,
  memoryBytesMax: 1_500_000_000,
  queryMemoryBytesMax: 700_000_000,
  querySecondsMax: 60,
} as const;

/** Two blocks of rows would be two parts of one insert; these thresholds keep it one part, so it is atomic. */
const ONE_PART =
  'max_insert_block_size = 100000000, min_insert_block_size_rows = 100000000, min_insert_block_size_bytes = 4294967296, max_insert_threads = 1';
/** Roll-ups spill to the disk rather than take what queries need. */
const DERIVE_MEMORY_BYTES_MAX = 600_000_000;
const DERIVE_SECONDS_MAX = 600;

/** ClickHouse in the process. A session runs one statement at a time, so an insert gets a session no query can hold up. */
export function openChdb(options: ChdbOptions): Engine {
  mkdirSync(options.folder, { recursive: true });
  const connectionArgs = [
    '--async_load_databases=0',
    '--async_load_system_database=0',
    '--max_threads=2',
    `--max_server_memory_usage=${options.memoryBytesMax}`,
    '--mark_cache_size=67108864',
    '--index_mark_cache_size=16777216',
    '--uncompressed_cache_size=0',
    // Reads the process's memory twenty times a second otherwise.
    '--memory_worker_period_ms=1000',
  ];
  const open = (): Session => {
    try {
      return new Session(options.folder, { connectionArgs });
    } catch (thrown) {
      throw openingError(thrown, options.folder);
    }
  };
  const writer = open();
  // Only now, with the engine's lock: another process may be using the folder. What a killed one left there is no part of anything.
  const exchange = join(options.folder, '..', 'exchange');
  rmSync(exchange, { recursive: true, force: true });
  mkdirSync(exchange, { recursive: true });
  writer.query(`SET ${ONE_PART}`);
  const writing = new Semaphore(1);
  const readers = Array.from({ length: options.readers }, open);
  const reading = new Semaphore(options.readers);
  for (const reader of readers) {
    reader.query(
      `SET max_memory_usage = ${options.queryMemoryBytesMax}, max_execution_time = ${options.querySecondsMax}, ` +
        `max_bytes_before_external_group_by = ${Math.floor(options.queryMemoryBytesMax / 2)}, readonly = 2`,
    );
  }

  const run = async (session: Session, sql: string, parameters: SqlParameters | undefined): Promise<Uint8Array> => {
    try {
      const result =
        parameters === undefined
          ? await session.queryAsync(sql, { format: 'RowBinary' })
          : await session.queryBindAsync(sql, parameters, { format: 'RowBinary' });
      return result.bytes();
    } catch (thrown) {
      throw queryError(thrown);
    }
  };
  const write = (sql: string, parameters?: SqlParameters): Promise<Uint8Array> =>
    writing.use(() => run(writer, sql, parameters));
  const deriving = new Semaphore(1);
  let deriver: Session | undefined;
  const folders = new Map<string, string>();
  /** Where the parts of a table get their names. */
  const folderOf = async (table: string): Promise<string> => {
    let folder = folders.get(table);
    if (folder === undefined) {
      const [database, name] = table.split('.') as [string, string];
      const answer = await write(
        'SELECT data_paths[1] FROM system.tables WHERE database = {database:String} AND name = {name:String}',
        { database, name },
      );
      folder = new RowBinaryReader(answer).string();
      folders.set(table, folder);
    }
    return folder;
  };

  return {
    query: (sql, parameters) =>
      reading.use(async () => {
        const reader = readers.pop() as Session;
        try {
          return await run(reader, sql, parameters);
        } finally {
          readers.push(reader);
        }
      }),

    async execute(sql, parameters) {
      await write(sql, parameters);
    },

    async insert({ table, columns, rows }: Insert) {
      // The npm binding inserts text formats only; a file of RowBinary is the way around, and needs no fsync: the part has one.
      const file = join(exchange, `${randomUUID()}.bin`);
      try {
        await writeFile(file, rows);
        const names = columns.map((column) => column.slice(0, column.indexOf(' '))).join(', ');
        await write(
          `INSERT INTO ${table} (${names}) SELECT * FROM file('${file.replace(/[\\']/g, '\\$&')}', 'RowBinary', '${columns.join(', ')}')`,
        );
        // The engine syncs the part, but not the folder in which the part got its name.
        await syncFolder(await folderOf(table));
      } catch (thrown) {
        throw PilotlightError.from(thrown);
      } finally {
        rmSync(file, { force: true });
      }
    },

    derive: (table, sql, parameters) =>
      deriving.use(async () => {
        if (deriver === undefined) {
          deriver = open();
          deriver.query(
            `SET ${ONE_PART}, max_threads = 1, max_memory_usage = ${DERIVE_MEMORY_BYTES_MAX}, max_execution_time = ${DERIVE_SECONDS_MAX}, ` +
              `max_bytes_before_external_group_by = ${DERIVE_MEMORY_BYTES_MAX / 3}, max_bytes_before_external_sort = ${DERIVE_MEMORY_BYTES_MAX / 3}`,
          );
        }
        await run(deriver, sql, parameters);
        await syncFolder(await folderOf(table));
      }),

    async close() {
      await deriving.use(async () => deriver?.close());
      await writing.use(async () => writer.close());
      for (const reader of readers) reader.close();
      await drainPending();
    },
  };
}

function openingError(thrown: unknown, folder: string): PilotlightError {
  const owner = runningOwner(folder);
  if (owner !== undefined) {
    return new PilotlightError(
      'data_folder_in_use',
      `another process (${owner}) uses the data folder ${join(folder, '..')}; one folder serves one server`,
      { cause: thrown },
    );
  }
  const message = firstLine(thrown instanceof Error ? thrown.message : String(thrown));
  return new PilotlightError('store_unavailable', `the engine did not open: ${message}`, { cause: thrown });
}

/** The process that has the engine's folder open, by its lock file; the error of the engine does not tell. */
function runningOwner(folder: string): number | undefined {
  let pid: number;
  try {
    pid = Number(/^PID: (\d+)$/m.exec(readFileSync(join(folder, 'status'), 'utf8'))?.[1] ?? process.pid);
  } catch {
    // No lock file: nobody has it open.
    return undefined;
  }
  if (pid === process.pid) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (thrown) {
    // A killed process leaves its lock file. Another user's process may not be signalled, but it is there.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM' ? pid : undefined;
  }
}

/** ClickHouse's numbers for: timeout exceeded, memory limit, too many rows or bytes, too slow. */
const LIMIT_CODES = new Set([159, 160, 241, 158, 307, 396]);
/** … and for a regular expression RE2 refuses. */
const CANNOT_COMPILE_REGEXP = 427;

function queryError(thrown: unknown): PilotlightError {
  const code = (thrown as { clickhouseCode?: number }).clickhouseCode ?? 0;
  const message = firstLine(thrown instanceof Error ? thrown.message : String(thrown));
  if (code === CANNOT_COMPILE_REGEXP) {
    // The engine speaks of its own functions; what is wrong with the pattern stands in the middle.
    const reason = /, error: (.*?)(?:: \^\(\?s:|\. Look at|$)/.exec(message)?.[1] ?? message;
    return new PilotlightError('malformed_query', `the pattern of a matcher is not a regular expression: ${reason}`);
  }
  if (LIMIT_CODES.has(code)) {
    return new PilotlightError('query_limit', `the query went over a limit of the engine: ${message}`, {
      cause: thrown,
    });
  }
  return new PilotlightError('store_unavailable', message, { cause: thrown });
}

function firstLine(message: string): string {
  return (message.split('\n', 1)[0] as string).slice(0, 500);
}
