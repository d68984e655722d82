import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { FlameGraph } from '../flame/flame-graph.js';
import { graphActions } from '../flame/use-flame-actions.js';
import { faultText } from '../page/fault-text.js';
import { NothingHere } from '../page/nothing-here.js';
import type { PageStore } from '../page/page-store.js';
import { SearchBox } from '../search/search-box.js';
import type { FoundMatches } from '../search/search-state.js';
import { startSearch } from '../search/start-search.js';
import { ChangesTable } from './changes-table.js';
import { CompareBar } from './compare-bar.js';
import { type CompareData, emptySides, SIDES } from './compare-data.js';
import { matchedText } from './compare-search.js';
import { CompareSide } from './compare-side.js';
import { CompareStore } from './compare-store.js';
import { DiffLegend } from './diff-legend.js';
import { type Notice, notices } from './notices.js';

interface CompareViewProps {
  readonly store: PageStore;
  readonly dark: ReadonlySignal<boolean>;
  readonly openHelp: () => void;
  readonly openMissing: () => void;
}

/** Two times, or two sets of labels, of one profile type: a timeline each, then what changed from the left to the right. */
export function CompareView({ store: page, dark, openHelp, openMissing }: CompareViewProps) {
  const store = useMemo(() => new CompareStore(page, startSearch()), [page]);
  useEffect(() => () => store.stop(), [store]);
  const searchInput = useRef<HTMLInputElement>(null);
  const actions = useMemo(() => graphActions(store, { searchInput, openHelp }), [store]);
  const data = store.profile.data.value;
  const isCompared = data !== undefined && emptySides(data).length < SIDES.length;
  const panes = store.view.get('panes');
  const title = page.profileType.value?.title ?? '';

  useEffect(() => {
    document.title = `${page.service.value} · ${title} compared · Pilotlight`;
  }, [page.service.value, title]);

  return (
    <main class="profile compare">
      <h1 class="visually-hidden">Comparison of profiles of {page.service.value || 'no service'}</h1>
      <div class="compare-sides">
        {SIDES.map((side) => (
          <CompareSide key={side} store={store} side={side} dark={dark} />
        ))}
      </div>
      <div class="toolbar">
        <SearchBox store={store} input={searchInput} share={(found) => shareOf(found, store)} />
        <CompareBar store={store} />
      </div>
      <Notices store={store} data={data} />
      {isCompared && <DiffLegend store={store} data={data} dark={dark.value} />}
      {/* Takes the focus from the link that skips what is above. */}
      <div
        class={`panes panes-${isCompared ? panes : 'none'}`}
        id="panes"
        tabIndex={-1}
        aria-busy={store.profile.loading.value}
      >
        {!isCompared && <NothingToCompare store={store} openMissing={openMissing} />}
        {isCompared && panes !== 'table' && (
          <FlameGraph store={store} profile={data} face={store.face} dark={dark} actions={actions} />
        )}
        {isCompared && panes !== 'graph' && <ChangesTable store={store} data={data} dark={dark.value} />}
      </div>
    </main>
  );
}

/** What to ask for instead is what to ask of B. */
function NothingToCompare({ store, openMissing }: { store: CompareStore; openMissing: () => void }) {
  if (store.profile.loading.value) return <p class="nothing muted">Loading …</p>;
  if (store.profile.error.value !== undefined) return <div class="nothing" />;
  return <NothingHere store={store.page} openMissing={openMissing} />;
}

function shareOf(found: FoundMatches, store: CompareStore): string {
  const data = store.profile.data.value;
  return data === undefined || found.profile !== data ? '' : matchedText(data, found.names);
}

function Notices({ store, data }: { store: CompareStore; data: CompareData | undefined }) {
  const fault = store.page.catalog.error.value ?? store.profile.error.value;
  const said: Notice[] = data === undefined || store.profile.loading.value ? [] : notices(store, data);
  const frame = store.flame.notice;
  return (
    <div role="status" class="faults">
      {fault && <p class="fault">The server did not answer the question: {faultText(fault)}</p>}
      {said.map((each) => (
        <p class="notice" key={each.text}>
          {each.text}
        </p>
      ))}
      {frame && <p class="notice">{frame}</p>}
    </div>
  );
}
