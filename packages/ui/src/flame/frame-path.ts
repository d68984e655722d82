import { type CallTree, pairId, textId } from '@pilotlight/profile';
import type { FrameLink } from '../view/view-state.js';

/** The root's path id; every other is a hash of its parent's and its own name, 52 bits, so it survives new data. */
const ROOT_PATH = 0;

const knownIds = new WeakMap<CallTree, Float64Array>();

/** The path id of each node: one hash a distinct name, one pass over the tree, kept as long as the tree. */
export function pathIds(tree: CallTree): Float64Array {
  let ids = knownIds.get(tree);
  if (ids === undefined) {
    ids = hashPaths(tree);
    knownIds.set(tree, ids);
  }
  return ids;
}

function hashPaths(tree: CallTree): Float64Array {
  const nameIds = tree.names.map((name) => textId(name));
  const ids = new Float64Array(tree.length);
  for (let i = 1; i < tree.length; i++) {
    ids[i] = pairId(ids[tree.parent[i] as number] as number, nameIds[tree.name[i] as number] as number);
  }
  return ids;
}

/** The names from below the root to the node. */
export function pathNames(tree: CallTree, node: number): string[] {
  const names: string[] = [];
  for (let at = node; at > 0; at = tree.parent[at] as number) names.push(tree.names[tree.name[at] as number] as string);
  return names.reverse();
}

export function linkTo(tree: CallTree, node: number): FrameLink {
  let pathId = ROOT_PATH;
  for (const name of pathNames(tree, node)) pathId = pairId(pathId, textId(name));
  return { pathId, name: tree.names[tree.name[node] as number] as string };
}

/** Where a link leads in a tree, and how it was found. */
export interface FoundFrame {
  readonly node: number;
  /** `ancestor`: the path ends earlier in this tree; `function`: only the name is known, and this is its heaviest frame. */
  readonly by: 'path' | 'ancestor' | 'function';
}

/**
 * Finds the frame of a link. When its path is gone, the nearest ancestor that is left (where `names`, the names of the path, are known), else
 * the heaviest frame of the same function; undefined when there is none either.
 */
export function findFrame(tree: CallTree, link: FrameLink, names?: readonly string[]): FoundFrame | undefined {
  if (link.pathId === ROOT_PATH) return { node: 0, by: 'path' };
  const node = pathIds(tree).indexOf(link.pathId);
  if (node > 0) return { node, by: 'path' };
  if (names !== undefined) {
    const ancestor = descend(tree, names);
    if (ancestor > 0) return { node: ancestor, by: 'ancestor' };
  }
  const heaviest = heaviestOf(tree, link.name);
  return heaviest === -1 ? undefined : { node: heaviest, by: 'function' };
}

/** The deepest node on a path of names. */
function descend(tree: CallTree, names: readonly string[]): number {
  let at = 0;
  let below = 1;
  for (const name of names) {
    const depth = (tree.depth[at] as number) + 1;
    let child = below;
    while (child < tree.length && (tree.depth[child] as number) >= depth) {
      if (tree.depth[child] === depth && tree.names[tree.name[child] as number] === name) break;
      child++;
    }
    if (child >= tree.length || (tree.depth[child] as number) < depth) return at;
    at = child;
    below = child + 1;
  }
  return at;
}

/** The frame of a function with the largest total; −1 when it has none. */
export function heaviestOf(tree: CallTree, name: string): number {
  let heaviest = -1;
  for (let i = 1; i < tree.length; i++) {
    if (tree.names[tree.name[i] as number] !== name) continue;
    if (heaviest === -1 || (tree.total[i] as number) > (tree.total[heaviest] as number)) heaviest = i;
  }
  return heaviest;
}
