import { type CallTree, callTreeFromParents } from '@pilotlight/profile';

/** The rows of a service's tree merged by function name: parents before children, no two with equal parent and name. */
export interface MergedRows {
  readonly strings: readonly string[];
  /** Row of the parent, or −1. */
  readonly mergedParent: Int32Array;
  /** Index into strings. */
  readonly mergedName: Int32Array;
  readonly mergedLength: number;
}

/**
 * The shape of every call tree of a service: all its rows in preorder, siblings in name order. To sort names and link siblings is most of the work of a
 * call tree and the same for each question, so it is done once; a question only picks the nodes that have a value.
 */
export class MergedTree {
  private readonly shape: CallTree;
  /** Row of each node of the shape; −1 for the root. */
  private readonly row: Int32Array;

  constructor({ strings, mergedName, mergedParent, mergedLength }: MergedRows) {
    // Any self value but 0 keeps a row, so the rows themselves travel as such.
    const self = new Float64Array(mergedLength);
    for (let row = 0; row < mergedLength; row++) self[row] = row + 1;
    this.shape = callTreeFromParents({
      names: strings,
      name: mergedName,
      parent: mergedParent,
      self,
      length: mergedLength,
    });
    this.row = new Int32Array(this.shape.length);
    for (let i = 0; i < this.row.length; i++) this.row[i] = (this.shape.self[i] as number) - 1;
  }

  /** Rows it was made of. */
  get rows(): number {
    return this.shape.length - 1;
  }

  /** The call tree of self values by row; rows past the end of `self` have none. Without the nodes that have zeros only in and below them. */
  callTree(self: Float64Array): CallTree {
    const { shape, row } = this;
    const live = new Uint8Array(shape.length);
    const total = new Float64Array(shape.length);
    let length = 1;
    for (let i = shape.length - 1; i > 0; i--) {
      const own = self[row[i] as number] ?? 0;
      if (own === 0 && live[i] === 0) continue;
      const above = shape.parent[i] as number;
      total[i] = (total[i] as number) + own;
      total[above] = (total[above] as number) + (total[i] as number);
      live[i] = 1;
      live[above] = 1;
      length++;
    }
    const tree = {
      length,
      name: new Int32Array(length),
      parent: new Int32Array(length),
      depth: new Int32Array(length),
      self: new Float64Array(length),
      total: new Float64Array(length),
    };
    const place = new Int32Array(shape.length);
    const used = new Uint8Array(shape.names.length);
    tree.parent[0] = -1;
    tree.total[0] = total[0] as number;
    used[0] = 1;
    for (let i = 1, at = 1; i < shape.length; i++) {
      if (live[i] === 0) continue;
      place[i] = at;
      tree.name[at] = shape.name[i] as number;
      tree.parent[at] = place[shape.parent[i] as number] as number;
      tree.depth[at] = shape.depth[i] as number;
      tree.self[at] = self[row[i] as number] ?? 0;
      tree.total[at] = total[i] as number;
      used[shape.name[i] as number] = 1;
      at++;
    }
    return { ...tree, names: usedNames(shape.names, used, tree.name) };
  }
}

/** The names in use, in their order; their indexes in `name` are changed to those among them. */
function usedNames(names: readonly string[], used: Uint8Array, name: Int32Array): string[] {
  const kept: string[] = [];
  const renamed = new Int32Array(names.length);
  for (let i = 0; i < names.length; i++) if (used[i] === 1) renamed[i] = kept.push(names[i] as string) - 1;
  for (let i = 0; i < name.length; i++) name[i] = renamed[name[i] as number] as number;
  return kept;
}
