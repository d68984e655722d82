import type { PilotlightClient, TimeRange } from '@pilotlight/protocol';
import { printable } from '../names/printable.js';
import { loaded } from '../page/loaded.js';
import { Popover } from '../page/popover.js';
import type { LabelFilter } from '../view/view-state.js';

const FilterForm = loaded(() => import('./filter-form.js').then((module) => module.FilterForm));

/** Where the labels that are offered come from: only what the service has in the range. */
export interface LabelSource {
  readonly client: PilotlightClient;
  readonly service: string;
  readonly range: TimeRange;
}

interface LabelFiltersProps {
  readonly labels: readonly LabelFilter[];
  readonly onChange: (labels: readonly LabelFilter[]) => void;
  readonly source: LabelSource;
  /** Of what, where there are several; begins with a blank. */
  readonly of?: string;
}

/** The conditions on labels, each with a way to take it off, and a way to add one. */
export function LabelFilters({ labels, onChange, source, of = '' }: LabelFiltersProps) {
  return (
    <div class="filters">
      {labels.map((filter, index) => (
        <span class="chip" key={`${filter.name}${filter.operator}${filter.value}`}>
          <span class="chip-text">
            {printable(filter.name)} {filter.operator} <b>{printable(filter.value) || '""'}</b>
          </span>
          <button
            type="button"
            aria-label={`Remove filter ${filter.name} ${filter.operator} ${filter.value}${of}`}
            onClick={() => onChange(labels.filter((_, at) => at !== index))}
          >
            ×
          </button>
        </span>
      ))}
      <Popover label="+ Filter" description={`Add a label filter${of}`}>
        {(close) => (
          <FilterForm
            source={source}
            onFailed={close}
            onAdd={(filter) => {
              if (!labels.some((label) => isSame(label, filter))) onChange([...labels, filter]);
              close();
            }}
          />
        )}
      </Popover>
    </div>
  );
}

function isSame(a: LabelFilter, b: LabelFilter): boolean {
  return a.name === b.name && a.operator === b.operator && a.value === b.value;
}
