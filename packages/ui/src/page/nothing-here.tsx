import { RANGE_PRESETS } from '../view/time-range.js';
import type { PageStore } from './page-store.js';

/** There is a store, and nothing of what was asked for in it: what to ask for instead. */
export function NothingHere({ store, openMissing }: { store: PageStore; openMissing: () => void }) {
  // What went wrong is said above; that nothing was sent is not known.
  if ((store.catalog.error.value ?? store.profile.error.value) !== undefined) return <div class="nothing" />;
  const labels = store.view.get('labels');
  return (
    <div class="nothing">
      <p>
        {store.service.value === ''
          ? 'Nothing was sent in this time range.'
          : `${store.service.value} sent nothing that fits in this time range.`}
      </p>
      <div class="nothing-ways">
        {RANGE_PRESETS.slice(-2).map(({ seconds, label }) => (
          <button key={seconds} type="button" onClick={() => store.view.change({ range: { kind: 'last', seconds } })}>
            {label}
          </button>
        ))}
        {labels.length > 0 && (
          <button type="button" onClick={() => store.view.change({ labels: [] })}>
            Without filters
          </button>
        )}
        <button type="button" onClick={openMissing}>
          Why is my service missing?
        </button>
      </div>
    </div>
  );
}
