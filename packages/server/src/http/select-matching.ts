import { parseSelector } from '@pilotlight/protocol';
import { selectSeries } from '../store/select.js';
import type { SeriesEntry } from '../store/series-index.js';
import type { Store } from '../store/store.js';
import { TENANT } from './intake.js';
import { checkRange } from './query-checks.js';

/**
 * The series of every set of matchers together; none means all. Clients without a range mean everything; a range of zero length at the epoch is what
 * protobuf makes of "absent".
 *
 * @throws PilotlightError
 */
export async function selectMatching(
  store: Store,
  matchers: readonly string[],
  { start, end }: { readonly start: bigint | number; readonly end: bigint | number },
): Promise<SeriesEntry[]> {
  const isAbsent = Number(start) === 0 && Number(end) === 0;
  const range = isAbsent
    ? { startMs: Number.MIN_SAFE_INTEGER, endMs: Number.MAX_SAFE_INTEGER }
    : checkRange(start, end);
  const sets = matchers.length === 0 ? ['{}'] : matchers;
  const found = new Map<number, SeriesEntry>();
  for (const set of sets) {
    for (const entry of await selectSeries(store, { tenant: TENANT, matchers: parseSelector(set), ...range })) {
      found.set(entry.seriesId, entry);
    }
  }
  return [...found.values()];
}

/** The values a label has among series, sorted. */
export function labelValues(entries: readonly SeriesEntry[], name: string): string[] {
  const values = new Set<string>();
  for (const { labels } of entries) {
    const value = labels.get(name);
    if (value !== undefined && value !== '') values.add(value);
  }
  return [...values].sort();
}
