import { type CallTree, mergeCallTrees } from '../call-tree.js';
import { NO_PARENT } from '../model.js';
import { ROOT_NAME } from '../root-name.js';
import { type DiffTree, diffTreeOf, structure } from './diff-tree.js';

/**
 * Lays two trees over each other. The values stay as they are: sides of unequal totals are compared by share, see
 * `diffTable` and `widthTree`.
 *
 * Two trees in preorder whose siblings are in name order are merged as two sorted lists are: one walk, nothing looked up. At each step both
 * walks stand below the same node of the result, or the deeper one has yet to leave a node the other never had.
 */
export function diffCallTrees(leftTree: CallTree, rightTree: CallTree): DiffTree {
  const left = inNameOrder(leftTree);
  const right = inNameOrder(rightTree);
  const { names, ranks } = unitedNames([left, right]);
  const [leftRank, rightRank] = ranks as [Int32Array, Int32Array];

  const capacity = left.length + right.length - 1;
  const shape = structure(names, capacity);
  const leftSelf = new Float64Array(capacity);
  const leftTotal = new Float64Array(capacity);
  const rightSelf = new Float64Array(capacity);
  const rightTotal = new Float64Array(capacity);
  /** The last node of each depth: the parent of what comes next below it. */
  const lastAt = new Int32Array(Math.max(deepest(left), deepest(right)) + 1);
  let i = 0;
  let j = 0;
  let length = 0;
  while (i < left.length || j < right.length) {
    const leftDepth = i < left.length ? (left.depth[i] as number) : -1;
    const rightDepth = j < right.length ? (right.depth[j] as number) : -1;
    const leftName = i < left.length ? (leftRank[left.name[i] as number] as number) : -1;
    const rightName = j < right.length ? (rightRank[right.name[j] as number] as number) : -1;
    const takesLeft = leftDepth > rightDepth || (leftDepth === rightDepth && leftName <= rightName);
    const takesRight = rightDepth > leftDepth || (leftDepth === rightDepth && rightName <= leftName);
    const depth = takesLeft ? leftDepth : rightDepth;
    const node = length++;
    shape.name[node] = takesLeft ? leftName : rightName;
    shape.depth[node] = depth;
    shape.parent[node] = depth === 0 ? NO_PARENT : (lastAt[depth - 1] as number);
    lastAt[depth] = node;
    if (takesLeft) {
      leftSelf[node] = left.self[i] as number;
      leftTotal[node] = left.total[i] as number;
      i++;
    }
    if (takesRight) {
      rightSelf[node] = right.self[j] as number;
      rightTotal[node] = right.total[j] as number;
      j++;
    }
  }
  return diffTreeOf(shape, length, [leftSelf, leftTotal], [rightSelf, rightTotal]);
}

/** The tree a side was made of: what has a value other than 0 there, in or below it. */
export function sideOf(diff: DiffTree, side: 'left' | 'right'): CallTree {
  return mergeCallTrees([diff[side]]);
}

/** The root's name and the names of all trees in order, and for each tree what became of its indexes. */
function unitedNames(trees: readonly CallTree[]): { names: string[]; ranks: Int32Array[] } {
  const distinct = new Set<string>();
  for (const tree of trees) for (let i = 1; i < tree.names.length; i++) distinct.add(tree.names[i] as string);
  const names = [ROOT_NAME, ...[...distinct].sort()];
  const rankOf = new Map<string, number>();
  for (let i = 1; i < names.length; i++) rankOf.set(names[i] as string, i);
  const ranks = trees.map((tree) =>
    // The first is the root's and nobody else's, whatever it reads.
    Int32Array.from(tree.names, (name, index) => (index === 0 ? 0 : (rankOf.get(name) as number))),
  );
  return { names, ranks };
}

/** The tree itself when its siblings are in name order and differ in name, as those of `callTree` do; else the same tree arranged so. */
function inNameOrder(tree: CallTree): CallTree {
  const before = new Int32Array(tree.length).fill(-1);
  for (let i = 1; i < tree.length; i++) {
    const above = tree.parent[i] as number;
    const last = before[above] as number;
    if (last !== -1 && !(nameOf(tree, last) < nameOf(tree, i))) return mergeCallTrees([tree]);
    before[above] = i;
  }
  return tree;
}

function nameOf(tree: CallTree, node: number): string {
  return tree.names[tree.name[node] as number] as string;
}

function deepest(tree: CallTree): number {
  let depth = 0;
  for (let i = 0; i < tree.length; i++) depth = Math.max(depth, tree.depth[i] as number);
  return depth;
}
