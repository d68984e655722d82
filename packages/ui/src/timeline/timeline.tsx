import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import type { TimelineData } from '../data/timeline-data.js';
import { faultText } from '../page/fault-text.js';
import type { PageStore } from '../page/page-store.js';
import { describeRange, fixedRange, type RangeChoice, widerRange } from '../view/time-range.js';
import { TimelinePlot } from './timeline-plot.js';
import { captionText, sentence } from './timeline-text.js';

const PLOT_HEIGHT = 92;

interface TimelineProps {
  readonly store: PageStore;
  readonly dark: ReadonlySignal<boolean>;
}

/** A range that was marked in the plot, and the one it was marked in. */
interface Brushed {
  readonly before: RangeChoice;
  readonly after: RangeChoice;
}

/** What was measured over the range. Dragging over a stretch of it, or marking one by keys, makes that the range. */
export function Timeline({ store, dark }: TimelineProps) {
  const [point, setPoint] = useState('');
  const [brushed, setBrushed] = useState<readonly Brushed[]>([]);
  const data = store.timeline.data.value;
  const fault = store.timeline.error.value;

  const zoomTo = (start: number, end: number) => {
    const after = fixedRange(start, Math.max(end, start + 1_000));
    if (after === undefined) return;
    const before = store.view.peek().range;
    setBrushed((earlier) => [...earlier, { before, after }]);
    store.view.change({ range: after });
  };

  const last = brushed[brushed.length - 1];
  const isBrushed = last !== undefined && describeRange(last.after) === describeRange(store.view.get('range'));
  return (
    <>
      <TimelineCaption
        data={data}
        point={point}
        isKnown={!store.timeline.loading.value && fault === undefined}
        back={
          isBrushed && (
            <button
              type="button"
              onClick={() => {
                setBrushed(brushed.slice(0, -1));
                store.view.change({ range: last.before });
              }}
            >
              Back to {describeRange(last.before)}
            </button>
          )
        }
      />
      {/* What fails alike is said once, above the graph. */}
      {fault && !store.profile.error.value && <p class="fault">The timeline could not be loaded: {faultText(fault)}</p>}
      <TimelinePlot
        data={data}
        height={PLOT_HEIGHT}
        label={data ? sentence(data) : 'Timeline'}
        enter="zooms to it"
        dark={dark}
        onBrush={zoomTo}
        onWiden={() => store.view.change({ range: widerRange(store.range.peek(), store.clock.now.peek()) })}
        onPoint={setPoint}
      />
    </>
  );
}

interface TimelineCaptionProps {
  readonly data: TimelineData | undefined;
  readonly point: string;
  /** Whether the data are the answer to what was asked last. */
  readonly isKnown: boolean;
  readonly back: ComponentChild;
}

function TimelineCaption({ data, point, isKnown, back }: TimelineCaptionProps) {
  const caption = data && captionText(data);
  if (data === undefined || caption === undefined) {
    return (
      <p class="timeline-caption muted">
        {isKnown ? 'No data in this range' : '…'} {back}
      </p>
    );
  }
  return (
    <p class="timeline-caption" title={caption.explanation}>
      <b>{data.type.title}</b>
      <span>
        {caption.mean}
        {caption.note && <span class="muted"> {caption.note}</span>}
      </span>
      <span>{caption.peak}</span>
      {back}
      <span class="muted timeline-point">{point || 'Drag over the plot to zoom in'}</span>
    </p>
  );
}
