import type { CompareData, Side } from './compare-data.js';
import type { ChangeSort, ComparedValue } from './comparison.js';

/** What a column of the table holds for a row: a value of a side, or what changed, by the basis of the comparison. */
export function changeValue(data: CompareData, kind: ComparedValue, column: Side | 'change', row: number): number {
  const { table, basis } = data;
  if (column !== 'change') return table[column][kind][row] as number;
  if (basis === 'share') return table.change[kind][row] as number;
  return (table.right[kind][row] as number) - (table.left[kind][row] as number);
}

/**
 * The rows of the table in the order they are shown: those that match a search (`matches` by name index; undefined: all), without what the server
 * summed up. Equal values are ordered by name, so that a refresh does not shuffle them.
 */
export function orderChanges(data: CompareData, sort: ChangeSort, matches: Uint8Array | undefined): Int32Array {
  const { table, cut } = data;
  const rows: number[] = [];
  for (let row = 0; row < table.length; row++) {
    const name = table.name[row] as number;
    if (name !== cut.name && (matches === undefined || matches[name] === 1)) rows.push(row);
  }
  const sign = sort.descending ? -1 : 1;
  // Names of a diff are in order, so their indexes are.
  const byName = (a: number, b: number) => (table.name[a] as number) - (table.name[b] as number);
  if (sort.column === 'name') return Int32Array.from(rows.sort((a, b) => sign * byName(a, b)));
  const [kind, column] = sort.column.split('.') as [ComparedValue, Side | 'change'];
  const keys = Float64Array.from({ length: table.length }, (_, row) => changeValue(data, kind, column, row));
  return Int32Array.from(rows.sort((a, b) => sign * ((keys[a] as number) - (keys[b] as number)) || byName(a, b)));
}
