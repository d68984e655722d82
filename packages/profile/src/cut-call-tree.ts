import { addUpTotals } from './add-up-totals.js';
import type { CallTree } from './call-tree.js';
import { nthLargest } from './largest.js';

/** The name of what a cut takes together; existing nodes of that name are taken for an earlier cut and join it. */
export const OTHER_NAME = 'other';

/**
 * The tree with only its heaviest nodes. The threshold is the `maxNodes`-th largest total, the root not counted; ties stay, so
 * the result may have more nodes. Children below the threshold, and children called "other", are summed into one
 * "other" after their siblings (source of the rule: what clients of the Pyroscope API expect). The total stays.
 * With `maxNodes` of 0 or less nothing is below the threshold.
 */
export function cutCallTree(tree: CallTree, maxNodes: number): CallTree {
  const threshold = thresholdOf(tree, maxNodes);
  const other = tree.names.indexOf(OTHER_NAME, 1);
  const isCut = (node: number): boolean => (tree.total[node] as number) < threshold || tree.name[node] === other;

  const { length, parent } = tree;
  // Where a kept node goes, once its turn comes; −1: it went into an "other".
  const kept = new Uint8Array(length);
  const otherTotal = new Float64Array(length);
  kept[0] = 1;
  let size = 1;
  let othersCount = 0;
  for (let i = 1; i < length; i++) {
    const above = parent[i] as number;
    if (kept[above] === 0) continue;
    if (!isCut(i)) {
      kept[i] = 1;
      size++;
      continue;
    }
    const before = otherTotal[above] as number;
    const after = before + (tree.total[i] as number);
    otherTotal[above] = after;
    if (before === 0 && after !== 0) othersCount++;
    if (before !== 0 && after === 0) othersCount--;
  }
  if (size === length) return tree;

  const cut = {
    length: size + othersCount,
    names: other === -1 && othersCount > 0 ? [...tree.names, OTHER_NAME] : tree.names,
    name: new Int32Array(size + othersCount),
    parent: new Int32Array(size + othersCount),
    depth: new Int32Array(size + othersCount),
    self: new Float64Array(size + othersCount),
    total: new Float64Array(size + othersCount),
  };
  const otherName = other === -1 ? tree.names.length : other;
  const place = new Int32Array(length);
  let at = 0;
  // An "other" follows everything else below its parent: it is written when the walk leaves the parent.
  let open = -1;
  const leaveTo = (node: number): void => {
    for (; open !== node; open = parent[open] as number) {
      const total = otherTotal[open] as number;
      if (total === 0) continue;
      cut.name[at] = otherName;
      cut.parent[at] = place[open] as number;
      cut.depth[at] = (tree.depth[open] as number) + 1;
      cut.self[at] = total;
      at++;
    }
  };
  for (let i = 0; i < length; i++) {
    if (kept[i] === 0) continue;
    leaveTo(parent[i] as number);
    open = i;
    place[i] = at;
    cut.name[at] = tree.name[i] as number;
    cut.parent[at] = i === 0 ? -1 : (place[parent[i] as number] as number);
    cut.depth[at] = tree.depth[i] as number;
    cut.self[at] = tree.self[i] as number;
    at++;
  }
  leaveTo(-1);
  addUpTotals(cut);
  return cut;
}

function thresholdOf(tree: CallTree, maxNodes: number): number {
  if (maxNodes <= 0 || tree.length - 1 <= maxNodes) return Number.NEGATIVE_INFINITY;
  return nthLargest(tree.total.slice(1, tree.length), maxNodes);
}
