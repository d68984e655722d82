import { arrange } from './arrange.js';
import { childLinks, preorder } from './child-links.js';
import { NO_PARENT, type Profile } from './model.js';
import { PairIndex } from './pair-index.js';
import { ROOT_NAME } from './root-name.js';

/**
 * A call tree: stacks merged by function name, whatever the file and line.
 *
 * Nodes are in preorder, so a parent comes before its children and the nodes below `i` are the run after `i` that is
 * deeper. Node 0 is the root; it stands for all stacks, and `names[0]`, "total", is its name and nobody else's (a function
 * called "total" has an index of its own). Siblings are in name order (by code unit) and differ in name, except that
 * `cutCallTree` puts its "other" last and `fromFlamebearer` keeps the order it is given.
 * Values are in the unit of the sample type the tree was made of.
 */
export interface CallTree {
  readonly length: number;
  readonly names: readonly string[];
  /** Index into names. */
  readonly name: Int32Array;
  /** −1 for node 0. */
  readonly parent: Int32Array;
  /** 0 for node 0. */
  readonly depth: Int32Array;
  /** What the function itself took. */
  readonly self: Float64Array;
  /** Self and everything below. */
  readonly total: Float64Array;
}

/** A table of nodes that know their parents, in any order; several rows may mean the same node. */
export interface ParentTable {
  readonly names: readonly string[];
  /** Index into names. */
  readonly name: Int32Array;
  /** Index of a row, or NO_PARENT. */
  readonly parent: Int32Array;
  readonly self: ArrayLike<number>;
  /** Rows in use; default all. */
  readonly length?: number;
  /** What belongs to no stack at all; default 0. */
  readonly rootSelf?: number;
}

/** The tree of one value of a profile. Nodes that no sample with a value other than 0 leads to are not in it. */
export function callTree(profile: Profile, valueIndex: number): CallTree {
  const { stacks, samples } = profile;
  const { nodes, frames } = stacks;
  const column = samples.values[valueIndex];
  if (column === undefined) throw new RangeError(`no sample type ${valueIndex} of ${samples.values.length}`);
  const self = new Float64Array(nodes.length);
  for (let i = 0; i < samples.length; i++) {
    const node = samples.node[i] as number;
    self[node] = (self[node] as number) + (column[i] as number);
  }
  const name = new Int32Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) name[i] = frames.name[nodes.frame[i] as number] as number;
  return callTreeFromParents({ names: stacks.strings, name, parent: nodes.parent, self, length: nodes.length });
}

/**
 * The tree of a table of nodes. Rows of equal name under the same node become one; rows with nothing but zeros in and
 * below them are left out. A table with a cycle is a `malformed_profile`.
 */
export function callTreeFromParents(table: ParentTable): CallTree {
  const length = table.length ?? table.parent.length;
  const order = parentsFirst(table.parent, length);
  const rows = liveRows(table, order, length);
  const { names, nameOf } = usedNames(table, rows);

  // Merge: a row's node is known once its parent's is.
  const merged = PairIndex.sizedFor(rows.length);
  const nodeOf = new Int32Array(length);
  for (const row of rows) {
    const above = table.parent[row] as number;
    nodeOf[row] = merged.indexOf(above === NO_PARENT ? NO_PARENT : (nodeOf[above] as number), nameOf[row] as number);
  }
  const self = new Float64Array(merged.length);
  for (const row of rows) {
    const node = nodeOf[row] as number;
    self[node] = (self[node] as number) + (table.self[row] as number);
  }
  const byName = sortedByName(merged.second, merged.length, names.length);
  return arrange(names, merged.second, merged.first, self, merged.length, table.rootSelf ?? 0, byName);
}

/** The sum of trees, node by node. */
export function mergeCallTrees(trees: readonly CallTree[]): CallTree {
  const names: string[] = [];
  const indexOf = new Map<string, number>();
  let length = 0;
  let rootSelf = 0;
  for (const tree of trees) length += tree.length - 1;
  const name = new Int32Array(length);
  const parent = new Int32Array(length);
  const self = new Float64Array(length);
  let row = 0;
  for (const tree of trees) {
    const renamed = tree.names.map((text) => {
      let index = indexOf.get(text);
      if (index === undefined) {
        index = names.push(text) - 1;
        indexOf.set(text, index);
      }
      return index;
    });
    const offset = row - 1;
    rootSelf += tree.self[0] as number;
    for (let i = 1; i < tree.length; i++, row++) {
      const above = tree.parent[i] as number;
      name[row] = renamed[tree.name[i] as number] as number;
      parent[row] = above === 0 ? NO_PARENT : above + offset;
      self[row] = tree.self[i] as number;
    }
  }
  return callTreeFromParents({ names, name, parent, self, rootSelf });
}

/** Rows ordered parents first; undefined when they already are, which is what every table of ours is. */
function parentsFirst(parent: Int32Array, length: number): Int32Array | undefined {
  for (let i = 0; i < length; i++) {
    if ((parent[i] as number) >= i) return preorder(parent, length, childLinks(parent, length));
  }
  return undefined;
}

/** The rows with a value other than 0 in or below them, parents first. */
function liveRows(table: ParentTable, order: Int32Array | undefined, length: number): Int32Array {
  const live = new Uint8Array(length);
  let count = 0;
  for (let i = length - 1; i >= 0; i--) {
    const row = order === undefined ? i : (order[i] as number);
    if (table.self[row] !== 0) live[row] = 1;
    if (live[row] === 0) continue;
    count++;
    const above = table.parent[row] as number;
    if (above !== NO_PARENT) live[above] = 1;
  }
  const rows = new Int32Array(count);
  for (let i = 0, at = 0; i < length; i++) {
    const row = order === undefined ? i : (order[i] as number);
    if (live[row] === 1) rows[at++] = row;
  }
  return rows;
}

/** The root's name, then the distinct names of the rows, sorted: afterwards the order of indexes is the order of names. */
function usedNames(table: ParentTable, rows: Int32Array): { names: string[]; nameOf: Int32Array } {
  const used = new Uint8Array(table.names.length);
  for (const row of rows) used[table.name[row] as number] = 1;
  const sorted = table.names.filter((_, index) => used[index] === 1).sort();
  const names = [ROOT_NAME];
  const indexOf = new Map<string, number>();
  for (const text of sorted) {
    if (indexOf.has(text)) continue;
    indexOf.set(text, names.length);
    names.push(text);
  }
  const renamed = new Int32Array(table.names.length);
  for (let i = 0; i < used.length; i++) if (used[i] === 1) renamed[i] = indexOf.get(table.names[i] as string) as number;
  const nameOf = new Int32Array(table.name.length);
  for (const row of rows) nameOf[row] = renamed[table.name[row] as number] as number;
  return { names, nameOf };
}

/** The nodes ordered by name index: a counting sort, so that a tree of a million nodes sorts nothing but its names. */
function sortedByName(name: Int32Array, length: number, nameCount: number): Int32Array {
  const start = new Int32Array(nameCount + 1);
  for (let i = 0; i < length; i++) start[(name[i] as number) + 1]!++;
  for (let i = 0; i < nameCount; i++) start[i + 1] = (start[i + 1] as number) + (start[i] as number);
  const ordered = new Int32Array(length);
  for (let i = 0; i < length; i++) ordered[start[name[i] as number]!++] = i;
  return ordered;
}
