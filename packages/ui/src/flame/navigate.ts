import type { CallTree } from '@pilotlight/profile';

/** A tree to walk in: what `subtreeEnds` gives comes along. */
export interface WalkedTree {
  readonly tree: CallTree;
  readonly ends: Int32Array;
}

/** Where an arrow key leads. −1: nowhere. */
export function parentOf({ tree }: WalkedTree, node: number): number {
  return tree.parent[node] as number;
}

/** Down leads to what matters: the child with the largest total, the first of equals. */
export function heaviestChild({ tree, ends }: WalkedTree, node: number): number {
  let heaviest = -1;
  const end = ends[node] as number;
  for (let child = node + 1; child < end; child = ends[child] as number) {
    if (heaviest === -1 || (tree.total[child] as number) > (tree.total[heaviest] as number)) heaviest = child;
  }
  return heaviest;
}

export function nextSibling({ tree, ends }: WalkedTree, node: number): number {
  const parent = tree.parent[node] as number;
  const next = ends[node] as number;
  return parent !== -1 && next < (ends[parent] as number) ? next : -1;
}

export function previousSibling(walked: WalkedTree, node: number): number {
  let before = -1;
  for (let each = firstSibling(walked, node); each !== node; each = walked.ends[each] as number) before = each;
  return before;
}

export function firstSibling({ tree }: WalkedTree, node: number): number {
  const parent = tree.parent[node] as number;
  return parent === -1 ? node : parent + 1;
}

export function lastSibling(walked: WalkedTree, node: number): number {
  let last = node;
  for (let next = node; next !== -1; next = nextSibling(walked, next)) last = next;
  return last;
}

/** Place among its siblings, from 1, and how many there are: what a screen reader says. */
export function siblingPlace(walked: WalkedTree, node: number): { position: number; count: number } {
  let position = 1;
  let count = 0;
  for (let each = firstSibling(walked, node); each !== -1; each = nextSibling(walked, each)) {
    count++;
    if (each === node) position = count;
  }
  return { position, count };
}

/** Whether `node` is `above` or below it. */
export function isWithin({ ends }: WalkedTree, node: number, above: number): boolean {
  return node >= above && node < (ends[above] as number);
}
