import { addUpTotals } from './add-up-totals.js';
import type { CallTree } from './call-tree.js';
import { childLinks, preorder } from './child-links.js';
import { NO_PARENT } from './model.js';

/**
 * Arranges distinct nodes as a call tree: preorder, depths, totals. `name` is an index into names, whose first is the
 * root's. Siblings come in the order in which `ranked` names them; default: as they are.
 */
export function arrange(
  names: readonly string[],
  name: Int32Array,
  parent: Int32Array,
  self: ArrayLike<number>,
  length: number,
  rootSelf: number,
  ranked?: Int32Array,
): CallTree {
  const order = preorder(parent, length, childLinks(parent, length, ranked));
  const size = length + 1;
  const tree = {
    length: size,
    names,
    name: new Int32Array(size),
    parent: new Int32Array(size),
    depth: new Int32Array(size),
    self: new Float64Array(size),
    total: new Float64Array(size),
  };
  const place = new Int32Array(length);
  tree.parent[0] = NO_PARENT;
  tree.self[0] = rootSelf;
  for (let i = 0; i < length; i++) {
    const row = order[i] as number;
    const above = parent[row] as number;
    const parentPlace = above === NO_PARENT ? 0 : (place[above] as number);
    place[row] = i + 1;
    tree.name[i + 1] = name[row] as number;
    tree.parent[i + 1] = parentPlace;
    tree.depth[i + 1] = (tree.depth[parentPlace] as number) + 1;
    tree.self[i + 1] = self[row] as number;
  }
  addUpTotals(tree);
  return tree;
}
