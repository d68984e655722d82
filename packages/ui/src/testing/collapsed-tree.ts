import { type CallTree, callTreeFromParents } from '@pilotlight/profile';

/** A call tree from lines such as `a;b;c 5`, for tests: the picture of the input is the input. */
export function collapsedTree(...lines: string[]): CallTree {
  return treeOfLines(lines);
}

/** The same for more lines than a call takes arguments. */
export function treeOfLines(lines: readonly string[]): CallTree {
  const names: string[] = [];
  const name: number[] = [];
  const parent: number[] = [];
  const self: number[] = [];
  for (const line of lines) {
    const blank = line.lastIndexOf(' ');
    let above = -1;
    for (const frame of line.slice(0, blank).split(';')) {
      names.push(frame);
      name.push(names.length - 1);
      parent.push(above);
      self.push(0);
      above = self.length - 1;
    }
    self[above] = Number(line.slice(blank + 1));
  }
  return callTreeFromParents({ names, name: Int32Array.from(name), parent: Int32Array.from(parent), self });
}

/** The first node of a name. */
export function nodeNamed(tree: CallTree, name: string): number {
  return tree.name.indexOf(tree.names.indexOf(name));
}

export function nameOf(tree: CallTree, node: number): string | undefined {
  return node === -1 ? undefined : tree.names[tree.name[node] as number];
}

/** A tree of about `nodes` frames, the same for the same seed: bushy, with sub-pixel leaves. */
export function randomTree(nodes: number, seed: number, nameCount = 1 + (nodes >> 4)): CallTree {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const names = Array.from({ length: nameCount }, (_, i) => `org.example.part${i % 37}.Class${i % 211}.method${i}`);
  const parent = new Int32Array(nodes);
  const name = new Int32Array(nodes);
  const self = new Float64Array(nodes);
  for (let i = 0; i < nodes; i++) {
    // Parents among the latest nodes make it deep, some from everywhere make it wide.
    parent[i] =
      i === 0 ? -1 : random() < 0.7 ? Math.max(0, i - 1 - Math.floor(random() * 12)) : Math.floor(random() * i);
    name[i] = Math.floor(random() ** 2 * nameCount);
    self[i] = 1 + Math.floor(random() ** 8 * 1_000_000);
  }
  return callTreeFromParents({ names, name, parent, self });
}
