import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visibleRows } from './table-rows.js';

const ROW_HEIGHT = 24;

interface VirtualGridProps {
  readonly label: string;
  /** The columns and the headings. */
  readonly head: ComponentChildren;
  /** In pixels, and in rows. */
  readonly headHeight: number;
  readonly headRows: number;
  readonly columnCount: number;
  readonly rowCount: number;
  /** Stays with a row in whatever order it stands. */
  readonly keyOf: (place: number) => number;
  /** Key of the row that is selected; −1: none. */
  readonly selected: number;
  readonly onSelect: (place: number) => void;
  /** The cells of a row; `width` is that of the grid, in pixels. */
  readonly cells: (place: number, width: number) => ComponentChildren;
}

/** A table of any length that keys walk in. Only the rows in sight exist; assistive technology is told the real count. */
export function VirtualGrid(props: VirtualGridProps) {
  const { rowCount, headHeight, headRows, keyOf, selected, onSelect } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLTableElement>(null);
  const scrollTop = useSignal(0);
  const size = useSignal({ width: 480, height: 600 });
  /** Place of the row that keys move from. */
  const current = useSignal(0);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [size]);

  const reveal = (place: number) => {
    const element = scroller.current;
    if (element === null) return;
    const top = place * ROW_HEIGHT;
    const bottom = top + ROW_HEIGHT + headHeight;
    // Just so far that the row is seen below the headings.
    if (element.scrollTop > top) element.scrollTop = top;
    else if (element.scrollTop + element.clientHeight < bottom) element.scrollTop = bottom - element.clientHeight;
  };

  // The row of what was selected elsewhere, unless the reader is in the table just now.
  // Another order alone must not move the table under the reader.
  useEffect(() => {
    if (selected === -1 || scroller.current?.contains(document.activeElement)) return;
    for (let place = 0; place < rowCount; place++) {
      if (keyOf(place) !== selected) continue;
      current.value = place;
      reveal(place);
      return;
    }
  }, [selected]);

  const select = (place: number) => {
    if (place < 0 || place >= rowCount) return;
    current.value = place;
    onSelect(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== grid.current) return;
    const page = Math.max(Math.floor(size.peek().height / ROW_HEIGHT) - 2, 1);
    const moves = new Map([
      ['ArrowDown', 1],
      ['ArrowUp', -1],
      ['PageDown', page],
      ['PageUp', -page],
      ['Home', -rowCount],
      ['End', rowCount],
    ]);
    const move = moves.get(event.key);
    if (move !== undefined) {
      current.value = Math.min(Math.max(current.peek() + move, 0), Math.max(rowCount - 1, 0));
      reveal(current.peek());
    } else if (event.key === 'Enter' || event.key === ' ') select(current.peek());
    else return;
    event.preventDefault();
  };

  const [first, end] = visibleRows(rowCount, scrollTop.value, size.value.height, ROW_HEIGHT);
  const place = Math.min(current.value, rowCount - 1);
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
        aria-label={props.label}
        aria-rowcount={rowCount + headRows}
        aria-activedescendant={place >= first && place < end ? `function-${place}` : undefined}
        tabIndex={0}
        ref={grid}
        onKeyDown={onKeyDown}
      >
        {props.head}
        <tbody>
          <Spare rows={first} columns={props.columnCount} />
          {Array.from({ length: end - first }, (_, index) => {
            const at = first + index;
            const key = keyOf(at);
            return (
              <tr
                key={key}
                id={`function-${at}`}
                class={at === place ? 'current' : ''}
                aria-rowindex={at + 1 + headRows}
                aria-selected={key === selected}
                onClick={() => select(at)}
              >
                {props.cells(at, size.value.width)}
              </tr>
            );
          })}
          <Spare rows={rowCount - end} columns={props.columnCount} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for rows that are out of sight. */
function Spare({ rows, columns }: { rows: number; columns: number }) {
  if (rows <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus
    <tr class="spare" aria-hidden="true">
      <td colSpan={columns} style={{ height: `${rows * ROW_HEIGHT}px` }} />
    </tr>
  );
}
