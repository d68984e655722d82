import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type ProfileData, profileData } from '../data/profile-data.js';
import { FlameGraph } from '../flame/flame-graph.js';
import { shownName } from '../flame/flame-text.js';
import { PROFILE_FACE } from '../flame/profile-face.js';
import { useFlameActions } from '../flame/use-flame-actions.js';
import type { PageStore } from '../page/page-store.js';
import { PaneChoice } from '../page/pane-choice.js';
import { Popover } from '../page/popover.js';
import { sceneBeside } from '../page/profile-scene.js';
import { Sandwich } from '../sandwich/sandwich.js';
import { SearchBox, shareOf } from '../search/search-box.js';
import { startSearch } from '../search/start-search.js';
import { FunctionTable } from '../table/function-table.js';
import { mostTelling, profileTypeText } from '../values/profile-type.js';
import { formatValue } from '../values/scale.js';
import { formatTime } from '../view/time-range.js';
import type { FileContent } from './file-reading.js';
import type { FileAnswer } from './file-worker.js';
import { StoreForm } from './store-form.js';

interface FilePageProps {
  readonly store: PageStore;
  readonly file: File;
  readonly dark: ReadonlySignal<boolean>;
  readonly openHelp: () => void;
}

/** What a file holds, read in the browser. Nothing of it is sent unless that is asked for. */
export function FilePage({ store, file, dark, openHelp }: FilePageProps) {
  const { answer, data, type, scene } = useMemo(() => openFile(file, store), [file, store]);
  const searchInput = useRef<HTMLInputElement>(null);
  const pageActions = useFlameActions(scene, searchInput, openHelp);
  const actions = {
    ...pageActions,
    addTransform: undefined,
    copyLink: () => store.say('A file has no link: it is only here'),
  };
  const close = () => {
    store.file.value = undefined;
  };
  useEffect(() => {
    document.title = `${file.name} · Pilotlight`;
    // Back leads to where one was before the file.
    history.pushState(history.state, '');
    addEventListener('popstate', close);
    return () => {
      removeEventListener('popstate', close);
      scene.search.stop();
    };
  }, [file, scene]);

  const read = answer.value;
  const content = read !== undefined && 'content' in read ? read.content : undefined;
  const profile = data.value;
  const panes = scene.view.get('panes');
  return (
    <main class="profile">
      <h1 class="visually-hidden">{shownName(file.name)}</h1>
      <section class="file-banner" aria-label="File">
        <p>
          <b>{shownName(file.name)}</b> {content && <span class="muted">{describe(file, content)}</span>}
          <br />
          This file is only in your browser: nothing of it was sent.
        </p>
        <div class="file-actions">
          {content && (
            <label class="field">
              <span>Profile</span>
              <select
                value={type.value}
                onChange={(event) => {
                  type.value = event.currentTarget.value;
                }}
              >
                {content.profiles.map((each) => (
                  <option key={each.type} value={each.type}>
                    {profileTypeText(each.type).title}
                  </option>
                ))}
              </select>
            </label>
          )}
          {content && (
            <Popover label="Store it" description="Store it on the server">
              {() => <StoreForm store={store} file={file} content={content} />}
            </Popover>
          )}
          <button type="button" onClick={close}>
            Close the file
          </button>
        </div>
      </section>
      <div role="status" class="faults">
        {read === undefined && <p class="notice">Reading the file …</p>}
        {read !== undefined && 'fault' in read && <p class="fault">This file cannot be shown: {read.fault}</p>}
        {content && content.leftOut > 0 && (
          <p class="notice">
            {content.leftOut.toLocaleString('en-US')} elements were left out: {content.reasons.join('; ')}
          </p>
        )}
        {content && content.profiles.length === 0 && <p class="notice">There are no samples in this file.</p>}
      </div>
      {profile && (
        <>
          <div class="toolbar">
            <SearchBox store={scene} input={searchInput} share={(matches) => shareOf(matches, 'total')} />
            <span>
              <b>{formatValue(profile.tree.total[0] as number, profile.type.unit)}</b> {profile.type.title}
            </span>
            <PaneChoice view={scene.view} />
          </div>
          <div class={`panes panes-${panes}`} id="panes" tabIndex={-1}>
            {panes !== 'table' &&
              (scene.view.get('sandwich') === '' ? (
                <FlameGraph store={scene} profile={profile} face={PROFILE_FACE} dark={dark} actions={actions} />
              ) : (
                <Sandwich scene={scene} dark={dark} actions={actions} />
              ))}
            {panes !== 'graph' && <FunctionTable store={scene} profile={profile} dark={dark.value} />}
          </div>
        </>
      )}
    </main>
  );
}

function describe(file: File, { format, start, durationMillis }: FileContent): string {
  return [
    `${formatValue(file.size, 'bytes')} of ${format === 'collapsed' ? 'collapsed stacks' : format}`,
    start > 0 ? `from ${formatTime(start)}` : '',
    durationMillis > 0 ? `${formatValue(durationMillis * 1e6, 'nanoseconds')} long` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** Begins to read a file; what comes of it is in the signals. */
function openFile(file: File, store: PageStore) {
  const answer: Signal<FileAnswer | undefined> = signal(undefined);
  const type = signal('');
  const thread = new Worker(new URL('./file-worker.ts', import.meta.url), { type: 'module' });
  thread.onmessage = ({ data }: MessageEvent<FileAnswer>) => {
    if ('content' in data) type.value = mostTelling(data.content.profiles.map((each) => each.type));
    answer.value = data;
    thread.terminate();
  };
  thread.onerror = (event) => {
    answer.value = { fault: event.message || 'the part of the page that reads files could not be loaded' };
    thread.terminate();
  };
  thread.postMessage(file);
  const data = computed((): ProfileData | undefined => {
    const read = answer.value;
    const shown =
      read !== undefined && 'content' in read
        ? read.content.profiles.find((each) => each.type === type.value)
        : undefined;
    return shown && profileData(shown.tree, shown.type);
  });
  return { answer, data, type, scene: sceneBeside(data, startSearch(), (message) => store.say(message)) };
}
