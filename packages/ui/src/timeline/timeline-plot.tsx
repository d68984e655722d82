import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TimelineData } from '../data/timeline-data.js';
import { describeRange, formatTime } from '../view/time-range.js';
import { type Brush, brushedRange, moveBrush, NO_BRUSH } from './brush.js';
import { createPlot, type Plot, type PlotMarks } from './plot.js';
import { pointText } from './timeline-text.js';

interface TimelinePlotProps {
  readonly data: TimelineData | undefined;
  readonly marks?: PlotMarks;
  readonly height: number;
  /** Said to those who cannot see it. */
  readonly label: string;
  /** What Enter does with a stretch that keys have marked. */
  readonly enter: string;
  readonly dark: ReadonlySignal<boolean>;
  /** Somebody marked a stretch, with the pointer or by keys. In milliseconds. */
  readonly onBrush: (start: number, end: number) => void;
  readonly onWiden: () => void;
  /** What is under the pointer, or marked by keys, in words; empty: nothing. */
  readonly onPoint: (text: string) => void;
}

/** The bars of a timeline, and ways to mark a stretch of it. */
export function TimelinePlot(props: TimelinePlotProps) {
  const { data, marks, height, label, enter, dark, onWiden } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const [brush, setBrush] = useState<Brush>(NO_BRUSH);
  const latest = useRef(props);
  latest.current = props;
  const hasData = data !== undefined;
  const isDark = dark.value;

  useEffect(() => {
    const element = place.current;
    const { current } = latest;
    if (element === null || current.data === undefined) return;
    const color = (name: string) => colorOf(element, name);
    const colors = {
      line: color('--accent'),
      fill: color('--accent-soft'),
      grid: color('--line'),
      text: color('--muted'),
    };
    const onBrush = (start: number, end: number) => latest.current.onBrush(start, end);
    const onPoint = (text: string) => latest.current.onPoint(text);
    const created = createPlot(element, current.data, height, colors, onBrush, onPoint, current.marks);
    plot.current = created;
    const observer = new ResizeObserver(() => created.resize(element.clientWidth));
    observer.observe(element);
    return () => {
      observer.disconnect();
      created.destroy();
      plot.current = null;
    };
    // Colours are the plot's own once it is made, so another scheme makes another plot.
  }, [hasData, isDark, height]);

  useEffect(() => {
    if (data !== undefined) plot.current?.show(data, marks);
  }, [data, marks?.range, marks?.top]);
  useEffect(() => setBrush(NO_BRUSH), [data]);
  useEffect(() => {
    plot.current?.mark(brush);
    latest.current.onPoint(brush === NO_BRUSH || data === undefined ? '' : markedText(data, brush, enter));
  }, [brush]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (data === undefined) return;
    const moved = moveBrush(brush, event.key, event.shiftKey, data.times.length);
    if (moved !== undefined) setBrush(moved);
    else if (event.key === 'Enter' && brush !== NO_BRUSH) props.onBrush(...brushedRange(data, brush));
    else if (event.key === 'Escape' && brush !== NO_BRUSH) setBrush(NO_BRUSH);
    else if (event.key === '-') onWiden();
    else return;
    event.preventDefault();
  };
  const step = Math.max(brush.at, 0);
  return (
    <div
      class="timeline-plot"
      ref={place}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-description={`Arrow keys walk from step to step, with Shift they mark a stretch, Enter ${enter}, minus zooms out.`}
      aria-valuemin={0}
      aria-valuemax={Math.max((data?.times.length ?? 1) - 1, 0)}
      aria-valuenow={step}
      aria-valuetext={data === undefined ? '' : markedText(data, { ...brush, at: step }, enter)}
      style={{ height: `${height}px` }}
      onKeyDown={onKeyDown}
      onBlur={() => setBrush(NO_BRUSH)}
    />
  );
}

/** A colour of the style sheet as a canvas takes it. */
function colorOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}

function markedText(data: TimelineData, brush: Brush, enter: string): string {
  if (brush.anchor === brush.at || brush.anchor === -1) {
    return pointText(data, brush.at) || `${formatTime((data.times[brush.at] ?? 0) * 1_000)}  no data`;
  }
  const [start, end] = brushedRange(data, brush);
  return `${describeRange({ kind: 'fixed', start, end })}: Enter ${enter}`;
}
