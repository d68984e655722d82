import type { PilotlightClient, Selection } from '@pilotlight/protocol';
import type { ProfileTypeText } from '../values/profile-type.js';

/**
 * How many profiles a merged value comes from, where that matters: 100 MiB in use, looked at 30 times, are not 3 GiB. What happened during each profile, such
 * as CPU time, adds up and is left as it is.
 */
export interface Snapshots {
  /** A merged value divided by this is the one to show. */
  readonly divisor: number;
  /** What is shown, where that is not plainly what was measured: `mean of 30 snapshots`. */
  readonly note: string;
  /** Put before the headings of values; empty or ending in a blank. */
  readonly prefix: string;
}

const AS_IT_IS: Snapshots = { divisor: 1, note: '', prefix: '' };

/** The mean of all snapshots in a range; undefined: there is none. */
export async function loadMean(
  client: PilotlightClient,
  selection: Selection,
  abort: AbortSignal,
): Promise<number | undefined> {
  // One point that holds exactly the range, whose end is not part of it.
  const last = selection.end - 1;
  const stepSeconds = (selection.end - selection.start) / 1_000;
  const series = await client.selectSeries({ ...selection, start: last, end: last }, stepSeconds, [], abort, 'average');
  return series[0]?.points[0]?.value;
}

/** `sum` is the merged value of everything, `mean` that of one snapshot. */
export function snapshotsOf(type: ProfileTypeText, sum: number, mean: number | undefined): Snapshots {
  if (type.over !== 'nothing') return AS_IT_IS;
  const divisor = sum / (mean ?? 0);
  if (!Number.isFinite(divisor) || divisor <= 0) return { divisor: 1, note: 'sum of all snapshots', prefix: '' };
  // A snapshot that came in between the two questions leaves the mean exact, and the parts in proportion.
  const count = Math.max(Math.round(divisor), 1);
  const note = count === 1 ? 'one snapshot' : `mean of ${count.toLocaleString('en-US')} snapshots`;
  return { divisor, note, prefix: count === 1 ? '' : 'Mean ' };
}
