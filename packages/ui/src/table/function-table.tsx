import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ProfileData } from '../data/profile-data.js';
import { goToFunction } from '../flame/flame-keys.js';
import { shownName } from '../flame/flame-text.js';
import { DARK_FLAME_THEME, LIGHT_FLAME_THEME } from '../flame/flame-theme.js';
import { heaviestOf } from '../flame/frame-path.js';
import type { PageStore } from '../page/page-store.js';
import { columnScale, formatExact, formatScaled, formatShare } from '../values/scale.js';
import { TableHead, VALUE_COLUMNS } from './table-head.js';
import { orderRows, visibleRows } from './table-rows.js';

const ROW_HEIGHT = 24;
const HEAD_HEIGHT = 28;
/** Columns of values, paddings and the swatch: what a name does not get. In pixels. */
const BESIDE_NAME = 2 * (80 + 72) + 2 * 8 + 16;
const BESIDE_NAME_NARROW = 2 * (62 + 60) + 2 * 4 + 16;
/** As in the style. */
const NARROW = '(max-width: 480px)';
/** Of the fixed-pitch font of the names, on the safe side: what does not fit is cut by the cell. */
const GLYPH_WIDTH = 7.3;

interface FunctionTableProps {
  readonly store: PageStore;
  readonly profile: ProfileData;
  readonly dark: boolean;
}

/** All functions with what they took. Only the rows in sight exist; assistive technology is told the real count. */
export function FunctionTable({ store, profile, dark }: FunctionTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const scrollTop = useSignal(0);
  const size = useSignal({ width: 480, height: 600 });
  /** Place of the row that keys move from. */
  const current = useSignal(0);
  const order = useComputed(() => {
    const shown = store.profile.data.value ?? profile;
    const matches = store.search.matchesIn(shown);
    return orderRows(shown.tree, shown.table, store.view.get('sort'), matches?.names, shown.cut.name);
  });
  const { tree, table } = profile;
  const rows = order.value;
  const selectedName = store.flame.selected > 0 ? (tree.name[store.flame.selected] as number) : -1;

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [size]);

  // The row of what was selected in the graph, unless the reader is in the table just now.
  // Another order alone must not move the table under the reader.
  useEffect(() => {
    const place = rows.findIndex((row) => table.name[row] === selectedName);
    if (scroller.current === null || place === -1 || scroller.current.contains(document.activeElement)) return;
    current.value = place;
    reveal(scroller.current, place);
  }, [selectedName]);

  const select = (place: number) => {
    const row = rows[place];
    if (row === undefined) return;
    current.value = place;
    const node = heaviestOf(tree, tree.names[table.name[row] as number] as string);
    if (node !== -1) goToFunction(store, node);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== grid.current) return;
    const page = Math.max(Math.floor(size.peek().height / ROW_HEIGHT) - 2, 1);
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
      if (scroller.current !== null) reveal(scroller.current, current.peek());
    } else if (event.key === 'Enter' || event.key === ' ') select(current.peek());
    else return;
    event.preventDefault();
  };

  const { unit } = profile.type;
  const { divisor, prefix } = profile.snapshots;
  const total = tree.total[0] as number;
  // One for both columns: a self of 900 ms beside a total of 1.2 s would be compared wrongly.
  const scale = columnScale(unit, largestOf(table.total) / divisor, divisor === 1);
  const [first, end] = visibleRows(rows.length, scrollTop.value, size.value.height, ROW_HEIGHT);
  const place = Math.min(current.value, rows.length - 1);
  const theme = dark ? DARK_FLAME_THEME : LIGHT_FLAME_THEME;
  const beside = matchMedia(NARROW).matches ? BESIDE_NAME_NARROW : BESIDE_NAME;
  const columns = Math.floor((size.value.width - beside) / GLYPH_WIDTH);
  return (
    <div
      class="table"
      ref={scroller}
      onScroll={(event) => {
        scrollTop.value = event.currentTarget.scrollTop;
      }}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table that keys walk in
        role="grid"
        aria-label="Functions"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={place >= first && place < end ? `function-${place}` : undefined}
        tabIndex={0}
        ref={grid}
        onKeyDown={onKeyDown}
      >
        <TableHead view={store.view} unit={scale.suffix} prefix={prefix} />
        <tbody>
          <Spare rows={first} />
          {Array.from(rows.subarray(first, end), (row, index) => {
            const name = table.name[row] as number;
            const text = tree.names[name] as string;
            return (
              <tr
                key={name}
                id={`function-${first + index}`}
                class={first + index === place ? 'current' : ''}
                aria-rowindex={first + index + 2}
                aria-selected={name === selectedName}
                onClick={() => select(first + index)}
              >
                <td title={shownName(text)}>
                  <span class="swatch" style={{ background: theme.slots[profile.slots[name] as number] }} />
                  {profile.labels.fit(name, columns) || shownName(text)}
                </td>
                {VALUE_COLUMNS.map((id) => {
                  const value = table[id][row] as number;
                  return [
                    <td key={id} title={formatExact(value / divisor, unit)}>
                      {formatScaled(value / divisor, { ...scale, suffix: '' })}
                    </td>,
                    <td key={`${id} share`} class="table-share">
                      {formatShare(value, total)}
                    </td>,
                  ];
                })}
              </tr>
            );
          })}
          <Spare rows={rows.length - end} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for rows that are out of sight. */
function Spare({ rows }: { rows: number }) {
  if (rows <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus
    <tr class="spare" aria-hidden="true">
      <td colSpan={5} style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  );
}

function largestOf(values: Float64Array): number {
  let largest = 0;
  for (const value of values) if (value > largest) largest = value;
  return largest;
}

/** Scrolls just so far that a row is seen below the heading. */
function reveal(scroller: HTMLElement, place: number): void {
  const top = place * ROW_HEIGHT;
  const bottom = top + ROW_HEIGHT + HEAD_HEIGHT;
  if (scroller.scrollTop > top) scroller.scrollTop = top;
  else if (scroller.scrollTop + scroller.clientHeight < bottom) scroller.scrollTop = bottom - scroller.clientHeight;
}
