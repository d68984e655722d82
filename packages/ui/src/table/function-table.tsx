import { useComputed } from '@preact/signals';
import type { ProfileData } from '../data/profile-data.js';
import { goToFunction } from '../flame/flame-keys.js';
import { shownName } from '../flame/flame-text.js';
import { DARK_FLAME_THEME, LIGHT_FLAME_THEME } from '../flame/flame-theme.js';
import { heaviestOf } from '../flame/frame-path.js';
import type { ProfileScene } from '../page/profile-scene.js';
import { columnScale, formatExact, formatScaled, formatShare } from '../values/scale.js';
import { TableHead, VALUE_COLUMNS } from './table-head.js';
import { orderRows } from './table-rows.js';
import { VirtualGrid } from './virtual-grid.js';

const HEAD_HEIGHT = 28;
/** Columns of values, paddings and the swatch: what a name does not get. In pixels. */
const BESIDE_NAME = 2 * (80 + 72) + 2 * 8 + 16;
const BESIDE_NAME_NARROW = 2 * (62 + 60) + 2 * 4 + 16;
/** As in the style. */
const NARROW = '(max-width: 480px)';
/** Of the fixed-pitch font of the names, on the safe side: what does not fit is cut by the cell. */
const GLYPH_WIDTH = 7.3;

interface FunctionTableProps {
  readonly store: ProfileScene;
  readonly profile: ProfileData;
  readonly dark: boolean;
}

/** All functions with what they took. */
export function FunctionTable({ store, profile, dark }: FunctionTableProps) {
  const order = useComputed(() => {
    const shown = store.profile.data.value ?? profile;
    const matches = store.search.matchesIn(shown);
    return orderRows(shown.tree, shown.table, store.view.get('sort'), matches?.names, shown.cut.name);
  });
  const { tree, table } = profile;
  const rows = order.value;
  const nameAt = (place: number) => table.name[rows[place] as number] as number;
  const select = (place: number) => {
    const node = heaviestOf(tree, tree.names[nameAt(place)] as string);
    if (node === -1) return;
    if (store.view.peek().sandwich !== '') store.view.change({ sandwich: tree.names[nameAt(place)] as string });
    goToFunction(store, node);
  };

  const { unit } = profile.type;
  const { divisor, prefix } = profile.snapshots;
  const total = tree.total[0] as number;
  // One for both columns: a self of 900 ms beside a total of 1.2 s would be compared wrongly.
  const scale = columnScale(unit, largestOf(table.total) / divisor, divisor === 1);
  const theme = dark ? DARK_FLAME_THEME : LIGHT_FLAME_THEME;
  const beside = matchMedia(NARROW).matches ? BESIDE_NAME_NARROW : BESIDE_NAME;
  return (
    <VirtualGrid
      label="Functions"
      head={<TableHead view={store.view} unit={scale.suffix} prefix={prefix} />}
      headHeight={HEAD_HEIGHT}
      headRows={1}
      columnCount={1 + 2 * VALUE_COLUMNS.length}
      rowCount={rows.length}
      keyOf={nameAt}
      selected={store.flame.selected > 0 ? (tree.name[store.flame.selected] as number) : -1}
      onSelect={select}
      cells={(place, width) => {
        const name = nameAt(place);
        const text = tree.names[name] as string;
        const columns = Math.floor((width - beside) / GLYPH_WIDTH);
        return (
          <>
            <td title={shownName(text)}>
              <span class="swatch" style={{ background: theme.slots[profile.slots[name] as number] }} />
              {profile.labels.fit(name, columns) || shownName(text)}
            </td>
            {VALUE_COLUMNS.map((id) => {
              const value = table[id][rows[place] as number] as number;
              return [
                <td key={id} title={formatExact(value / divisor, unit)}>
                  {formatScaled(value / divisor, { ...scale, suffix: '' })}
                </td>,
                <td key={`${id} share`} class="table-share">
                  {formatShare(value, total)}
                </td>,
              ];
            })}
          </>
        );
      }}
    />
  );
}

function largestOf(values: Float64Array): number {
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  return largest;
}
