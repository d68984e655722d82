import type { CallTree } from '../call-tree.js';

/** A call tree as an indented list, `name self/total`, so that a difference can be read. */
export function drawnTree(tree: CallTree): string[] {
  return Array.from({ length: tree.length }, (_, i) => {
    const indent = '. '.repeat(tree.depth[i] as number);
    return `${indent}${tree.names[tree.name[i] as number]} ${tree.self[i]}/${tree.total[i]}`;
  });
}
