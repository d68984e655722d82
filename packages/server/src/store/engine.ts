/**
 * The seam between the store and its SQL engine: one dialect (ClickHouse), whoever runs it. Rows travel as RowBinary both ways, so that
 * columns of numbers are never turned into text.
 */

/** A bound parameter of `{name:Type}`; numbers must be whole. */
export type SqlValue = string | number | readonly (string | number)[];
export type SqlParameters = Readonly<Record<string, SqlValue>>;

export interface Insert {
  readonly table: string;
  /** Columns with their types in the order of the bytes, as in `a UInt64`. */
  readonly columns: readonly string[];
  readonly rows: Uint8Array;
}

export interface Engine {
  /** Rows as RowBinary. @throws PilotlightError `query_limit` (time, memory) or `store_unavailable`. */
  query(sql: string, parameters?: SqlParameters): Promise<Uint8Array>;
  /** A statement without an answer; runs alone on the writing side. */
  execute(sql: string, parameters?: SqlParameters): Promise<void>;
  /** One part of one partition, durable when the promise resolves. */
  insert(insert: Insert): Promise<void>;
  /** `INSERT INTO table …` of what the engine holds already: one thread, beside all inserts and queries. Durable when the promise resolves. */
  derive(table: string, sql: string, parameters: SqlParameters): Promise<void>;
  close(): Promise<void>;
}
