import type { CallTree } from './call-tree.js';
import { clampCallTree } from './clamp-call-tree.js';

/**
 * Where the bars of a flame graph lie, ready to be drawn: level by level, sorted by start, so that what is visible is
 * found by binary search. Positions are in the unit of the values, from 0 to `total`; the renderer scales.
 */
export interface FlameLayout {
  /** The full width: the total of the root, or of the node in focus. */
  readonly total: number;
  /** Index = depth; level 0 is the root. */
  readonly levels: readonly FlameLevel[];
}

export interface FlameLevel {
  readonly length: number;
  /** Nodes of the tree, ascending as well as sorted by start. */
  readonly node: Int32Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
}

export interface FlameLayoutOptions {
  /** This node takes the full width, and so do the nodes above it; what is not below it is left out. Default: the root. */
  readonly focus?: number;
}

/** A node's self time lies on its left, as in a flamebearer. Negative self values are drawn as 0, see `clampCallTree`. */
export function flameLayout(callTree: CallTree, options: FlameLayoutOptions = {}): FlameLayout {
  const { tree } = clampCallTree(callTree);
  const focus = options.focus ?? 0;
  if (!(focus >= 0 && focus < tree.length)) throw new RangeError(`no node ${focus} of ${tree.length}`);
  const total = tree.total[focus] as number;
  const focusDepth = tree.depth[focus] as number;
  let end = focus + 1;
  while (end < tree.length && (tree.depth[end] as number) > focusDepth) end++;

  const counts: number[] = [];
  for (let i = focus; i < end; i++) {
    const depth = (tree.depth[i] as number) - focusDepth;
    counts[depth] = (counts[depth] ?? 0) + 1;
  }
  const levels: FlameLevel[] = [];
  for (let node = tree.parent[focus] as number; node !== -1; node = tree.parent[node] as number) {
    levels.push({ length: 1, node: Int32Array.of(node), start: Float64Array.of(0), end: Float64Array.of(total) });
  }
  levels.reverse();
  for (const count of counts) {
    const [node, start, stop] = [new Int32Array(count), new Float64Array(count), new Float64Array(count)];
    levels.push({ length: count, node, start, end: stop });
  }

  const filled = new Int32Array(levels.length);
  const childStart = new Float64Array(end - focus);
  for (let i = focus; i < end; i++) {
    const above = (tree.parent[i] as number) - focus;
    const start = i === focus ? 0 : (childStart[above] as number);
    const stop = start + (tree.total[i] as number);
    if (i > focus) childStart[above] = stop;
    childStart[i - focus] = start + (tree.self[i] as number);
    const depth = tree.depth[i] as number;
    const level = levels[depth] as FlameLevel;
    const at = filled[depth]!++;
    level.node[at] = i;
    level.start[at] = start;
    level.end[at] = stop;
  }
  return { total, levels };
}
