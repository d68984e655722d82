import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FlameGraph } from '../flame/flame-graph.js';
import type { FlameKeyActions } from '../flame/flame-keys.js';
import { PROFILE_FACE } from '../flame/profile-face.js';
import { SearchBox, shareOfTotal } from '../search/search-box.js';
import { FunctionTable } from '../table/function-table.js';
import { Timeline } from '../timeline/timeline.js';
import { copyText } from './copy-text.js';
import { faultText } from './fault-text.js';
import { loaded } from './loaded.js';
import { Masthead } from './masthead.js';
import { Message } from './message.js';
import { NothingHere } from './nothing-here.js';
import type { PageStore } from './page-store.js';
import { ProfileBar } from './profile-bar.js';

interface PageProps {
  readonly store: PageStore;
  readonly dark: ReadonlySignal<boolean>;
  /** Of this server, as programs reach it. */
  readonly address: string;
}

// Seldom seen, so no part of the first load.
const StartPage = loaded(() => import('../start/start-page.js').then((module) => module.StartPage));
const MissingServiceDialog = loaded(() => import('../start/refusals.js').then((module) => module.MissingServiceDialog));
const CompareView = loaded(() => import('../compare/compare-view.js').then((module) => module.CompareView));
const ShortcutsDialog = loaded(() => import('./shortcuts-dialog.js').then((module) => module.ShortcutsDialog));

export type OpenDialog = 'none' | 'missing' | 'shortcuts';

export function Page({ store, dark, address }: PageProps) {
  const [dialog, setDialog] = useState<OpenDialog>('none');
  const searchInput = useRef<HTMLInputElement>(null);
  const actions = useFlameKeyActions(store, searchInput, () => setDialog('shortcuts'));
  const profile = store.profile.data.value;
  const panes = store.view.get('panes');

  useEffect(() => {
    const type = store.profileType.value?.title;
    const service = store.service.value;
    document.title = service === '' ? 'Pilotlight' : `${service} · ${type ?? ''} · Pilotlight`;
  }, [store.service.value, store.profileType.value]);

  const close = () => setDialog('none');
  const sayAway = () => store.say('This part of the page could not be loaded: the server cannot be reached');
  const closeFailed = () => {
    close();
    sayAway();
  };
  return (
    <>
      <Masthead store={store} openDialog={setDialog} />
      {store.isEmpty === true ? (
        <StartPage store={store} address={address} onFailed={sayAway} />
      ) : store.view.get('compare') !== '' ? (
        <CompareView
          store={store}
          dark={dark}
          openHelp={() => setDialog('shortcuts')}
          openMissing={() => setDialog('missing')}
          onFailed={sayAway}
        />
      ) : (
        <main class="profile">
          <h1 class="visually-hidden">Profile of {store.service.value || 'no service'}</h1>
          <Timeline store={store} dark={dark} />
          <div class="toolbar">
            <SearchBox store={store} input={searchInput} share={shareOfTotal} />
            <ProfileBar store={store} />
          </div>
          <Faults store={store} />
          {profile === undefined || profile.tree.length <= 1 ? (
            <NothingHere store={store} openMissing={() => setDialog('missing')} />
          ) : (
            <div class={`panes panes-${panes}`} aria-busy={store.profile.loading.value}>
              {panes !== 'table' && (
                <FlameGraph store={store} profile={profile} face={PROFILE_FACE} dark={dark} actions={actions} />
              )}
              {panes !== 'graph' && <FunctionTable store={store} profile={profile} dark={dark.value} />}
            </div>
          )}
        </main>
      )}
      <Message store={store} />
      {dialog === 'missing' && <MissingServiceDialog store={store} onClose={close} onFailed={closeFailed} />}
      {dialog === 'shortcuts' && <ShortcutsDialog onClose={close} onFailed={closeFailed} />}
    </>
  );
}

/** What went wrong with the last question; what was there before stays below it, if it answers the same question at another time. */
function Faults({ store }: { store: PageStore }) {
  const fault = store.catalog.error.value ?? store.profile.error.value;
  const notice = store.flame.notice;
  return (
    <div role="status" class="faults">
      {fault && <p class="fault">The server did not answer the question: {faultText(fault)}</p>}
      {notice && <p class="notice">{notice}</p>}
    </div>
  );
}

function useFlameKeyActions(
  store: PageStore,
  searchInput: { readonly current: HTMLInputElement | null },
  openHelp: () => void,
): FlameKeyActions {
  return useMemo(
    () => ({
      openHelp,
      openSearch() {
        searchInput.current?.focus();
        searchInput.current?.select();
      },
      async copyLink() {
        store.say((await copyText(location.href)) ? 'Link copied' : 'The link could not be copied');
      },
      async copyName() {
        const shown = store.profile.data.peek();
        if (shown === undefined) return;
        const name = shown.tree.names[shown.tree.name[Math.max(store.flame.selected, 0)] as number] as string;
        store.say((await copyText(name)) ? 'Name copied' : 'The name could not be copied');
      },
    }),
    [store],
  );
}
