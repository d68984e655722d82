import type { CallTree, TopTable } from '@pilotlight/profile';
import type { TableSort } from '../view/view-state.js';

/**
 * The rows of a table in the order they are shown: those that match a search (`matches` by name index; undefined: all), without the one `hiddenName`. Equal
 * values are ordered by name, so that a refresh does not shuffle them.
 */
export function orderRows(
  tree: CallTree,
  table: TopTable,
  sort: TableSort,
  matches: Uint8Array | undefined,
  hiddenName: number,
): Int32Array {
  const rows: number[] = [];
  for (let row = 0; row < table.length; row++) {
    const name = table.name[row] as number;
    if (name !== hiddenName && (matches === undefined || matches[name] === 1)) rows.push(row);
  }
  const nameOf = (row: number) => tree.names[table.name[row] as number] as string;
  const byName = (a: number, b: number) => (nameOf(a) < nameOf(b) ? -1 : 1);
  const sign = sort.descending ? -1 : 1;
  if (sort.column === 'name') return Int32Array.from(rows.sort((a, b) => sign * byName(a, b)));
  const values = table[sort.column];
  return Int32Array.from(rows.sort((a, b) => sign * ((values[a] as number) - (values[b] as number)) || byName(a, b)));
}

/** Which rows of a fixed height can be seen: first, and one after the last, with a few to spare for the next scroll. */
export function visibleRows(count: number, scrollTop: number, height: number, rowHeight: number): [number, number] {
  const spare = 6;
  const first = Math.min(Math.max(Math.floor(scrollTop / rowHeight) - spare, 0), count);
  return [first, Math.min(Math.ceil((scrollTop + height) / rowHeight) + spare, count)];
}
