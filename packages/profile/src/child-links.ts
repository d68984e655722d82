import { PilotlightError } from './errors.js';
import { NO_PARENT } from './model.js';

/** A tree seen from above: for each row its first child and its next sibling, or −1. */
export interface ChildLinks {
  /** First row without a parent. */
  readonly root: number;
  readonly first: Int32Array;
  readonly next: Int32Array;
}

/** Links the rows of a parent column; siblings come in the order in which `ranked` (default: the rows as they are) names them. */
export function childLinks(parent: Int32Array, length: number, ranked?: Int32Array): ChildLinks {
  const first = new Int32Array(length).fill(-1);
  const next = new Int32Array(length).fill(-1);
  let root = -1;
  // Each row is put before its siblings, so the walk goes backwards.
  for (let i = length - 1; i >= 0; i--) {
    const row = ranked === undefined ? i : (ranked[i] as number);
    const above = parent[row] as number;
    if (above === NO_PARENT) {
      next[row] = root;
      root = row;
    } else {
      next[row] = first[above] as number;
      first[above] = row;
    }
  }
  return { root, first, next };
}

/** The rows in preorder: each parent before its children. Rows that hang on a cycle are a `malformed_profile`. */
export function preorder(parent: Int32Array, length: number, links: ChildLinks): Int32Array {
  const order = new Int32Array(length);
  let count = 0;
  let row = links.root;
  while (row !== -1) {
    order[count++] = row;
    let below = links.first[row] as number;
    while (below === -1 && row !== -1) {
      below = links.next[row] as number;
      row = parent[row] as number;
    }
    row = below;
  }
  if (count !== length) {
    throw new PilotlightError('malformed_profile', `${length - count} of ${length} nodes are their own ancestors`);
  }
  return order;
}
