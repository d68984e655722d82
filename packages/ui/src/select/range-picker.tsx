import type { ComponentChildren } from 'preact';
import { loaded } from '../page/loaded.js';
import type { PageStore } from '../page/page-store.js';
import { Popover } from '../page/popover.js';
import { describeRange, RANGE_PRESETS, type RangeChoice, widerRange } from '../view/time-range.js';

const RangeForm = loaded(() => import('./range-form.js').then((module) => module.RangeForm));

const REFRESHES = [
  { seconds: 0, text: 'Refresh: off' },
  { seconds: 10, text: 'Every 10 s' },
  { seconds: 30, text: 'Every 30 s' },
  { seconds: 60, text: 'Every minute' },
];

/** The time range, how to widen it, and how often it moves along. */
export function RangePicker({ store }: { store: PageStore }) {
  const range = store.view.get('range');
  const refreshSeconds = store.view.get('refreshSeconds');
  const paused = store.clock.paused.value;
  const isLast = range.kind === 'last';
  return (
    <div class="range">
      <Popover label={describeRange(range)} description={`Time range: ${describeRange(range)}`} class="range-popover">
        {(close) => {
          const choose = (chosen: RangeChoice) => {
            store.view.change({ range: chosen });
            close();
          };
          return (
            <RangeForm current={store.range.peek()} onChoose={choose} onFailed={close}>
              {RANGE_PRESETS.map(({ seconds, label }) => (
                <RangePreset
                  key={seconds}
                  onChoose={() => {
                    store.clock.tick();
                    choose({ kind: 'last', seconds });
                  }}
                >
                  {label}
                </RangePreset>
              ))}
            </RangeForm>
          );
        }}
      </Popover>
      <button
        type="button"
        aria-label="Twice the range"
        title="Twice the range"
        onClick={() => store.view.change({ range: widerRange(store.range.peek(), store.clock.now.peek()) })}
      >
        −
      </button>
      <button type="button" aria-label="Refresh now" title="Refresh now" onClick={() => store.clock.tick()}>
        ↻
      </button>
      <select
        aria-label="Automatic refresh"
        value={isLast ? refreshSeconds : 0}
        disabled={!isLast}
        title={isLast ? undefined : 'A fixed range does not move along'}
        onChange={(event) => {
          store.clock.paused.value = false;
          store.view.change({ refreshSeconds: Number(event.currentTarget.value) }, 'replace');
        }}
      >
        {REFRESHES.some(({ seconds }) => seconds === refreshSeconds) || (
          <option value={refreshSeconds}>Every {refreshSeconds} s</option>
        )}
        {REFRESHES.map(({ seconds, text }) => (
          <option key={seconds} value={seconds}>
            {text}
          </option>
        ))}
      </select>
      {isLast && refreshSeconds > 0 && (
        <button
          type="button"
          aria-pressed={paused}
          onClick={() => {
            store.clock.paused.value = !paused;
          }}
        >
          {paused ? 'Resume' : 'Pause'}
        </button>
      )}
    </div>
  );
}

export function RangePreset({ onChoose, children }: { onChoose: () => void; children: ComponentChildren }) {
  return (
    <li>
      <button type="button" onClick={onChoose}>
        {children}
      </button>
    </li>
  );
}
