import { topTable } from '../top-table.js';
import type { DiffTree } from './diff-tree.js';

/**
 * Functions with what they took on each side and how their share of the whole changed: the table of what grew. One row a name, in the order of
 * their first node; recursion counts once, as in `topTable`.
 */
export interface DiffTable {
  readonly length: number;
  /** Index into the names of the diff. */
  readonly name: Int32Array;
  readonly left: DiffColumns;
  readonly right: DiffColumns;
  /** Right share less left share, −1 to 1: 0.02 is "2 % of the whole more than before". */
  readonly change: DiffColumns;
}

export interface DiffColumns {
  readonly self: Float64Array;
  readonly total: Float64Array;
}

export function diffTable(diff: DiffTree): DiffTable {
  // Both walks see the same nodes, so the rows are the same.
  const left = topTable(diff.left);
  const right = topTable(diff.right);
  const { length, name } = left;
  const change = { self: new Float64Array(length), total: new Float64Array(length) };
  for (let i = 0; i < length; i++) {
    change.self[i] = shareChange(diff, left.self[i] as number, right.self[i] as number);
    change.total[i] = shareChange(diff, left.total[i] as number, right.total[i] as number);
  }
  return { length, name, left, right, change };
}

/** By how much the share of something changed that took these values. A side that is empty as a whole has no shares but 0. */
export function shareChange(diff: DiffTree, left: number, right: number): number {
  return share(right, diff.right.total[0] as number) - share(left, diff.left.total[0] as number);
}

/** A part of a whole; 0 where there is no whole. */
export function share(value: number, whole: number): number {
  return whole > 0 ? value / whole : 0;
}
