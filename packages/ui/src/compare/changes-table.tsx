import { useComputed } from '@preact/signals';
import { goToFunction } from '../flame/flame-keys.js';
import { shownName } from '../flame/flame-text.js';
import { heaviestOf } from '../flame/frame-path.js';
import { Heading } from '../table/table-head.js';
import { VirtualGrid } from '../table/virtual-grid.js';
import { columnScale, formatExact, formatScaled, formatShare, type Scale } from '../values/scale.js';
import { changeValue, orderChanges } from './changes-rows.js';
import { type CompareData, emptySides, SIDE_NAMES, SIDES, type Side, scaleOf } from './compare-data.js';
import type { CompareStore } from './compare-store.js';
import type { ChangeColumn, ComparedValue } from './comparison.js';
import { changeStep } from './diff-scale.js';
import { pointDigits } from './diff-text.js';
import { DARK_DIFF_THEME, LIGHT_DIFF_THEME, stepColour } from './diff-theme.js';

const KINDS = ['self', 'total'] as const;
const KIND_TITLES: Readonly<Record<ComparedValue, string>> = { self: 'Self', total: 'Total' };
const COLUMNS = ['left', 'right', 'change'] as const;
const HEAD_HEIGHT = 52;
/** As in the style: six columns of values, the swatch, paddings. */
const BESIDE_NAME = 2 * (60 + 60 + 70) + 2 * 8 + 16;
const BESIDE_NAME_NARROW = 60 + 60 + 70 + 2 * 8 + 16;
const NARROW = '(max-width: 600px)';
const GLYPH_WIDTH = 7.3;

interface ChangesTableProps {
  readonly store: CompareStore;
  readonly data: CompareData;
  readonly dark: boolean;
}

/** What grew, and what shrank: all functions with what they took on both sides. */
export function ChangesTable({ store, data, dark }: ChangesTableProps) {
  const order = useComputed(() => {
    const shown = store.profile.data.value ?? data;
    return orderChanges(shown, store.comparison.value.sort, store.search.matchesIn(shown)?.names);
  });
  const { diff, table, basis } = data;
  const rows = order.value;
  const nameAt = (place: number) => table.name[rows[place] as number] as number;
  const theme = dark ? DARK_DIFF_THEME : LIGHT_DIFF_THEME;
  const { of } = store.comparison.value;
  const scale = valueScale(data);
  const unit = basis === 'share' ? '%' : `${scale.suffix}${basis === 'rate' ? ` ${data.type.rateTitle}` : ''}`.trim();
  const isNarrow = matchMedia(NARROW).matches;
  // All six do not fit: those the colours tell of.
  const kinds = isNarrow ? KINDS.filter((kind) => kind === of) : KINDS;
  return (
    <VirtualGrid
      label="What changed, by function"
      head={<ChangesHead store={store} kinds={kinds} unit={unit} />}
      headHeight={HEAD_HEIGHT}
      headRows={2}
      columnCount={1 + kinds.length * COLUMNS.length}
      rowCount={rows.length}
      keyOf={nameAt}
      selected={store.flame.selected > 0 ? (diff.name[store.flame.selected] as number) : -1}
      onSelect={(place) => {
        const node = heaviestOf(data.tree, diff.names[nameAt(place)] as string);
        if (node !== -1) goToFunction(store, node);
      }}
      cells={(place, width) => {
        const row = rows[place] as number;
        const name = nameAt(place);
        const text = diff.names[name] as string;
        const columns = Math.floor((width - (isNarrow ? BESIDE_NAME_NARROW : BESIDE_NAME)) / GLYPH_WIDTH);
        return (
          <>
            <td title={shownName(text)}>
              <span class="swatch" style={{ background: stepColour(theme, rowStep(data, of, row)) }} />
              {data.labels.fit(name, columns) || shownName(text)}
            </td>
            {kinds.flatMap((kind) =>
              COLUMNS.map((column) => {
                const value = changeValue(data, kind, column, row);
                return (
                  <td
                    key={`${kind} ${column}`}
                    class={value === 0 ? `${column} muted` : column}
                    title={exactText(data, kind, column, row)}
                  >
                    {column === 'change' ? changeText(data, value, scale) : sideText(data, column, value, scale)}
                  </td>
                );
              }),
            )}
          </>
        );
      }}
    />
  );
}

