import type { PilotlightClient, Selection } from '@pilotlight/protocol';
import { type ProfileTypeText, rateOf } from '../values/profile-type.js';

/** What was measured over time, ready to be plotted. */
export interface TimelineData {
  readonly start: number;
  readonly end: number;
  readonly type: ProfileTypeText;
  readonly stepSeconds: number;
  /** Ends of the steps, in seconds since the epoch, evenly spaced. */
  readonly times: readonly number[];
  /** null where nothing came in. */
  readonly values: readonly (number | null)[];
}

/** More points than this no screen shows apart. */
const POINTS_MAX = 240;
/** Agents upload each 10 to 15 seconds: a shorter step would show teeth where nothing happened. */
const STEP_SECONDS_MIN = 15;

export function timelineStep(rangeMillis: number): number {
  const wanted = Math.max(rangeMillis / 1_000 / POINTS_MAX, STEP_SECONDS_MIN);
  const round = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400];
  return round.find((step) => step >= wanted) ?? Math.ceil(wanted / 86_400) * 86_400;
}

export async function loadTimeline(
  client: PilotlightClient,
  selection: Selection,
  type: ProfileTypeText,
  abort: AbortSignal,
): Promise<TimelineData> {
  const stepSeconds = timelineStep(selection.end - selection.start);
  const stepMillis = stepSeconds * 1_000;
  // Steps on the clock's own marks, so that they stay where they are while the range moves along.
  const first = Math.floor(selection.start / stepMillis) * stepMillis;
  const last = Math.ceil(selection.end / stepMillis) * stepMillis;
  const series = await client.selectSeries({ ...selection, start: first, end: last }, stepSeconds, [], abort);
  const times: number[] = [];
  const values: (number | null)[] = [];
  for (let time = first; time <= last; time += stepMillis) {
    times.push(time / 1_000);
    values.push(null);
  }
  for (const { points } of series) {
    for (const { timestamp, value } of points) {
      const at = Math.ceil((timestamp - first) / stepMillis);
      if (at >= 0 && at < values.length) values[at] = (values[at] ?? 0) + rateOf(value, stepSeconds, type);
    }
  }
  return { start: selection.start, end: selection.end, type, stepSeconds, times, values };
}

/** One sentence on a timeline, for those who cannot see it. */
export interface TimelineSummary {
  readonly peak: number;
  readonly peakTime: number;
  readonly mean: number;
}

export function summarizeTimeline({ times, values }: TimelineData): TimelineSummary | undefined {
  let peak = Number.NEGATIVE_INFINITY;
  let peakTime = 0;
  let sum = 0;
  let count = 0;
  values.forEach((value, index) => {
    if (value === null) return;
    sum += value;
    count++;
    if (value > peak) [peak, peakTime] = [value, (times[index] as number) * 1_000];
  });
  return count === 0 ? undefined : { peak, peakTime, mean: sum / count };
}
