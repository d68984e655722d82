import { PaneChoice } from '../page/pane-choice.js';
import type { CompareStore } from './compare-store.js';

/** What can be done with the whole comparison. */
export function CompareBar({ store }: { store: CompareStore }) {
  return (
    <div class="profile-bar">
      <span class="muted loading">{store.profile.loading.value && 'loading …'}</span>
      <span class="profile-bar-end">
        <button type="button" title="A becomes B, and B becomes A" onClick={() => store.swap()}>
          Swap sides
        </button>
        <PaneChoice view={store.view} />
      </span>
    </div>
  );
}
