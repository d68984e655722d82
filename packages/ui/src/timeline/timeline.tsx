import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TimelineData } from '../data/timeline-data.js';
import { faultText } from '../page/fault-text.js';
import type { PageStore } from '../page/page-store.js';
import { fixedRange } from '../view/time-range.js';
import type { Plot } from './plot.js';
import { captionText, sentence } from './timeline-text.js';

const PLOT_HEIGHT = 92;

interface TimelineProps {
  readonly store: PageStore;
  readonly dark: ReadonlySignal<boolean>;
}

/** What was measured over the range. Dragging over a stretch of it makes that the range; the back button returns. */
export function Timeline({ store, dark }: TimelineProps) {
  const place = useRef<HTMLDivElement>(null);
  const [point, setPoint] = useState('');
  const data = store.timeline.data.value;
  const fault = store.timeline.error.value;
  const isDark = dark.value;
  const latest = useRef(data);
  latest.current = data;
  const plot = useRef<Plot | null>(null);
  const hasData = data !== undefined;
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    const element = place.current;
    if (element === null || !hasData || hasFailed) return;
    let isGone = false;
    const observer = new ResizeObserver(() => plot.current?.resize(element.clientWidth));
    // Only now: the plot is no part of the first load.
    const drawWith = ({ createPlot }: typeof import('./plot.js')) => {
      if (isGone || latest.current === undefined) return;
      const style = getComputedStyle(element);
      const color = (name: string) => style.getPropertyValue(name).trim();
      const colors = {
        line: color('--accent'),
        fill: color('--accent-soft'),
        grid: color('--line'),
        text: color('--muted'),
      };
      const onBrush = (start: number, end: number) => {
        const range = fixedRange(start, Math.max(end, start + 1_000));
        if (range !== undefined) store.view.change({ range });
      };
      plot.current = createPlot(element, latest.current, PLOT_HEIGHT, colors, onBrush, setPoint);
      observer.observe(element);
    };
    import('./plot.js').then(drawWith, () => {
      if (!isGone) setFailed(true);
    });
    return () => {
      isGone = true;
      observer.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
    // Colours are the plot's own once it is made, so another scheme makes another plot.
  }, [store, hasData, isDark, hasFailed]);

  useEffect(() => {
    if (data !== undefined) plot.current?.show(data);
    // The plot's code did not come, but something newer has: so it may come now.
    setFailed(false);
  }, [data]);

  return (
    <section class="timeline" aria-label="Timeline">
      <TimelineCaption data={data} point={point} isKnown={!store.timeline.loading.value && fault === undefined} />
      {/* What fails alike is said once, above the graph. */}
      {fault && !store.profile.error.value && <p class="fault">The timeline could not be loaded: {faultText(fault)}</p>}
      <div
        class="timeline-plot"
        ref={place}
        role="img"
        aria-label={data ? sentence(data) : 'Timeline'}
        style={{ height: `${PLOT_HEIGHT}px` }}
      />
    </section>
  );
}

interface TimelineCaptionProps {
  readonly data: TimelineData | undefined;
  readonly point: string;
  /** Whether the data are the answer to what was asked last. */
  readonly isKnown: boolean;
}

function TimelineCaption({ data, point, isKnown }: TimelineCaptionProps) {
  const caption = data && captionText(data);
  if (data === undefined || caption === undefined) {
    return <p class="timeline-caption muted">{isKnown ? 'No data in this range' : '…'}</p>;
  }
  return (
    <p class="timeline-caption" title={caption.explanation}>
      <b>{data.type.title}</b>
      <span>
        {caption.mean}
        {caption.note && <span class="muted"> {caption.note}</span>}
      </span>
      <span>{caption.peak}</span>
      <span class="muted timeline-point">{point || 'Drag over the plot to zoom in'}</span>
    </p>
  );
}
