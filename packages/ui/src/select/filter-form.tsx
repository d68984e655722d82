import { formatSelector, type MatcherOperator } from '@pilotlight/protocol';
import { useEffect, useId, useState } from 'preact/hooks';
import { sortLabels } from '../data/catalog.js';
import { faultText } from '../page/fault-text.js';
import { useFirstFocus } from '../page/popover.js';
import type { LabelFilter } from '../view/view-state.js';
import type { LabelSource } from './label-filters.js';

const OPERATORS: readonly { readonly operator: MatcherOperator; readonly text: string }[] = [
  { operator: '=', text: 'is' },
  { operator: '!=', text: 'is not' },
  { operator: '=~', text: 'matches' },
  { operator: '!~', text: 'does not match' },
];

/** A list of thousands of pods is searched by typing, not by scrolling. */
const SUGGESTIONS_MAX = 500;

/** A condition on a label: which, how, and what. */
export function FilterForm({ source, onAdd }: { source: LabelSource; onAdd: (filter: LabelFilter) => void }) {
  const [names, setNames] = useState<readonly string[]>();
  const [name, setName] = useState('');
  const [operator, setOperator] = useState<MatcherOperator>('=');
  const [values, setValues] = useState<readonly string[]>([]);
  const [value, setValue] = useState('');
  const [fault, setFault] = useState('');
  const listId = useId();
  const root = useFirstFocus<HTMLFormElement>();
  // As it was when the form opened: a refresh must not empty it.
  const [{ client, service, range }] = useState(source);
  const matcher = formatSelector([{ name: 'service_name', operator: '=', value: service }]);

  useEffect(() => {
    const abort = new AbortController();
    const fail = (thrown: unknown) => {
      if (!abort.signal.aborted) setFault(`The server did not name the labels: ${faultText(thrown)}`);
    };
    client.labelNames(range, [matcher], abort.signal).then((found) => {
      if (abort.signal.aborted) return;
      const sorted = sortLabels(found);
      setNames(sorted);
      setName(sorted[0] ?? '');
    }, fail);
    return () => abort.abort();
  }, [client, range, matcher]);

  useEffect(() => {
    if (name === '') return;
    const abort = new AbortController();
    setValues([]);
    client.labelValues(name, range, [matcher], abort.signal).then(
      (found) => {
        if (!abort.signal.aborted) setValues(found.sort());
      },
      (thrown: unknown) => {
        if (!abort.signal.aborted) setFault(`The server did not name the labels: ${faultText(thrown)}`);
      },
    );
    return () => abort.abort();
  }, [client, range, matcher, name]);

  if (fault !== '') return <p class="fault">{fault}</p>;
  if (names?.length === 0) return <p>The profiles of this service carry no labels in this range.</p>;
  return (
    <form
      class="filter-form"
      ref={root}
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
      <button type="submit" class="primary" disabled={name === ''}>
        Add
      </button>
    </form>
  );
}
