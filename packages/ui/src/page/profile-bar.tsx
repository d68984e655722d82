import { turnGraph } from '../flame/use-flame-actions.js';
import { formatShare, formatValue } from '../values/scale.js';
import { loaded } from './loaded.js';
import type { PageStore } from './page-store.js';
import { PaneChoice } from './pane-choice.js';
import { Popover } from './popover.js';

const ExportMenu = loaded(() => import('./export-menu.js').then((module) => module.ExportMenu));

/** What the profile comes to, and what can be done with all of it. */
export function ProfileBar({ store }: { store: PageStore }) {
  const profile = store.profile.data.value;
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
        <Popover label="Download" description="Download the profile">
          {(close) => <ExportMenu store={store} close={close} onFailed={close} />}
        </Popover>
      </span>
    </div>
  );
}
