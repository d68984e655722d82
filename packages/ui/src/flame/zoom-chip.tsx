import type { FlameData, FlameStore } from './flame-data.js';

/** Of the name of the zoomed frame. */
const NAME_COLUMNS = 30;

/** Where one has zoomed to, and the way back. It lies in the line below the graph, whose place is there anyway: above it, it would move the graph. */
export function ZoomChip({ store, profile }: { store: FlameStore; profile: FlameData }) {
  const { flame } = store;
  if (!flame.isZoomed) return null;
  return (
    <button type="button" class="zoom-chip" title="Show everything (0)" onClick={() => flame.resetZoom()}>
      <span class="zoom-name">
        {flame.zoomed > 0
          ? `Zoomed to ${profile.labels.fit(profile.tree.name[flame.zoomed] as number, NAME_COLUMNS)}`
          : 'Zoomed'}
      </span>{' '}
      <span aria-hidden="true">×</span>
    </button>
  );
}
