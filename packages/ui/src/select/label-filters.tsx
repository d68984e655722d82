import { formatSelector, type MatcherOperator } from '@pilotlight/protocol';
import { useEffect, useId, useState } from 'preact/hooks';
import { sortLabels } from '../data/catalog.js';
import { printable } from '../names/printable.js';
import { faultText } from '../page/fault-text.js';
import type { PageStore } from '../page/page-store.js';
import { Popover } from '../page/popover.js';
import type { LabelFilter } from '../view/view-state.js';

const OPERATORS: readonly { readonly operator: MatcherOperator; readonly text: string }[] = [
  { operator: '=', text: 'is' },
  { operator: '!=', text: 'is not' },
  { operator: '=~', text: 'matches' },
  { operator: '!~', text: 'does not match' },
];

/** A list of thousands of pods is searched by typing, not by scrolling. */
const SUGGESTIONS_MAX = 500;

/** The conditions on labels, each with a way to take it off, and a way to add one. */
export function LabelFilters({ store }: { store: PageStore }) {
  const labels = store.view.get('labels');
  const set = (changed: readonly LabelFilter[]) => store.view.change({ labels: changed });
  return (
    <div class="filters">
      {labels.map((filter, index) => (
        <span class="chip" key={`${filter.name}${filter.operator}${filter.value}`}>
          <span class="chip-text">
            {printable(filter.name)} {filter.operator} <b>{printable(filter.value) || '""'}</b>
          </span>
          <button
            type="button"
            aria-label={`Remove filter ${filter.name} ${filter.operator} ${filter.value}`}
            onClick={() => set(labels.filter((_, at) => at !== index))}
          >
            ×
          </button>
        </span>
      ))}
      <Popover label="+ Filter" description="Add a label filter">
        {(close) => (
          <FilterForm
            store={store}
            onAdd={(filter) => {
              if (!labels.some((label) => isSame(label, filter))) set([...labels, filter]);
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

function FilterForm({ store, onAdd }: { store: PageStore; onAdd: (filter: LabelFilter) => void }) {
  const [names, setNames] = useState<readonly string[]>();
  const [name, setName] = useState('');
  const [operator, setOperator] = useState<MatcherOperator>('=');
  const [values, setValues] = useState<readonly string[]>([]);
  const [value, setValue] = useState('');
  const [fault, setFault] = useState('');
  const listId = useId();

  useEffect(() => {
    const abort = new AbortController();
    const fail = (thrown: unknown) => {
      if (!abort.signal.aborted) setFault(`The server did not name the labels: ${faultText(thrown)}`);
    };
    store.client.labelNames(store.range.peek(), [matcherOf(store)], abort.signal).then((found) => {
      if (abort.signal.aborted) return;
      const sorted = sortLabels(found);
      setNames(sorted);
      setName(sorted[0] ?? '');
    }, fail);
    return () => abort.abort();
  }, [store]);

  useEffect(() => {
    if (name === '') return;
    const abort = new AbortController();
    setValues([]);
    store.client.labelValues(name, store.range.peek(), [matcherOf(store)], abort.signal).then(
      (found) => {
        if (!abort.signal.aborted) setValues(found.sort());
      },
      (thrown: unknown) => {
        if (!abort.signal.aborted) setFault(`The server did not name the labels: ${faultText(thrown)}`);
      },
    );
    return () => abort.abort();
  }, [store, name]);

  if (fault !== '') return <p class="fault">{fault}</p>;
  if (names?.length === 0) return <p>The profiles of this service carry no labels in this range.</p>;
  return (
    <form
      class="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '') onAdd({ name, operator, value });
      }}
    >
      <label class="stacked">
        <span>Label</span>
        <select value={name} onChange={(event) => setName(event.currentTarget.value)}>
          {(names ?? []).map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <label class="stacked">
        <span>Condition</span>
        <select value={operator} onChange={(event) => setOperator(event.currentTarget.value as MatcherOperator)}>
          {OPERATORS.map((each) => (
            <option key={each.operator} value={each.operator}>
              {each.text}
            </option>
          ))}
        </select>
      </label>
      <label class="stacked">
        <span>Value</span>
        <input
          type="text"
          list={listId}
          value={value}
          autoComplete="off"
          spellcheck={false}
          placeholder={operator.endsWith('~') ? 'shop-.*' : ''}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <datalist id={listId}>
          {values.slice(0, SUGGESTIONS_MAX).map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </label>
      <button type="submit" class="primary">
        Add
      </button>
    </form>
  );
}

/** Only what the shown service has is offered. */
function matcherOf(store: PageStore): string {
  return formatSelector([{ name: 'service_name', operator: '=', value: store.service.peek() }]);
}
