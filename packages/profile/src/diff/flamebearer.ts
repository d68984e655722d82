import { clampCallTree } from '../clamp-call-tree.js';
import { namesInClientOrder } from '../client-names.js';
import type { DiffTree } from './diff-tree.js';

/**
 * A diff as clients of the Pyroscope API take it: one list of bars a level, seven numbers a bar: gap to the end of the bar before it, total and
 * self on the left, the same three on the right, index into names.
 */
export interface DiffFlamebearer {
  readonly names: string[];
  readonly levels: number[][];
  /** Of both sides together. */
  readonly total: number;
  /** The largest of either side. */
  readonly maxSelf: number;
  readonly leftTicks: number;
  readonly rightTicks: number;
}

/** Negative self values are drawn as 0, see `clampCallTree`. */
export function toDiffFlamebearer(diff: DiffTree): DiffFlamebearer {
  // A function without a name shares the number of the root, which has none on the wire of a diff.
  const { names, nameOf } = namesInClientOrder(diff, '');
  const levels: number[][] = [];
  const sides = [diff.left, diff.right].map((side) => {
    const { tree } = clampCallTree(side);
    // Where the last bar of each level ends, and where the next child of each node starts.
    return { tree, levelEnd: [] as number[], childStart: new Float64Array(diff.length) };
  });
  let maxSelf = 0;
  for (let i = 0; i < diff.length; i++) {
    const depth = diff.depth[i] as number;
    const level = (levels[depth] ??= []);
    for (const { tree, levelEnd, childStart } of sides) {
      const above = diff.parent[i] as number;
      const self = tree.self[i] as number;
      const total = tree.total[i] as number;
      const start = i === 0 ? 0 : (childStart[above] as number);
      if (i > 0) childStart[above] = start + total;
      childStart[i] = start + self;
      level.push(start - (levelEnd[depth] ?? 0), total, self);
      levelEnd[depth] = start + total;
      maxSelf = Math.max(maxSelf, self);
    }
    level.push(nameOf[diff.name[i] as number] as number);
  }
  const [leftTicks, rightTicks] = sides.map(({ tree }) => tree.total[0] as number) as [number, number];
  return { names, levels, total: leftTicks + rightTicks, maxSelf, leftTicks, rightTicks };
}
