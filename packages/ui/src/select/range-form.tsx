import type { TimeRange } from '@pilotlight/protocol';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useFirstFocus } from '../page/popover.js';
import { fixedRange, localIso, type RangeChoice } from '../view/time-range.js';

interface RangeFormProps {
  readonly current: TimeRange;
  readonly onChoose: (range: RangeChoice) => void;
  /** The presets. */
  readonly children: ComponentChildren;
}

/** The last while, or a fixed stretch of time. */
export function RangeForm({ current, onChoose, children }: RangeFormProps) {
  const [from, setFrom] = useState(localIso(current.start));
  const [until, setUntil] = useState(localIso(current.end));
  const fixed = fixedRange(new Date(from).getTime(), new Date(until).getTime());
  const root = useFirstFocus<HTMLDivElement>();
  return (
    <div class="range-form" ref={root}>
      <ul class="presets">{children}</ul>
      <form
        class="fixed-range"
        onSubmit={(event) => {
          event.preventDefault();
          if (fixed !== undefined) onChoose(fixed);
        }}
      >
        <label class="stacked">
          <span>From</span>
          <input type="datetime-local" step="1" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
        </label>
        <label class="stacked">
          <span>Until</span>
          <input
            type="datetime-local"
            step="1"
            value={until}
            onInput={(event) => setUntil(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={fixed === undefined}>
          Apply
        </button>
        {fixed === undefined && <p class="fault">The end must be at least a second after the start.</p>}
      </form>
    </div>
  );
}
