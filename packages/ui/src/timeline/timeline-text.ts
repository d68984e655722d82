import { summarizeTimeline, type TimelineData } from '../data/timeline-data.js';
import { formatValue } from '../values/scale.js';
import { formatTime } from '../view/time-range.js';

/** What is said of a timeline: caption, point under the pointer, and one sentence for those who cannot see it. */
export interface CaptionText {
  readonly mean: string;
  readonly peak: string;
  /** What is added up, and which time the mean is of; empty where both go without saying. */
  readonly note: string;
  /** How the mean comes about, in whole sentences. */
  readonly explanation: string;
}

export function captionText(data: TimelineData): CaptionText | undefined {
  const summary = summarizeTimeline(data);
  if (summary === undefined) return undefined;
  const covered = formatValue(summary.coveredSeconds * 1e9, 'nanoseconds');
  const isLevel = data.type.over === 'nothing';
  const together = isLevel && data.seriesCount > 1 ? `${data.seriesCount} series together` : '';
  const gaps = summary.hasGaps ? `over the ${covered} with data` : '';
  return {
    mean: `mean ${rateText(summary.mean, data)}`,
    peak: `peak ${rateText(summary.peak, data)} at ${formatTime(summary.peakTime).slice(11)}`,
    note: [together, gaps].filter((text) => text !== '').join(', '),
    explanation:
      `Mean over the ${covered} of this range for which there are data, in steps of ${formatValue(data.stepSeconds * 1e9, 'nanoseconds')}. ` +
      (isLevel
        ? 'A step is the mean of the snapshots of each series, added up over series. '
        : 'A step is what was measured in it, divided by its length. ') +
      'The last steps are outlines until all of them has come in, and are not counted.',
  };
}

/** What stands at a step; empty where there is nothing. */
export function pointText(data: TimelineData, index: number): string {
  const value = data.values[index] ?? null;
  if (value === null) return '';
  const end = (data.times[index] as number) * 1_000;
  const open = index >= data.openFrom ? ', not complete yet' : '';
  return `${formatTime(end)}  ${rateText(value, data)}${open}`;
}

export function sentence(data: TimelineData): string {
  const caption = captionText(data);
  const range = `from ${formatTime(data.start)} to ${formatTime(data.end)}`;
  if (caption === undefined) return `${data.type.title} ${range}: no data`;
  const note = caption.note === '' ? '' : ` (${caption.note})`;
  return `${data.type.title} ${range}: ${caption.mean}${note}, ${caption.peak}`;
}

function rateText(value: number, { type }: TimelineData): string {
  const text = formatValue(value, type.rateUnit);
  return type.rateTitle === '' || type.rateTitle === type.rateUnit ? text : `${text} ${type.rateTitle}`;
}
