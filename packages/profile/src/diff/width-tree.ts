import { addUpTotals } from '../add-up-totals.js';
import type { CallTree } from '../call-tree.js';
import { share } from './diff-table.js';
import type { DiffTree } from './diff-tree.js';

/** By which values two sides are compared: as they are, or as parts of their whole, so that unequal ranges compare. */
export type DiffBasis = 'share' | 'value';

/**
 * How wide each node of a diff is drawn, as a call tree of the same nodes for `flameLayout`: its self is the larger of both
 * sides, by `basis`, so that what vanished and what is new both show. Its totals are sums of that, and so no value of either side.
 */
export function widthTree(diff: DiffTree, basis: DiffBasis): CallTree {
  const self = new Float64Array(diff.length);
  for (let i = 0; i < diff.length; i++)
    self[i] = larger(diff, basis, diff.left.self[i] as number, diff.right.self[i] as number);
  const { length, names, name, parent, depth } = diff;
  const tree = { length, names, name, parent, depth, self, total: new Float64Array(length) };
  addUpTotals(tree);
  return tree;
}

/** The larger of two sides' values, by `basis`. */
export function larger(diff: DiffTree, basis: DiffBasis, left: number, right: number): number {
  if (basis === 'value') return Math.max(left, right);
  return Math.max(share(left, diff.left.total[0] as number), share(right, diff.right.total[0] as number));
}
