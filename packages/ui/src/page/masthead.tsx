import { useRef } from 'preact/hooks';
import { LabelFilters } from '../select/label-filters.js';
import { RangePicker } from '../select/range-picker.js';
import { ServicePicker } from '../select/service-picker.js';
import { toggleComparison } from '../view/toggle-comparison.js';
import { INITIAL_VIEW } from '../view/view-state.js';
import { THEMES, type Theme, type ThemeName } from './color-scheme.js';
import type { OpenDialog } from './page.js';
import type { PageStore } from './page-store.js';

interface MastheadProps {
  readonly store: PageStore;
  readonly theme: Theme;
  readonly openDialog: (dialog: OpenDialog) => void;
}

/** What is shown: service, type, labels, range. The same place on every page. */
export function Masthead({ store, theme, openDialog }: MastheadProps) {
  const isEmpty = store.isEmpty === true;
  const isStatus = store.view.get('page') === 'status';
  // A file and the status are of no service and of no time.
  const isElsewhere = isStatus || store.file.value !== undefined;
  const compare = store.view.get('compare');
  const labels = store.view.get('labels');
  return (
    <header class="masthead">
      {!isEmpty && !isElsewhere && (
        <a class="skip" href="#panes">
          Skip to the flame graph
        </a>
      )}
      <button
        type="button"
        class="brand"
        title="To the start"
        onClick={() => {
          store.file.value = undefined;
          store.view.change(INITIAL_VIEW);
        }}
      >
        <Flame />
        Pilotlight
      </button>
      {!isEmpty && !isElsewhere && (
        <>
          <ServicePicker store={store} />
          {/* While two are compared, each has filters and a range of its own. */}
          {compare === '' && (
            <>
              <LabelFilters
                labels={labels}
                onChange={(changed) => store.view.change({ labels: changed })}
                source={{ client: store.client, service: store.service.value, range: store.range.value }}
              />
              <RangePicker store={store} />
            </>
          )}
          <button
            type="button"
            aria-pressed={compare !== ''}
            title="Compare two times or two sets of labels (6)"
            onClick={() => toggleComparison(store.view)}
          >
            Compare
          </button>
        </>
      )}
      <div class="masthead-end">
        <OpenFile store={store} />
        <button
          type="button"
          aria-pressed={isStatus}
          onClick={() => {
            store.file.value = undefined;
            store.view.change({ page: isStatus ? 'profile' : 'status' });
          }}
        >
          Status
        </button>
        {!isEmpty && (
          <button type="button" onClick={() => openDialog('missing')}>
            Service missing?
          </button>
        )}
        <ThemePicker theme={theme} />
        <button
          type="button"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={() => openDialog('shortcuts')}
        >
          ?
        </button>
      </div>
    </header>
  );
}

function OpenFile({ store }: { store: PageStore }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" title="Or drop one on the page" onClick={() => input.current?.click()}>
        Open a file
      </button>
      <input
        type="file"
        hidden
        ref={input}
        onChange={(event) => {
          store.file.value = event.currentTarget.files?.[0];
          // The same file again is opened again.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

const THEME_TEXTS: Readonly<Record<ThemeName, string>> = { system: 'Theme: system', light: 'Light', dark: 'Dark' };

function ThemePicker({ theme }: { theme: Theme }) {
  return (
    <select
      aria-label="Theme"
      value={theme.choice.value}
      onChange={(event) => theme.choose(event.currentTarget.value as ThemeName)}
    >
      {THEMES.map((each) => (
        <option key={each} value={each}>
          {THEME_TEXTS[each]}
        </option>
      ))}
    </select>
  );
}

function Flame() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path class="flame-outer" d="M8 0c1 3 5 5 5 10a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 2 1 2 1-2 0-5 2-8z" />
      <path
        class="flame-inner"
        d="M8 8c.6 1.500 2.500 2.300 2.500 4.400a2.500 2.500 0 0 1-5 0C5.500 10.500 7.500 10 8 8z"
      />
    </svg>
  );
}
