import { type CallTree, callTreeFromParents, NO_PARENT } from '@pilotlight/profile';

/** One function seen from both sides: trees whose roots are the function, with its name. Both have its total, in which recursion counts once. */
export interface CallersAndCallees {
  /** Below the root those that called it, below them those that called them. What a frame has of its own is what began there. */
  readonly callers: CallTree;
  /** What it called. */
  readonly callees: CallTree;
}

/** undefined when the function is not in the tree. */
export function callersAndCallees(tree: CallTree, name: string): CallersAndCallees | undefined {
  const wanted = tree.names.indexOf(name, 1);
  if (wanted === -1) return undefined;
  const rows = new RowTable(tree.names);
  const callees = new RowTable(tree.names);
  /** By node below the function: its row among the callees. */
  const rowOf = new Int32Array(tree.length);
  const isWithin = new Uint8Array(tree.length);
  for (let node = 1; node < tree.length; node++) {
    const above = tree.parent[node] as number;
    if (isWithin[above] === 1) {
      isWithin[node] = 1;
      rowOf[node] = callees.rowBelow(rowOf[above] as number, tree.name[node] as number);
      callees.add(rowOf[node] as number, tree.self[node] as number);
    } else if (tree.name[node] === wanted) {
      // The outermost on its path; those below it are among its callees.
      isWithin[node] = 1;
      rowOf[node] = NO_PARENT;
      callees.add(NO_PARENT, tree.self[node] as number);
      let row = NO_PARENT;
      for (let caller = above; caller > 0; caller = tree.parent[caller] as number) {
        row = rows.rowBelow(row, tree.name[caller] as number);
      }
      rows.add(row, tree.total[node] as number);
    }
  }
  return { callers: rows.tree(name), callees: callees.tree(name) };
}

/** Rows that know what is above them, each name once below each row. */
class RowTable {
  private readonly name: number[] = [];
  private readonly parent: number[] = [];
  private readonly self: number[] = [];
  private rootSelf = 0;
  private readonly rows = new Map<number, number>();

  constructor(private readonly names: readonly string[]) {}

  rowBelow(parent: number, name: number): number {
    const key = (parent + 1) * this.names.length + name;
    let row = this.rows.get(key);
    if (row === undefined) {
      row = this.name.push(name) - 1;
      this.parent.push(parent);
      this.self.push(0);
      this.rows.set(key, row);
    }
    return row;
  }

  add(row: number, value: number): void {
    if (row === NO_PARENT) this.rootSelf += value;
    else this.self[row] = (this.self[row] as number) + value;
  }

  tree(rootName: string): CallTree {
    const { names, self, rootSelf } = this;
    const [name, parent] = [Int32Array.from(this.name), Int32Array.from(this.parent)];
    const tree = callTreeFromParents({ names, name, parent, self, rootSelf });
    return { ...tree, names: [rootName, ...tree.names.slice(1)] };
  }
}
