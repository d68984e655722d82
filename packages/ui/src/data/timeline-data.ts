import type { PilotlightClient, Selection, SeriesPoints } from '@pilotlight/protocol';
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
  /** The steps from this one on are not complete: more of them is still to come. */
  readonly openFrom: number;
  /** How many series are added up. */
  readonly seriesCount: number;
}

/** More points than this no screen shows apart. */
const POINTS_MAX = 240;
/** Agents upload each 10, 15 or 30 seconds: in a step of another length than a multiple of these, teeth would show where nothing happened. */
const STEP_SECONDS_MIN = 30;
/** What an agent measured is here this long after it was measured. */
const UPLOAD_MILLIS = 15_000;

export function timelineStep(rangeMillis: number): number {
  const wanted = Math.max(rangeMillis / 1_000 / POINTS_MAX, STEP_SECONDS_MIN);
  const round = [30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400];
  return round.find((step) => step >= wanted) ?? Math.ceil(wanted / 86_400) * 86_400;
}

export async function loadTimeline(
  client: PilotlightClient,
  selection: Selection,
  type: ProfileTypeText,
  nowMillis: number,
  abort: AbortSignal,
): Promise<TimelineData> {
  const stepSeconds = timelineStep(selection.end - selection.start);
  const stepMillis = stepSeconds * 1_000;
  // Steps on the clock's own marks, so that they stay where they are while the range moves along.
  const before = Math.floor(selection.start / stepMillis) * stepMillis;
  const last = Math.ceil(selection.end / stepMillis) * stepMillis;
  const steps = { ...selection, start: before + stepMillis, end: last };
  const count = (last - before) / stepMillis;
  const times = Array.from({ length: count }, (_, index) => (before + (index + 1) * stepMillis) / 1_000);
  const values: (number | null)[] = times.map(() => null);
  const isLevel = type.over === 'nothing';
  const series = await (isLevel
    ? loadLevels(client, steps, stepSeconds, abort)
    : client.selectSeries(steps, stepSeconds, [], abort));
  for (const { points } of series) {
    const own: (number | null)[] = times.map(() => null);
    for (const { timestamp, value } of points) {
      const at = Math.ceil((timestamp - before) / stepMillis) - 1;
      if (at >= 0 && at < count) own[at] = (own[at] ?? 0) + rateOf(value, stepSeconds, type);
    }
    if (isLevel) holdLevel(own);
    own.forEach((value, at) => {
      if (value !== null) values[at] = (values[at] ?? 0) + value;
    });
  }
  const open = times.findIndex((time) => time * 1_000 + UPLOAD_MILLIS > nowMillis);
  return {
    start: selection.start,
    end: selection.end,
    type,
    stepSeconds,
    times,
    values,
    openFrom: open === -1 ? count : open,
    seriesCount: series.length,
  };
}

/** What happened adds up over time and over series; what stood at a moment only over series, over time it has a mean. So the series come apart, each with its means. */
async function loadLevels(
  client: PilotlightClient,
  selection: Selection,
  stepSeconds: number,
  abort: AbortSignal,
): Promise<SeriesPoints[]> {
  const range = { start: selection.start - stepSeconds * 1_000, end: selection.end };
  const labels = await client.labelNames(range, [selection.selector], abort);
  return client.selectSeries(selection, stepSeconds, labels, abort, 'average');
}

/**
 * A level stands until the next snapshot: a step that holds none, for snapshots are a minute apart or one was late, is not empty. One that is missing for twice as
 * long as they usually are apart is.
 */
function holdLevel(values: (number | null)[]): void {
  const found = values.flatMap((value, at) => (value === null ? [] : [at]));
  const distances = found.slice(1).map((at, index) => at - (found[index] as number));
  const usual = distances.sort((a, b) => a - b)[distances.length >> 1] ?? 1;
  found.forEach((at, index) => {
    const end = Math.min(found[index + 1] ?? values.length, at + 2 * usual, values.length);
    for (let next = at + 1; next < end; next++) values[next] = values[at] as number;
  });
}

/** One sentence on a timeline, for those who cannot see it. Of complete steps, as long as there is one. */
export interface TimelineSummary {
  readonly peak: number;
  readonly peakTime: number;
  /** Of the steps with data: what they come to ÷ the time they cover. */
  readonly mean: number;
  readonly coveredSeconds: number;
  /** Whether there is a step without data. */
  readonly hasGaps: boolean;
}

export function summarizeTimeline({ times, values, openFrom, stepSeconds }: TimelineData): TimelineSummary | undefined {
  const complete = values.slice(0, openFrom);
  const counted = complete.some((value) => value !== null) ? complete : values;
  let peak = Number.NEGATIVE_INFINITY;
  let peakTime = 0;
  let sum = 0;
  let count = 0;
  counted.forEach((value, index) => {
    if (value === null) return;
    sum += value;
    count++;
    if (value > peak) [peak, peakTime] = [value, (times[index] as number) * 1_000];
  });
  if (count === 0) return undefined;
  return { peak, peakTime, mean: sum / count, coveredSeconds: count * stepSeconds, hasGaps: count < counted.length };
}
