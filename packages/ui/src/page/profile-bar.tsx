import { useState } from 'preact/hooks';
import { formatShare, formatValue } from '../values/scale.js';
import type { PANES, Panes } from '../view/view-state.js';
import { downloadName, saveFile } from './download.js';
import type { PageStore } from './page-store.js';

/** Of the name of the zoomed frame. */
const ZOOM_NAME_COLUMNS = 40;

const PANE_TITLES: Readonly<Record<Panes, string>> = { both: 'Both', graph: 'Graph', table: 'Table' };

/** What the profile comes to, where one has zoomed to, and what can be done with all of it. */
export function ProfileBar({ store }: { store: PageStore }) {
  const profile = store.profile.data.value;
  const [isSaving, setSaving] = useState(false);
  const { flame } = store;
  const panes = store.view.get('panes');

  const download = async () => {
    const selection = store.selection.peek();
    if (selection === undefined) return;
    setSaving(true);
    try {
      saveFile(
        await store.client.selectMergeProfile(selection),
        downloadName(store.service.peek(), selection.profileType),
      );
    } catch (thrown) {
      store.say(`The profile could not be downloaded: ${thrown instanceof Error ? thrown.message : thrown}`);
    }
    setSaving(false);
  };
  return (
    <div class="profile-bar">
      {profile && (
        <span class="profile-total">
          <b>{formatValue(profile.tree.total[0] as number, profile.type.unit)}</b> {profile.type.title}
          {profile.cut.value > 0 && (
            <span class="muted" title="Frames too small to be sent are summed up as “other”">
              {', '}
              {formatShare(profile.cut.value, profile.tree.total[0] as number)} in small frames not shown
            </span>
          )}
        </span>
      )}
      {store.profile.loading.value && <span class="muted">loading …</span>}
      {flame.isZoomed && profile && (
        <button type="button" class="zoom-chip" title="Show everything (0)" onClick={() => flame.resetZoom()}>
          <span class="zoom-name">
            {flame.zoomed > 0
              ? `Zoomed to ${profile.labels.fit(profile.tree.name[flame.zoomed] as number, ZOOM_NAME_COLUMNS)}`
              : 'Zoomed'}
          </span>{' '}
          <span aria-hidden="true">×</span>
        </button>
      )}
      <span class="profile-bar-end">
        <fieldset class="segments">
          <legend class="visually-hidden">Show</legend>
          {(['graph', 'both', 'table'] satisfies (typeof PANES)[number][]).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={panes === each}
              onClick={() => store.view.change({ panes: each }, 'replace')}
            >
              {PANE_TITLES[each]}
            </button>
          ))}
        </fieldset>
        <button type="button" disabled={profile === undefined || isSaving} onClick={download}>
          {isSaving ? 'Downloading …' : 'Download pprof'}
        </button>
      </span>
    </div>
  );
}
