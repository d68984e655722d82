/** What is asked of the table of details. FINAL: after a kill the same row may stand there twice. */
import { type Asked, profilesAsked, type Statement } from './rollup-plan.js';
import { DATABASE } from './schema.js';

/** Threads one answer names, the busiest; a pool that makes ever new ones names thousands. */
export const THREADS_MAX = 1_000;

const DETAILS = `${DATABASE}.details FINAL`;

export interface ThreadTotal {
  readonly thread: string;
  readonly total: number;
}

export function totalsByThread(asked: Asked): Statement {
  const { where, parameters } = profilesAsked(asked);
  return {
    sql: `SELECT thread, sum(total) AS value FROM ${DETAILS} WHERE ${where} AND thread != '' GROUP BY thread
      ORDER BY value DESC, thread LIMIT ${THREADS_MAX}`,
    parameters,
  };
}

export function sumsByNodeOfThread(asked: Asked, thread: string): Statement {
  const { where, parameters } = profilesAsked(asked);
  return {
    sql: `SELECT node, sum(value) FROM ${DETAILS} ARRAY JOIN nodes AS node, values AS value
      WHERE ${where} AND thread = {thread:String} GROUP BY node`,
    parameters: { ...parameters, thread },
  };
}

/** Spans may be many ids of 64 bits, which numbers cannot carry: they travel as text. Rows of profiles without any have an empty array. */
export function sumsByNodeOfSpans(asked: Asked, spans: readonly bigint[]): Statement {
  const { where, parameters } = profilesAsked(asked);
  return {
    sql: `SELECT node, sum(value)
      FROM (SELECT nodes, values, span_ids FROM ${DETAILS} WHERE ${where} AND notEmpty(span_ids))
      ARRAY JOIN nodes AS node, values AS value, span_ids AS span
      WHERE has(arrayMap(x -> toUInt64(x), {spans:Array(String)}), span) GROUP BY node`,
    parameters: { ...parameters, spans: spans.map(String) },
  };
}
