import { OTHER_NAME } from '../cut-call-tree.js';
import { NO_PARENT } from '../model.js';
import { type DiffTree, diffTreeOf, structure } from './diff-tree.js';
import { type DiffBasis, larger } from './width-tree.js';

/**
 * The diff with only its heaviest nodes: the weight of a node is the larger of its two totals, by `basis`, and the threshold the
 * `maxNodes`-th largest weight, the root counted; ties stay. Children below it are summed, each side for itself, into one "other" after their
 * siblings. A function of that name is a node like any other (source of the rule, with `value`: what clients of the Pyroscope API expect).
 * The totals of both sides stay. With `maxNodes` of 0 or less nothing is cut.
 */
export function cutDiffTree(diff: DiffTree, maxNodes: number, basis: DiffBasis): DiffTree {
  const { length, parent, left, right } = diff;
  if (maxNodes <= 0 || length <= maxNodes) return diff;
  const weight = new Float64Array(length);
  for (let i = 0; i < length; i++) weight[i] = larger(diff, basis, left.total[i] as number, right.total[i] as number);
  const threshold = weight.slice().sort()[length - maxNodes] as number;

  const kept = new Uint8Array(length);
  kept[0] = 1;
  const otherLeft = new Float64Array(length);
  const otherRight = new Float64Array(length);
  let size = 1;
  for (let i = 1; i < length; i++) {
    const above = parent[i] as number;
    if (kept[above] === 0) continue;
    if ((weight[i] as number) >= threshold) {
      kept[i] = 1;
      size++;
    } else {
      otherLeft[above]! += left.total[i] as number;
      otherRight[above]! += right.total[i] as number;
    }
  }
  if (size === length) return diff;
  const hasOther = (node: number): boolean => otherLeft[node] !== 0 || otherRight[node] !== 0;
  for (let i = 0; i < length; i++) if (hasOther(i)) size++;

  const known = diff.names.indexOf(OTHER_NAME, 1);
  const otherName = known === -1 ? diff.names.length : known;
  const cut = structure(known === -1 ? [...diff.names, OTHER_NAME] : diff.names, size);
  const columns = Array.from({ length: 4 }, () => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const [leftSelf, leftTotal, rightSelf, rightTotal] = columns;
  const place = new Int32Array(length);
  let at = 0;
  let open = NO_PARENT;
  // An "other" follows everything else below its parent: it is written when the walk leaves the parent.
  const leaveTo = (node: number): void => {
    for (; open !== node; open = parent[open] as number) {
      if (!hasOther(open)) continue;
      cut.name[at] = otherName;
      cut.parent[at] = place[open] as number;
      cut.depth[at] = (diff.depth[open] as number) + 1;
      leftSelf[at] = leftTotal[at] = otherLeft[open] as number;
      rightSelf[at] = rightTotal[at] = otherRight[open] as number;
      at++;
    }
  };
  for (let i = 0; i < length; i++) {
    if (kept[i] === 0) continue;
    leaveTo(parent[i] as number);
    open = i;
    place[i] = at;
    cut.name[at] = diff.name[i] as number;
    cut.parent[at] = i === 0 ? NO_PARENT : (place[parent[i] as number] as number);
    cut.depth[at] = diff.depth[i] as number;
    leftSelf[at] = left.self[i] as number;
    leftTotal[at] = left.total[i] as number;
    rightSelf[at] = right.self[i] as number;
    rightTotal[at] = right.total[i] as number;
    at++;
  }
  leaveTo(NO_PARENT);
  return diffTreeOf(cut, size, [leftSelf, leftTotal], [rightSelf, rightTotal]);
}
