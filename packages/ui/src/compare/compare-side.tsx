import type { ReadonlySignal } from '@preact/signals';
import { Popover } from '../page/popover.js';
import { LabelFilters } from '../select/label-filters.js';
import { RangeForm } from '../select/range-form.js';
import { RangePicker, RangePreset } from '../select/range-picker.js';
import { formatValue } from '../values/scale.js';
import { formatTime } from '../view/time-range.js';
import { emptySides, SIDE_NAMES, type Side } from './compare-data.js';
import type { CompareStore } from './compare-store.js';
import { BASELINE_PRESETS, type BaselineRange, describeBaseline } from './comparison.js';
import { nodeText } from './diff-text.js';
import { SideTimeline } from './side-timeline.js';

const ROLES: Readonly<Record<Side, string>> = { left: 'baseline', right: 'comparison' };

interface CompareSideProps {
  readonly store: CompareStore;
  readonly side: Side;
  readonly dark: ReadonlySignal<boolean>;
}

/** One of the two: which time, which labels, what it comes to, and where that lies in time. */
export function CompareSide({ store, side, dark }: CompareSideProps) {
  const { page } = store;
  const name = SIDE_NAMES[side];
  const { labels: leftLabels, service } = store.comparison.value;
  const source = {
    client: page.client,
    service: (side === 'left' && service) || page.service.value,
    range: store.ranges[side].value,
  };
  return (
    <section class="timeline compare-side" aria-label={`${name}, ${ROLES[side]}`}>
      <div class="compare-side-head">
        <h2>
          <span class="side-badge">{name}</span> {ROLES[side]}
        </h2>
        {side === 'left' ? <BaselinePicker store={store} /> : <RangePicker store={page} />}
        {side === 'left' && <BaselineService store={store} />}
        <LabelFilters
          labels={side === 'left' ? leftLabels : store.view.get('labels')}
          onChange={(labels) => (side === 'left' ? store.change({ labels }) : store.changeRight({ labels }))}
          source={source}
          of={` of ${name}`}
        />
      </div>
      <SideTimeline
        store={store}
        side={side}
        dark={dark}
        onChoose={(range) => (side === 'left' ? store.change({ range }) : store.changeRight({ range }))}
        total={<SideTotal store={store} side={side} />}
      />
    </section>
  );
}

function SideTotal({ store, side }: { store: CompareStore; side: Side }) {
  const data = store.profile.data.value;
  const { start, end } = store.ranges[side].value;
  return (
    <span>
      {data && (
        <>
          <b>{formatValue(data.diff[side].total[0] as number, data.unit)}</b>
          {data.notes[side] && `, ${data.notes[side]}`}
        </>
      )}{' '}
      <span class="muted">over {formatValue((end - start) * 1e6, 'nanoseconds')}</span>
      {side === 'right' && data && emptySides(data).length === 0 && (
        <>
          , <b>{nodeText(data, 0, 'total').valueFactor || 'as much'}</b>
        </>
      )}
    </span>
  );
}

/** Offered only where another service could be chosen, or was. */
function BaselineService({ store }: { store: CompareStore }) {
  const { page } = store;
  const shown = page.service.value;
  const { service } = store.comparison.value;
  const others = [...(page.catalog.data.value?.keys() ?? [])].filter((each) => each !== shown && each !== service);
  if (others.length === 0 && service === '') return null;
  return (
    <select
      aria-label="Service of A"
      value={service}
      onChange={(event) => store.change({ service: event.currentTarget.value })}
    >
      <option value="">{shown}</option>
      {service !== '' && <option value={service}>{service}</option>}
      {others.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

function BaselinePicker({ store }: { store: CompareStore }) {
  const { range } = store.comparison.value;
  const { start, end } = store.ranges.left.value;
  const label = describeBaseline(range);
  return (
    <Popover
      label={label}
      description={`Time range of A: ${label}, ${formatTime(start)} – ${formatTime(end)}`}
      class="range-popover"
    >
      {(close) => {
        const choose = (chosen: BaselineRange) => {
          store.change({ range: chosen });
          close();
        };
        return (
          <RangeForm current={store.ranges.left.peek()} onChoose={choose}>
            {BASELINE_PRESETS.map((preset) => (
              <RangePreset key={preset.label} onChoose={() => choose({ kind: 'before', seconds: preset.seconds })}>
                {preset.label}
              </RangePreset>
            ))}
          </RangeForm>
        );
      }}
    </Popover>
  );
}
