import type { CallTree } from './call-tree.js';
import { ROOT_NAME } from './root-name.js';

/**
 * Names numbered as the clients of the Pyroscope API expect: at first sight in a walk that visits the last child first. A function
 * of the name `rootAlias` shares the root's number.
 */
export function namesInClientOrder(
  tree: Pick<CallTree, 'length' | 'names' | 'name' | 'parent'>,
  rootAlias: string,
): { names: string[]; nameOf: Int32Array } {
  const { length, parent } = tree;
  const last = new Int32Array(length).fill(-1);
  const before = new Int32Array(length).fill(-1);
  for (let i = 1; i < length; i++) {
    const above = parent[i] as number;
    before[i] = last[above] as number;
    last[above] = i;
  }
  const names = [ROOT_NAME];
  const nameOf = new Int32Array(tree.names.length).fill(-1);
  nameOf[0] = 0;
  const alias = tree.names.indexOf(rootAlias, 1);
  if (alias !== -1) nameOf[alias] = 0;
  let node = 0;
  while (node !== -1) {
    const name = tree.name[node] as number;
    if (nameOf[name] === -1) nameOf[name] = names.push(tree.names[name] as string) - 1;
    let below = last[node] as number;
    while (below === -1 && node !== -1) {
      below = before[node] as number;
      node = parent[node] as number;
    }
    node = below;
  }
  return { names, nameOf };
}
