import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TimelineData } from '../data/timeline-data.js';
import { faultText } from '../page/fault-text.js';
import type { PageStore } from '../page/page-store.js';
import { describeRange, fixedRange, formatTime, type RangeChoice, widerRange } from '../view/time-range.js';
import { type Brush, brushedRange, moveBrush, NO_BRUSH } from './brush.js';
import { createPlot, type Plot } from './plot.js';
import { captionText, pointText, sentence } from './timeline-text.js';

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
  const place = useRef<HTMLDivElement>(null);
  const [point, setPoint] = useState('');
  const [brushed, setBrushed] = useState<readonly Brushed[]>([]);
  const [brush, setBrush] = useState<Brush>(NO_BRUSH);
  const data = store.timeline.data.value;
  const fault = store.timeline.error.value;
  const isDark = dark.value;
  const latest = useRef(data);
  latest.current = data;
  const plot = useRef<Plot | null>(null);
  const hasData = data !== undefined;

  const zoomTo = (start: number, end: number) => {
    const after = fixedRange(start, Math.max(end, start + 1_000));
    if (after === undefined) return;
    const before = store.view.peek().range;
    setBrushed((earlier) => [...earlier, { before, after }]);
    store.view.change({ range: after });
  };

  useEffect(() => {
    const element = place.current;
    if (element === null || latest.current === undefined) return;
    const color = (name: string) => colorOf(element, name);
    const colors = {
      line: color('--accent'),
      fill: color('--accent-soft'),
      grid: color('--line'),
      text: color('--muted'),
    };
    const created = createPlot(element, latest.current, PLOT_HEIGHT, colors, zoomTo, setPoint);
    plot.current = created;
    const observer = new ResizeObserver(() => created.resize(element.clientWidth));
    observer.observe(element);
    return () => {
      observer.disconnect();
      created.destroy();
      plot.current = null;
    };
    // Colours are the plot's own once it is made, so another scheme makes another plot.
  }, [store, hasData, isDark]);

  useEffect(() => {
    if (data !== undefined) plot.current?.show(data);
    setBrush(NO_BRUSH);
  }, [data]);
  useEffect(() => plot.current?.mark(brush), [brush]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (data === undefined) return;
    const moved = moveBrush(brush, event.key, event.shiftKey, data.times.length);
    if (moved !== undefined) setBrush(moved);
    else if (event.key === 'Enter' && brush !== NO_BRUSH) zoomTo(...brushedRange(data, brush));
    else if (event.key === 'Escape' && brush !== NO_BRUSH) setBrush(NO_BRUSH);
    else if (event.key === '-') {
      store.view.change({ range: widerRange(store.range.peek(), store.clock.now.peek()) });
    } else return;
    event.preventDefault();
  };

  const last = brushed[brushed.length - 1];
  const isBrushed = last !== undefined && describeRange(last.after) === describeRange(store.view.get('range'));
  const step = Math.max(brush.at, 0);
  return (
    <>
      <TimelineCaption
        data={data}
        point={brush === NO_BRUSH || data === undefined ? point : markedText(data, brush)}
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
      <div
        class="timeline-plot"
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={data ? sentence(data) : 'Timeline'}
        aria-description="Arrow keys walk from step to step, with Shift they mark a stretch, Enter zooms to it, minus zooms out."
        aria-valuemin={0}
        aria-valuemax={Math.max((data?.times.length ?? 1) - 1, 0)}
        aria-valuenow={step}
        aria-valuetext={data === undefined ? '' : markedText(data, { ...brush, at: step })}
        style={{ height: `${PLOT_HEIGHT}px` }}
        onKeyDown={onKeyDown}
        onBlur={() => setBrush(NO_BRUSH)}
      />
    </>
  );
}

/** A colour of the style sheet as a canvas takes it. */
function colorOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}

function markedText(data: TimelineData, brush: Brush): string {
  if (brush.anchor === brush.at || brush.anchor === -1) {
    return pointText(data, brush.at) || `${formatTime((data.times[brush.at] ?? 0) * 1_000)}  no data`;
  }
  const [start, end] = brushedRange(data, brush);
  return `${describeRange({ kind: 'fixed', start, end })}: Enter zooms to it`;
}

interface TimelineCaptionProps {
  readonly data: TimelineData | undefined;
  readonly point: string;
  /** Whether the data are the answer to what was asked last. */
  readonly isKnown: boolean;
  readonly back: preact.ComponentChild;
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
