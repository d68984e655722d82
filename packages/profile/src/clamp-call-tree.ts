import { addUpTotals } from './add-up-totals.js';
import type { CallTree } from './call-tree.js';

/**
 * The tree with negative self values set to 0 and the totals added up again, and how many there were.
 *
 * A difference of two heap profiles has negative values; a picture of one tree has no room for them: with them a child can be
 * wider than its parent. The tree itself comes back when there is nothing to clamp.
 */
export function clampCallTree(tree: CallTree): { readonly tree: CallTree; readonly clampedCount: number } {
  let clampedCount = 0;
  for (let i = 0; i < tree.length; i++) if ((tree.self[i] as number) < 0) clampedCount++;
  if (clampedCount === 0) return { tree, clampedCount };
  const clamped = {
    ...tree,
    self: tree.self.map((value) => Math.max(value, 0)),
    total: new Float64Array(tree.length),
  };
  addUpTotals(clamped);
  return { tree: clamped, clampedCount };
}
