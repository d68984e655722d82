/** Loaded only when there is a timeline to draw: the plot is larger than the rest of the page. */
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import type { TimelineData } from '../data/timeline-data.js';
import { formatScaled, scaleFor } from '../values/scale.js';
import { formatTime } from '../view/time-range.js';

export interface PlotColors {
  readonly line: string;
  readonly fill: string;
  readonly grid: string;
  readonly text: string;
}

/** Narrower brushes are clicks. */
const BRUSH_PIXELS_MIN = 4;

export interface Plot {
  show(data: TimelineData): void;
  resize(width: number): void;
  destroy(): void;
}

/** Draws a timeline into an element. `onBrush` gets the stretch somebody marked, in milliseconds; `onPoint` what is under the pointer, in words. */
export function createPlot(
  element: HTMLElement,
  data: TimelineData,
  height: number,
  colors: PlotColors,
  onBrush: (start: number, end: number) => void,
  onPoint: (text: string) => void,
): Plot {
  let shown = data;
  // A value is the sum of its step, and a step without a value has none: bars say so, a line would not. A bar ends at its time.
  const bars = uPlot.paths.bars?.({ size: [1, 64], align: -1, gap: 0 });
  const axis = {
    stroke: colors.text,
    font: '11px system-ui, sans-serif',
    grid: { stroke: colors.grid, width: 1 },
    ticks: { show: false },
  };
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [6, 0, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: true, range: () => [shown.start / 1_000, shown.end / 1_000] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
      },
      cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      axes: [
        {
          ...axis,
          size: 22,
          gap: 4,
          // A clock everybody reads the same, and one line: the caption and the range picker tell the day.
          values: (_, splits, __, ___, stepSeconds) => splits.map((seconds) => clockTime(seconds * 1_000, stepSeconds)),
        },
        {
          ...axis,
          size: 72,
          gap: 6,
          splits: (_, __, ___, max) => [0, max / 2.16, max / 1.08],
          values: (_, splits) => {
            const scale = scaleFor(shown.type.rateUnit, splits[splits.length - 1] ?? 0);
            return splits.map((value) => (value === 0 ? '0' : formatScaled(value, scale)));
          },
        },
      ],
      series: [
        {},
        { stroke: colors.line, fill: colors.fill, width: 1, points: { show: false }, ...(bars ? { paths: bars } : {}) },
      ],
      hooks: {
        setSelect: [
          (self) => {
            if (self.select.width < BRUSH_PIXELS_MIN) return;
            const at = (pixels: number) => Math.round(self.posToVal(pixels, 'x') * 1_000);
            const [start, end] = [at(self.select.left), at(self.select.left + self.select.width)];
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            onBrush(start, end);
          },
        ],
        setCursor: [
          (self) => {
            const { idx } = self.cursor;
            const value = idx === null || idx === undefined ? undefined : shown.values[idx];
            onPoint(
              value === undefined || value === null
                ? ''
                : `${formatTime((shown.times[idx as number] as number) * 1_000)}  ${formatRate(value, shown)}`,
            );
          },
        ],
      },
    },
    columnsOf(data),
    element,
  );
  return {
    show(next) {
      shown = next;
      plot.setData(columnsOf(next));
    },
    resize: (width) => plot.setSize({ width, height }),
    destroy: () => plot.destroy(),
  };
}

function clockTime(millis: number, stepSeconds: number): string {
  const text = formatTime(millis);
  if (stepSeconds >= 86_400) return text.slice(5, 10);
  if (stepSeconds < 60) return text.slice(11);
  // Midnight says which day begins.
  return text.slice(11, 16) === '00:00' ? text.slice(5, 10) : text.slice(11, 16);
}

function columnsOf({ times, values }: TimelineData): uPlot.AlignedData {
  return [times as number[], values as (number | null)[]];
}

function formatRate(value: number, { type }: TimelineData): string {
  return formatScaled(value, scaleFor(type.rateUnit, value));
}
