import type { TimeRange } from '@pilotlight/protocol';
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import { faultText } from '../page/fault-text.js';
import { TimelinePlot } from '../timeline/timeline-plot.js';
import { sentence } from '../timeline/timeline-text.js';
import { fixedRange, formatTime, type RangeChoice, widerRange } from '../view/time-range.js';
import { SIDE_NAMES, SIDES, type Side } from './compare-data.js';
import type { CompareStore } from './compare-store.js';

const PLOT_HEIGHT = 84;

interface SideTimelineProps {
  readonly store: CompareStore;
  readonly side: Side;
  readonly dark: ReadonlySignal<boolean>;
  readonly onChoose: (range: RangeChoice) => void;
  readonly total: ComponentChild;
}

/** What was measured in and around the range of a side, to the scale of both. A stretch that is marked in it becomes the range. */
export function SideTimeline({ store, side, dark, onChoose, total }: SideTimelineProps) {
  const [point, setPoint] = useState('');
  const data = store.timelines[side].data.value;
  const fault = store.timelines[side].error.value;
  const range = store.ranges[side].value;
  return (
    <>
      <p class="timeline-caption">
        <span class="muted" title={shortRange(range)}>
          {shortRange(range)}
        </span>
        {total}
        <span class="muted timeline-point">{point || 'Drag to choose a time'}</span>
      </p>
      {fault && !store.profile.error.value && <p class="fault">The timeline could not be loaded: {faultText(fault)}</p>}
      <TimelinePlot
        data={data}
        marks={{ range, top: largestOf(store) }}
        height={PLOT_HEIGHT}
        label={
          data ? `${SIDE_NAMES[side]} and what is around it: ${sentence(data)}` : `Timeline of ${SIDE_NAMES[side]}`
        }
        enter="chooses it"
        dark={dark}
        onBrush={(start, end) => {
          const chosen = fixedRange(start, Math.max(end, start + 1_000));
          if (chosen !== undefined) onChoose(chosen);
        }}
        onWiden={() => onChoose(widerRange(range, store.page.clock.now.peek()))}
        onPoint={setPoint}
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
