import { type CallTree, callTreeFromParents, NO_PARENT } from '@pilotlight/profile';
import type { Transform } from '../view/view-state.js';

/** The tree with all transforms applied, one after the other. A function that is not in it changes nothing, except that nothing is below it: `focus` leaves only the root. */
export function transformTree(tree: CallTree, transforms: readonly Transform[]): CallTree {
  return transforms.reduce((before, transform) => applyTransform(before, transform), tree);
}

/** Stands for a node that is left out with all it took. */
const DROPPED = -2;

function applyTransform(tree: CallTree, { kind, name }: Transform): CallTree {
  const wanted = tree.names.indexOf(name, 1);
  if (wanted === -1 && kind !== 'focus') return tree;
  const { length } = tree;
  /** By node: the node it becomes part of; 0 is the root. */
  const target = new Int32Array(length);
  const self = new Float64Array(length);
  const parent = new Int32Array(length);
  const isKept = new Uint8Array(length);
  /** By node: whether it is, or is below, the function. */
  const isWithin = new Uint8Array(length);
  let rootSelf = kind === 'focus' ? 0 : (tree.self[0] as number);
  for (let node = 1; node < length; node++) {
    const above = tree.parent[node] as number;
    const isWanted = tree.name[node] === wanted;
    const wasWithin = isWithin[above] === 1;
    if (isWanted || wasWithin) isWithin[node] = 1;
    const becomes = targetOf();
    target[node] = becomes;
    if (becomes === DROPPED) continue;
    if (becomes === node) {
      isKept[node] = 1;
      const upper = kind === 'focus' && !wasWithin ? 0 : (target[above] as number);
      parent[node] = upper;
    }
    if (becomes === 0) rootSelf += tree.self[node] as number;
    else self[becomes] = (self[becomes] as number) + (tree.self[node] as number);

    function targetOf(): number {
      const upper = target[above] as number;
      switch (kind) {
        case 'focus':
          return isWithin[node] === 1 ? node : DROPPED;
        case 'drop':
          return isWithin[node] === 1 ? DROPPED : node;
        case 'merge':
          return isWanted ? upper : node;
        case 'collapse':
          return wasWithin ? upper : node;
        case 'recursion':
          return isWanted && upper > 0 && tree.name[upper] === wanted ? upper : node;
      }
    }
  }
  return rowsToTree(tree, isKept, parent, self, rootSelf);
}

function rowsToTree(
  tree: CallTree,
  isKept: Uint8Array,
  parent: Int32Array,
  self: Float64Array,
  rootSelf: number,
): CallTree {
  let count = 0;
  for (const kept of isKept) count += kept;
  const row = new Int32Array(tree.length).fill(NO_PARENT);
  const rows = { name: new Int32Array(count), parent: new Int32Array(count), self: new Float64Array(count) };
  for (let node = 1, at = 0; node < tree.length; node++) {
    if (isKept[node] === 0) continue;
    rows.name[at] = tree.name[node] as number;
    rows.parent[at] = row[parent[node] as number] as number;
    rows.self[at] = self[node] as number;
    row[node] = at++;
  }
  return callTreeFromParents({ names: tree.names, ...rows, rootSelf });
}
