import type { TimeRange } from '@pilotlight/protocol';
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { faultText } from '../page/fault-text.js';
import { createPlot, type Plot, type PlotMarks } from '../timeline/plot.js';
import { sentence } from '../timeline/timeline-text.js';
import { formatTime } from '../view/time-range.js';
import { SIDE_NAMES, SIDES, type Side } from './compare-data.js';
import type { CompareStore } from './compare-store.js';

const PLOT_HEIGHT = 84;

interface SideTimelineProps {
  readonly store: CompareStore;
  readonly side: Side;
  readonly dark: ReadonlySignal<boolean>;
  readonly onBrush: (start: number, end: number) => void;
  readonly total: ComponentChild;
}

/** What was measured in and around the range of a side, to the scale of both. Dragging over a stretch makes that the range. */
export function SideTimeline({ store, side, dark, onBrush, total }: SideTimelineProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | null>(null);
  const [point, setPoint] = useState('');
  const data = store.timelines[side].data.value;
  const fault = store.timelines[side].error.value;
  const range = store.ranges[side].value;
  const marks: PlotMarks = { range, top: largestOf(store) };
  const latest = useRef({ data, marks, onBrush });
  latest.current = { data, marks, onBrush };
  const hasData = data !== undefined;

  useEffect(() => {
    const element = place.current;
    const { current } = latest;
    if (element === null || current.data === undefined) return;
    const style = getComputedStyle(element);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const colours = {
      line: colour('--accent'),
      fill: colour('--accent-soft'),
      grid: colour('--line'),
      text: colour('--muted'),
    };
    const brush = (start: number, end: number) => latest.current.onBrush(start, end);
    const created = createPlot(element, current.data, PLOT_HEIGHT, colours, brush, setPoint, current.marks);
    plot.current = created;
    const observer = new ResizeObserver(() => created.resize(element.clientWidth));
    observer.observe(element);
    return () => {
      observer.disconnect();
      created.destroy();
      plot.current = null;
    };
    // Colours are the plot's own once it is made, so another scheme makes another plot.
  }, [store, side, hasData, dark.value]);

  useEffect(() => {
    if (data !== undefined) plot.current?.show(data, marks);
  }, [data, range, marks.top]);

  return (
    <>
      <p class="timeline-caption">
        <span class="muted">{shortRange(range)}</span>
        {total}
        <span class="muted timeline-point">{point || 'Drag to choose a time'}</span>
      </p>
      {fault && !store.profile.error.value && <p class="fault">The timeline could not be loaded: {faultText(fault)}</p>}
      <div
        class="timeline-plot"
        ref={place}
        role="img"
        aria-label={data ? `${SIDE_NAMES[side]} and what is around it: ${sentence(data)}` : 'Timeline'}
        style={{ height: `${PLOT_HEIGHT}px` }}
      />
    </>
  );
}

/** The day once, where it is the same. */
function shortRange({ start, end }: TimeRange): string {
  const [from, until] = [formatTime(start), formatTime(end)];
  return `${from} – ${from.slice(0, 10) === until.slice(0, 10) ? until.slice(11) : until}`;
}

/** Of both sides: bars of equal height are equal. */
function largestOf(store: CompareStore): number {
  let largest = 0;
  for (const side of SIDES) {
    for (const value of store.timelines[side].data.value?.values ?? []) {
      if (value !== null && value > largest) largest = value;
    }
  }
  return largest;
}
