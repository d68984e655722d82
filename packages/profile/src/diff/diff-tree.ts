import type { CallTree } from '../call-tree.js';

/**
 * Two call trees laid over each other: every stack of either, once, with the values of both sides.
 *
 * The structure is that of a `CallTree`: preorder, node 0 the root, siblings in name order, except that `cutDiffTree` puts its
 * "other" last. `left` and `right` are views of it: call trees that share the columns of the structure, so whatever takes a
 * call tree takes either side. A node that a side lacks has 0 there, so a view may hold nodes without a value; `sideOf` drops them.
 */
export interface DiffTree {
  readonly length: number;
  readonly names: readonly string[];
  readonly name: Int32Array;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  /** What it was before. */
  readonly left: CallTree;
  /** What it is now. */
  readonly right: CallTree;
}

/** The columns that make the structure of a tree. */
export interface Structure {
  readonly names: readonly string[];
  readonly name: Int32Array;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
}

export function structure(names: readonly string[], capacity: number): Structure {
  return {
    names,
    name: new Int32Array(capacity),
    parent: new Int32Array(capacity),
    depth: new Int32Array(capacity),
  };
}

/** A diff of columns that may have room past `length`; a side is its self and its total. */
export function diffTreeOf(
  { names, name, parent, depth }: Structure,
  length: number,
  [leftSelf, leftTotal]: readonly [Float64Array, Float64Array],
  [rightSelf, rightTotal]: readonly [Float64Array, Float64Array],
): DiffTree {
  const shape = {
    length,
    names,
    name: name.subarray(0, length),
    parent: parent.subarray(0, length),
    depth: depth.subarray(0, length),
  };
  const side = (self: Float64Array, total: Float64Array): CallTree => ({
    ...shape,
    self: self.subarray(0, length),
    total: total.subarray(0, length),
  });
  return { ...shape, left: side(leftSelf, leftTotal), right: side(rightSelf, rightTotal) };
}
