import { useEffect, useRef, useState } from 'preact/hooks';
import { FlameGraph } from '../flame/flame-graph.js';
import { PROFILE_FACE } from '../flame/profile-face.js';
import { useFlameActions } from '../flame/use-flame-actions.js';
import { SearchBox, shareOf } from '../search/search-box.js';
import { FunctionTable } from '../table/function-table.js';
import type { Theme } from './color-scheme.js';
import { faultText } from './fault-text.js';
import { loaded } from './loaded.js';
import { Masthead } from './masthead.js';
import { Message } from './message.js';
import type { PageStore } from './page-store.js';
import { ProfileBar } from './profile-bar.js';

interface PageProps {
  readonly store: PageStore;
  readonly theme: Theme;
  /** Of this server, as programs reach it. */
  readonly address: string;
}

// Seldom seen, so no part of the first load.
const StartPage = loaded(() => import('../start/start-page.js').then((module) => module.StartPage));
const MissingServiceDialog = loaded(() => import('../start/refusals.js').then((module) => module.MissingServiceDialog));
const CompareView = loaded(() => import('../compare/compare-view.js').then((module) => module.CompareView));
const NothingHere = loaded(() => import('./nothing-here.js').then((module) => module.NothingHere));
const Timeline = loaded(() => import('../timeline/timeline.js').then((module) => module.Timeline));
const Sandwich = loaded(() => import('../sandwich/sandwich.js').then((module) => module.Sandwich));
const TransformChips = loaded(() => import('../transform/transform-chips.js').then((module) => module.TransformChips));
const FilePage = loaded(() => import('../file/file-page.js').then((module) => module.FilePage));
const StatusPage = loaded(() => import('../status/status-page.js').then((module) => module.StatusPage));
const ShortcutsDialog = loaded(() => import('./shortcuts-dialog.js').then((module) => module.ShortcutsDialog));

export type OpenDialog = 'none' | 'missing' | 'shortcuts';

export function Page({ store, theme, address }: PageProps) {
  const [dialog, setDialog] = useState<OpenDialog>('none');
  const searchInput = useRef<HTMLInputElement>(null);
  const actions = useFlameActions(store, searchInput, () => setDialog('shortcuts'));
  const profile = store.profile.data.value;
  const hasProfile = profile !== undefined && profile.tree.length > 1;
  const isWaiting = store.catalog.loading.value || store.profile.loading.value;
  const panes = store.view.get('panes');
  const sandwich = store.view.get('sandwich');
  const { dark } = theme;
  const file = store.file.value;
  useDroppedFile(store);

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
      <Masthead store={store} theme={theme} openDialog={setDialog} />
      {file !== undefined ? (
        <FilePage
          key={file}
          store={store}
          file={file}
          dark={dark}
          openHelp={() => setDialog('shortcuts')}
          onFailed={sayAway}
        />
      ) : store.view.get('page') === 'status' ? (
        <StatusPage store={store} onFailed={sayAway} />
      ) : store.isEmpty === true ? (
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
          <section class="timeline" aria-label="Timeline">
            <Timeline store={store} dark={dark} onFailed={() => {}} />
          </section>
          <div class="toolbar">
            <SearchBox
              store={store}
              input={searchInput}
              share={(matches) => shareOf(matches, profile?.whole ?? 'total')}
            />
            <ProfileBar store={store} />
          </div>
          {store.view.get('transforms').length > 0 && <TransformChips scene={store} onFailed={sayAway} />}
          <Faults store={store} />
          {/* Takes the focus from the link that skips what is above. */}
          <div
            class={`panes panes-${hasProfile ? panes : 'none'}`}
            id="panes"
            tabIndex={-1}
            aria-busy={store.profile.loading.value}
          >
            {!hasProfile &&
              (isWaiting ? (
                <p class="nothing muted">Loading …</p>
              ) : (
                <NothingHere store={store} openMissing={() => setDialog('missing')} onFailed={() => {}} />
              ))}
            {hasProfile &&
              panes !== 'table' &&
              (sandwich === '' ? (
                <FlameGraph store={store} profile={profile} face={PROFILE_FACE} dark={dark} actions={actions} />
              ) : (
                <Sandwich scene={store} dark={dark} actions={actions} onFailed={sayAway} />
              ))}
            {hasProfile && panes !== 'graph' && <FunctionTable store={store} profile={profile} dark={dark.value} />}
          </div>
        </main>
      )}
      <Message store={store} />
      {dialog === 'missing' && <MissingServiceDialog store={store} onClose={close} onFailed={closeFailed} />}
      {dialog === 'shortcuts' && <ShortcutsDialog onClose={close} onFailed={closeFailed} />}
    </>
  );
}

/** A file dropped anywhere on the page is opened in it; the browser would leave the page for it. */
function useDroppedFile(store: PageStore): void {
  useEffect(() => {
    const onDrag = (event: DragEvent) => event.preventDefault();
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) store.file.value = file;
    };
    addEventListener('dragover', onDrag);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', onDrag);
      removeEventListener('drop', onDrop);
    };
  }, [store]);
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
