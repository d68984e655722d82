import type { CallTree } from '@pilotlight/profile';

/** For each node the index after its last descendant: in preorder a subtree is a run. */
export function subtreeEnds(tree: CallTree): Int32Array {
  const { length, depth } = tree;
  const ends = new Int32Array(length).fill(length);
  const open: number[] = [];
  for (let i = 0; i < length; i++) {
    while (open.length > 0 && (depth[open[open.length - 1] as number] as number) >= (depth[i] as number)) {
      ends[open.pop() as number] = i;
    }
    open.push(i);
  }
  return ends;
}
