import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ProfileData } from '../data/profile-data.js';
import { goToFunction } from '../flame/flame-keys.js';
import { shownName } from '../flame/flame-text.js';
import { DARK_FLAME_THEME, LIGHT_FLAME_THEME } from '../flame/flame-theme.js';
import { heaviestOf } from '../flame/frame-path.js';
import type { PageStore } from '../page/page-store.js';
import { formatExact, formatScaled, formatShare, type Scale, scaleFor } from '../values/scale.js';
import type { SortColumn } from '../view/view-state.js';
import { orderRows, visibleRows } from './table-rows.js';

const ROW_HEIGHT = 24;
const HEADER_HEIGHT = 28;

const COLUMNS: readonly { readonly id: SortColumn; readonly title: string }[] = [
  { id: 'name', title: 'Function' },
  { id: 'self', title: 'Self' },
  { id: 'total', title: 'Total' },
];

interface FunctionTableProps {
  readonly store: PageStore;
  readonly profile: ProfileData;
  readonly dark: boolean;
}

/** All functions with what they took. Only the rows in sight exist; assistive technology is told the real count. */
export function FunctionTable({ store, profile, dark }: FunctionTableProps) {
  const grid = useRef<HTMLDivElement>(null);
  const scrollTop = useSignal(0);
  const height = useSignal(600);
  /** Place of the row that keys move from. */
  const current = useSignal(0);
  const order = useComputed(() => {
    const shown = store.profile.data.value ?? profile;
    const matches = store.search.matchesIn(shown);
    return orderRows(shown.tree, shown.table, store.view.state.value.sort, matches?.names, shown.cut.name);
  });
  const { tree, table } = profile;
  const rows = order.value;
  const selectedName = store.flame.selected > 0 ? (tree.name[store.flame.selected] as number) : -1;

  useEffect(() => {
    const element = grid.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      height.value = element.clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [height]);

  // The row of what was selected in the graph, unless the reader is in the table just now.
  useEffect(() => {
    const element = grid.current;
    const place = rows.findIndex((row) => table.name[row] === selectedName);
    if (element === null || place === -1 || element.contains(document.activeElement)) return;
    current.value = place;
    reveal(element, place);
  }, [selectedName]);

  const select = (place: number) => {
    const row = rows[place];
    if (row === undefined) return;
    current.value = place;
    const node = heaviestOf(tree, tree.names[table.name[row] as number] as string);
    if (node !== -1) goToFunction(store, node);
  };
  const sortBy = (column: SortColumn) => {
    const { sort } = store.view.state.peek();
    const descending = sort.column === column ? !sort.descending : column !== 'name';
    store.view.change({ sort: { column, descending } }, 'replace');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== grid.current) return;
    const page = Math.max(Math.floor(height.peek() / ROW_HEIGHT) - 2, 1);
    const moves = new Map([
      ['ArrowDown', 1],
      ['ArrowUp', -1],
      ['PageDown', page],
      ['PageUp', -page],
      ['Home', -rows.length],
      ['End', rows.length],
    ]);
    const move = moves.get(event.key);
    if (move !== undefined) {
      current.value = Math.min(Math.max(current.peek() + move, 0), Math.max(rows.length - 1, 0));
      if (grid.current !== null) reveal(grid.current, current.peek());
    } else if (event.key === 'Enter' || event.key === ' ') select(current.peek());
    else return;
    event.preventDefault();
  };

  const total = tree.total[0] as number;
  const scale = scaleFor(profile.type.unit, total);
  const { sort } = store.view.state.value;
  const [first, end] = visibleRows(rows.length, scrollTop.value, height.value, ROW_HEIGHT);
  const place = Math.min(current.value, rows.length - 1);
  const theme = dark ? DARK_FLAME_THEME : LIGHT_FLAME_THEME;
  return (
    <div
      class="table"
      role="grid"
      aria-label="Functions"
      aria-rowcount={rows.length + 1}
      aria-colcount={COLUMNS.length}
      aria-activedescendant={place >= first && place < end ? `function-${place}` : undefined}
      tabIndex={0}
      ref={grid}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        scrollTop.value = event.currentTarget.scrollTop;
      }}
    >
      <div class="table-head table-row" role="row" aria-rowindex={1} tabIndex={-1}>
        {COLUMNS.map(({ id, title }) => (
          <div
            key={id}
            role="columnheader"
            class={`table-cell table-${id}`}
            tabIndex={-1}
            aria-sort={sort.column !== id ? 'none' : sort.descending ? 'descending' : 'ascending'}
          >
            <button type="button" class="sort" onClick={() => sortBy(id)}>
              {title}
              <span aria-hidden="true">{sort.column !== id ? '' : sort.descending ? ' ↓' : ' ↑'}</span>
            </button>
          </div>
        ))}
      </div>
      <div class="table-body" role="rowgroup" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
        {Array.from(rows.subarray(first, end), (row, index) => {
          const name = table.name[row] as number;
          return (
            <div
              key={name}
              id={`function-${first + index}`}
              role="row"
              class={`table-row${first + index === place ? ' current' : ''}`}
              aria-rowindex={first + index + 2}
              aria-selected={name === selectedName}
              tabIndex={-1}
              style={{ top: `${(first + index) * ROW_HEIGHT}px` }}
              onClick={() => select(first + index)}
              onKeyDown={undefined}
            >
              <div
                role="gridcell"
                class="table-cell table-name"
                tabIndex={-1}
                title={shownName(tree.names[name] as string)}
              >
                <span class="swatch" style={{ background: theme.slots[profile.slots[name] as number] }} />
                {shownName(tree.names[name] as string)}
              </div>
              <ValueCell
                class="table-self"
                value={table.self[row] as number}
                total={total}
                scale={scale}
                unit={profile.type.unit}
              />
              <ValueCell
                class="table-total"
                value={table.total[row] as number}
                total={total}
                scale={scale}
                unit={profile.type.unit}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface ValueCellProps {
  readonly class: string;
  readonly value: number;
  readonly total: number;
  readonly scale: Scale;
  readonly unit: string;
}

function ValueCell({ class: column, value, total, scale, unit }: ValueCellProps) {
  return (
    <div role="gridcell" class={`table-cell ${column}`} tabIndex={-1} title={formatExact(value, unit)}>
      <span class="table-value">{formatScaled(value, scale)}</span>
      <span class="table-share">{formatShare(value, total)}</span>
    </div>
  );
}

/** Scrolls just so far that a row is seen below the heading. */
function reveal(grid: HTMLElement, place: number): void {
  const top = place * ROW_HEIGHT;
  const bottom = top + ROW_HEIGHT + HEADER_HEIGHT;
  if (grid.scrollTop > top) grid.scrollTop = top;
  else if (grid.scrollTop + grid.clientHeight < bottom) grid.scrollTop = bottom - grid.clientHeight;
}