/** One for all columns. Of a core, thousandths: a function seldom takes more than a few hundredths. */
function valueScale({ diff, unit, basis }: CompareData): Scale {
  const largest = Math.max(...SIDES.map((side) => diff[side].total[0] as number));
  const scale = columnScale(unit, largest, basis !== 'rate');
  return basis === 'rate' && scale.divisor === 1 ? { ...scale, decimals: 3 } : scale;
}

interface ChangesHeadProps {
  readonly store: CompareStore;
  readonly kinds: readonly ComparedValue[];
  readonly unit: string;
}

function ChangesHead({ store, kinds, unit }: ChangesHeadProps) {
  const { sort } = store.comparison.value;
  const onSort = (changed: typeof sort) => store.change({ sort: changed }, 'replace');
  return (
    <>
      <colgroup>
        <col />
        {kinds.flatMap((kind) =>
          COLUMNS.map((column) => <col key={`${kind} ${column}`} class={`changes-column ${column}`} />),
        )}
      </colgroup>
      <thead class="changes-head">
        <tr aria-rowindex={1}>
          <Heading id="name" title="Function" sort={sort} onSort={onSort} rows={2} />
          {kinds.map((kind) => (
            <th key={kind} scope="colgroup" colSpan={COLUMNS.length}>
              {KIND_TITLES[kind]}
              <span class="muted">{unit && `, ${unit}`}</span>
            </th>
          ))}
        </tr>
        <tr aria-rowindex={2}>
          {kinds.flatMap((kind) =>
            COLUMNS.map((column) => {
              const id: ChangeColumn = `${kind}.${column}`;
              const title = column === 'change' ? (unit === '%' ? 'points' : 'change') : SIDE_NAMES[column];
              const spoken = (
                <>
                  <span class="visually-hidden">{KIND_TITLES[kind]} </span>
                  {title}
                </>
              );
              return <Heading key={id} id={id} title={spoken} sort={sort} onSort={onSort} />;
            }),
          )}
        </tr>
      </thead>
    </>
  );
}

function sideText(data: CompareData, side: Side, value: number, scale: Scale): string {
  if (value === 0) return '–';
  if (data.basis === 'share') return formatShare(value, data.diff[side].total[0] as number).replace('\u00a0%', '');
  return formatScaled(value, { ...scale, suffix: '' });
}

function changeText(data: CompareData, change: number, scale: Scale): string {
  if (data.basis === 'share') return pointDigits(change);
  if (change === 0) return '0';
  return `${change < 0 ? '−' : '+'}${formatScaled(Math.abs(change), { ...scale, suffix: '' })}`;
}

function exactText(data: CompareData, kind: ComparedValue, column: Side | 'change', row: number): string {
  const { table, unit } = data;
  if (column !== 'change') return formatExact(table[column][kind][row] as number, unit);
  const change = (table.right[kind][row] as number) - (table.left[kind][row] as number);
  return `${change > 0 ? '+' : ''}${formatExact(change, unit)}`;
}

function rowStep(data: CompareData, of: ComparedValue, row: number) {
  if (emptySides(data).length > 0) return 0;
  const value = (side: Side, kind: ComparedValue) => (data.table[side][kind][row] as number) * scaleOf(data, side);
  const [left, right] = [value('left', 'total'), value('right', 'total')];
  const isOnBoth = left > 0 && right > 0;
  const byTotal = of === 'total' || !isOnBoth;
  const change = byTotal ? right - left : value('right', 'self') - value('left', 'self');
  return changeStep(change, Math.max(left, right), isOnBoth);
}
