import type { CallTree } from './call-tree.js';

/**
 * Functions with what they took, one row a name, in the order of their first node. Totals count a recursive function once: only its
 * outermost node on each path adds, so none exceeds the total of the tree.
 */
export interface TopTable {
  readonly length: number;
  /** Index into the names of the tree. */
  readonly name: Int32Array;
  readonly self: Float64Array;
  readonly total: Float64Array;
}

export function topTable(tree: CallTree): TopTable {
  const nameCount = tree.names.length;
  const rowOf = new Int32Array(nameCount).fill(-1);
  const name = new Int32Array(nameCount);
  const self = new Float64Array(nameCount);
  const total = new Float64Array(nameCount);
  let length = 0;
  // The names between the root and the current node, and how often each is among them.
  let path = new Int32Array(64);
  const onPath = new Int32Array(nameCount);
  let pathLength = 0;
  for (let i = 1; i < tree.length; i++) {
    const depth = tree.depth[i] as number;
    while (pathLength >= depth) onPath[path[--pathLength] as number]!--;
    if (pathLength === path.length) {
      const grown = new Int32Array(pathLength * 2);
      grown.set(path);
      path = grown;
    }
    const index = tree.name[i] as number;
    let row = rowOf[index] as number;
    if (row === -1) {
      row = length++;
      rowOf[index] = row;
      name[row] = index;
    }
    self[row] = (self[row] as number) + (tree.self[i] as number);
    if (onPath[index] === 0) total[row] = (total[row] as number) + (tree.total[i] as number);
    onPath[index]!++;
    path[pathLength++] = index;
  }
  return { length, name: name.slice(0, length), self: self.slice(0, length), total: total.slice(0, length) };
}
