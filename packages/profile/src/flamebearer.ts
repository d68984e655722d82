import { arrange } from './arrange.js';
import type { CallTree } from './call-tree.js';
import { clampCallTree } from './clamp-call-tree.js';
import { namesInClientOrder } from './client-names.js';
import { PilotlightError } from './errors.js';
import { NO_PARENT } from './model.js';
import { ROOT_NAME } from './root-name.js';

/**
 * A call tree as clients of the Pyroscope API take it: one list of bars a level, four numbers a bar:
 * gap to the end of the bar before it, total, self, index into names. A node's self time lies on its left.
 */
export interface Flamebearer {
  readonly names: string[];
  readonly levels: number[][];
  readonly total: number;
  readonly maxSelf: number;
}

/** Numbers a bar takes in a level. */
const BAR = 4;

/** Negative self values are drawn as 0, see `clampCallTree`. */
export function toFlamebearer(callTree: CallTree): Flamebearer {
  const { tree } = clampCallTree(callTree);
  const { names, nameOf } = namesInClientOrder(tree, ROOT_NAME);
  const levels: number[][] = [];
  // Where the last bar of each level ends, and where the next child of each node starts.
  const levelEnd: number[] = [];
  const childStart = new Float64Array(tree.length);
  let maxSelf = 0;
  for (let i = 0; i < tree.length; i++) {
    const above = tree.parent[i] as number;
    const self = tree.self[i] as number;
    const total = tree.total[i] as number;
    const start = i === 0 ? 0 : (childStart[above] as number);
    if (i > 0) childStart[above] = start + total;
    childStart[i] = start + self;
    const depth = tree.depth[i] as number;
    let level = levels[depth];
    if (level === undefined) {
      level = [];
      levels.push(level);
      levelEnd.push(0);
    }
    level.push(start - (levelEnd[depth] as number), total, self, nameOf[tree.name[i] as number] as number);
    levelEnd[depth] = start + total;
    if (self > maxSelf) maxSelf = self;
  }
  return { names, levels, total: tree.total[0] as number, maxSelf };
}

/**
 * The tree of a flamebearer; siblings keep their order. Bars that lie outside every bar of the level above, or name an
 * unknown name, are a `malformed_profile`.
 */
export function fromFlamebearer(flamebearer: Flamebearer): CallTree {
  const { levels } = flamebearer;
  const names = [ROOT_NAME, ...flamebearer.names];
  let length = 0;
  for (let depth = 1; depth < levels.length; depth++) length += barCount(levels[depth] as number[], depth);
  const name = new Int32Array(length);
  const parent = new Int32Array(length);
  const self = new Float64Array(length);
  const root = levels[0] ?? [0, 0, 0, 0];
  if (barCount(root, 0) !== 1) throw new PilotlightError('malformed_profile', 'level 0 is not one bar');

  let above: Bars = { first: NO_PARENT, start: [root[0] as number], end: [(root[0] as number) + (root[1] as number)] };
  let row = 0;
  for (let depth = 1; depth < levels.length; depth++) {
    const level = levels[depth] as number[];
    const bars: Bars = { first: row, start: [], end: [] };
    let end = 0;
    let over = 0;
    for (let at = 0; at < level.length; at += BAR, row++) {
      const start = end + (level[at] as number);
      end = start + (level[at + 1] as number);
      while (over < above.end.length && (above.end[over] as number) < end) over++;
      const index = level[at + 3] as number;
      const inside = over < above.end.length && start >= (above.start[over] as number) && end >= start;
      if (!inside || flamebearer.names[index] === undefined) {
        throw new PilotlightError('malformed_profile', `bar ${at / BAR} of level ${depth} has no place`);
      }
      parent[row] = depth === 1 ? NO_PARENT : above.first + over;
      name[row] = index + 1;
      self[row] = level[at + 2] as number;
      bars.start.push(start);
      bars.end.push(end);
    }
    above = bars;
  }
  return arrange(names, name, parent, self, length, root[2] as number);
}

interface Bars {
  /** Row of the first bar. */
  readonly first: number;
  readonly start: number[];
  readonly end: number[];
}

function barCount(level: readonly number[], depth: number): number {
  if (level.length % BAR !== 0) {
    throw new PilotlightError(
      'malformed_profile',
      `level ${depth} holds ${level.length} numbers, not a multiple of ${BAR}`,
    );
  }
  return level.length / BAR;
}
