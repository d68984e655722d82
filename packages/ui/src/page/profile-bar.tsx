import { useState } from 'preact/hooks';
import { turnGraph } from '../flame/use-flame-actions.js';
import { formatShare, formatValue } from '../values/scale.js';
import { downloadName, saveFile } from './download.js';
import { faultText } from './fault-text.js';
import type { PageStore } from './page-store.js';
import { PaneChoice } from './pane-choice.js';

/** What the profile comes to, and what can be done with all of it. */
export function ProfileBar({ store }: { store: PageStore }) {
  const profile = store.profile.data.value;
  const [isSaving, setSaving] = useState(false);

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
      store.say(`The profile could not be downloaded: ${faultText(thrown)}`);
    }
    setSaving(false);
  };
  return (
    <div class="profile-bar">
      {profile && (
        <span class="profile-total">
          <b>{formatValue((profile.tree.total[0] as number) / profile.snapshots.divisor, profile.type.unit)}</b>{' '}
          {profile.type.title}
          {profile.snapshots.note && (
            <span title="Each snapshot counts once, whichever series it is of; the timeline adds the series up">
              , {profile.snapshots.note}
            </span>
          )}
          {profile.cut.value > 0 && (
            <span class="muted" title="Frames too small to be sent are summed up as “other”">
              {', '}
              {formatShare(profile.cut.value, profile.tree.total[0] as number)} in small frames not shown
            </span>
          )}
        </span>
      )}
      <span class="muted loading">{store.profile.loading.value && 'loading …'}</span>
      <span class="profile-bar-end">
        <button
          type="button"
          aria-pressed={store.view.get('orientation') === 'flame'}
          disabled={store.view.get('sandwich') !== ''}
          title="The root at the bottom (i)"
          onClick={() => turnGraph(store)}
        >
          Upside down
        </button>
        <PaneChoice view={store.view} />
        <button
          type="button"
          disabled={profile === undefined || isSaving}
          title={profile?.snapshots.note ? 'The file holds the sum of all snapshots' : undefined}
          onClick={download}
        >
          {isSaving ? 'Downloading …' : 'Download pprof'}
        </button>
      </span>
    </div>
  );
}
