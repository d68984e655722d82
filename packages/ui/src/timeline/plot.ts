import type { TimeRange } from '@pilotlight/protocol';
import uPlot from 'uplot';
import type { TimelineData } from '../data/timeline-data.js';
import { formatScaled, scaleFor } from '../values/scale.js';
import { formatTime } from '../view/time-range.js';
import { type Brush, brushedRange, NO_BRUSH } from './brush.js';
import { pointText } from './timeline-text.js';

export interface PlotColors {
  readonly line: string;
  readonly fill: string;
  readonly grid: string;
  readonly text: string;
}

/** Narrower brushes are clicks. */
const BRUSH_PIXELS_MIN = 4;
/** Of the font of the axes, on the safe side, in pixels. */
const GLYPH_WIDTH = 6.5;
const AXIS_GAP = 6;
/** Half of `21:00:00`, which may stand at the very end. */
const PADDING_RIGHT = 27;

/** What is shown beside the values, where several timelines belong together. */
export interface PlotMarks {
  /** Stands out from the time around it, in milliseconds. */
  readonly range: TimeRange;
  /** What the values go up to, so that bars of several timelines compare. */
  readonly top: number;
}

export interface Plot {
  show(data: TimelineData, marks?: PlotMarks): void;
  /** Shows what keys have marked. */
  mark(brush: Brush): void;
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
  marks?: PlotMarks,
): Plot {
  let shown = data;
  let marked = marks;
  // A value is the sum of its step, and a step without a value has none: bars say so, a line would not. A bar ends at its time.
  const bars = uPlot.paths.bars?.({ size: [1, 64], align: -1, gap: 0 });
  const axis = {
    stroke: colors.text,
    font: '11px system-ui, sans-serif',
    grid: { stroke: colors.grid, width: 1 },
    ticks: { show: false },
  };
  const drawn = { stroke: colors.line, width: 1, points: { show: false }, ...(bars ? { paths: bars } : {}) };
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [6, PADDING_RIGHT, 0, 0],
      legend: { show: false },
      scales: {
        x: { time: true, range: () => [shown.start / 1_000, shown.end / 1_000] },
        y: {
          range: (_, __, max) => {
            const top = marked?.top ?? max;
            return [0, top > 0 ? top * 1.08 : 1];
          },
        },
      },
      cursor: { y: false, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      axes: [
        {
          ...axis,
          size: 22,
          gap: 4,
          // A clock everybody reads the same, and one line: the caption and the range picker tell the day.
          values: (_, splits, __, ___, stepSeconds) => clockTimes(splits, stepSeconds),
        },
        {
          ...axis,
          size: (_, texts) => Math.max(64, ...(texts ?? []).map((text) => text.length * GLYPH_WIDTH + AXIS_GAP)),
          gap: AXIS_GAP,
          splits: (_, __, ___, max) => [0, max / 2.16, max / 1.08],
          values: (_, splits) => {
            if (shown.values.every((value) => value === null)) return splits.map(() => '');
            const scale = scaleFor(shown.type.rateUnit, splits[splits.length - 1] ?? 0);
            return splits.map((value) => (value === 0 ? '0' : formatScaled(value, scale)));
          },
        },
      ],
      series: [
        {},
        { ...drawn, fill: colors.fill },
        // Steps that are not complete are outlines: a dip there is no dip.
        { ...drawn, dash: [3, 3] },
      ],
      hooks: {
        drawClear: [(self) => marked && drawRange(self, marked.range, colors)],
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
            onPoint(idx === null || idx === undefined ? '' : pointText(shown, idx));
          },
        ],
      },
    },
    columnsOf(data),
    element,
  );
  const select = (left: number, width: number) =>
    plot.setSelect({ left, width, top: 0, height: plot.bbox.height / devicePixelRatio }, false);
  const stopTouch = brushByTouch(plot, select, (left, right) => {
    select(0, 0);
    if (right - left < BRUSH_PIXELS_MIN) return;
    const at = (pixels: number) => Math.round(plot.posToVal(pixels, 'x') * 1_000);
    onBrush(at(left), at(right));
  });
  return {
    mark(brush) {
      if (brush === NO_BRUSH) return select(0, 0);
      const [start, end] = brushedRange(shown, brush);
      const at = (millis: number) =>
        Math.min(Math.max(plot.valToPos(millis / 1_000, 'x'), 0), plot.bbox.width / devicePixelRatio);
      select(at(start), at(end) - at(start));
    },
    show(next, nextMarks) {
      shown = next;
      marked = nextMarks;
      plot.setData(columnsOf(next));
    },
    resize: (width) => plot.setSize({ width, height }),
    destroy() {
      stopTouch();
      plot.destroy();
    },
  };
}

/** uPlot knows the mouse only. A finger that moves sideways marks; one that moves up or down scrolls the page, and then the browser takes it away. */
function brushByTouch(
  plot: uPlot,
  select: (left: number, width: number) => void,
  onEnd: (left: number, right: number) => void,
): () => void {
  const { over } = plot;
  let from: number | undefined;
  let to = 0;
  const position = (event: PointerEvent) => {
    const { left, width } = over.getBoundingClientRect();
    return Math.min(Math.max(event.clientX - left, 0), width);
  };
  const down = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' || !event.isPrimary) return;
    from = to = position(event);
    over.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    if (from === undefined || event.pointerType === 'mouse') return;
    to = position(event);
    select(Math.min(from, to), Math.abs(to - from));
  };
  const up = (event: PointerEvent) => {
    if (from === undefined) return;
    if (event.type === 'pointerup') onEnd(Math.min(from, to), Math.max(from, to));
    else select(0, 0);
    from = undefined;
  };
  const listeners = [
    ['pointerdown', down],
    ['pointermove', move],
    ['pointerup', up],
    ['pointercancel', up],
  ] as const;
  for (const [name, listener] of listeners) over.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of listeners) over.removeEventListener(name, listener);
  };
}

/** Below the bars: what lies in the range has another ground, with an edge on both sides. */
function drawRange({ ctx, bbox, valToPos }: uPlot, { start, end }: TimeRange, colors: PlotColors): void {
  const at = (millis: number) =>
    Math.min(Math.max(Math.round(valToPos(millis / 1_000, 'x', true)), bbox.left), bbox.left + bbox.width);
  const [left, right] = [at(start), at(end)];
  ctx.save();
  ctx.fillStyle = colors.fill;
  ctx.fillRect(left, bbox.top, right - left, bbox.height);
  ctx.fillStyle = colors.line;
  for (const edge of [left, right]) ctx.fillRect(edge - 1, bbox.top, 2, bbox.height);
  ctx.restore();
}

/** Each once: within a second, marks would all say the same. */
function clockTimes(splits: readonly number[], stepSeconds: number): string[] {
  const texts = splits.map((seconds) => clockTime(seconds * 1_000, stepSeconds));
  return texts.map((text, index) => (text === texts[index - 1] ? '' : text));
}

function clockTime(millis: number, stepSeconds: number): string {
  const text = formatTime(millis);
  if (stepSeconds >= 86_400) return text.slice(5, 10);
  if (stepSeconds < 60) return text.slice(11);
  // Midnight says which day begins.
  return text.slice(11, 16) === '00:00' ? text.slice(5, 10) : text.slice(11, 16);
}

function columnsOf({ times, values, openFrom }: TimelineData): uPlot.AlignedData {
  const part = (isOpen: boolean) => values.map((value, index) => (index >= openFrom === isOpen ? value : null));
  return [times as number[], part(false), part(true)];
}
