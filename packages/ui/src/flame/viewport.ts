import type { FlameLayout, FlameLevel } from '@pilotlight/profile';

/** The part of a layout that is shown, and how large. Lengths in CSS pixels. */
export interface FlameViewport {
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  /** The values at the left and the right edge, in the unit of the layout. */
  readonly start: number;
  readonly end: number;
  readonly rowHeight: number;
  /** A root at the bottom lies there also when the graph is lower than the viewport. */
  readonly rootAt: 'top' | 'bottom';
  /** Levels above this one only tell where the zoomed frame comes from. */
  readonly zoomDepth: number;
  /** Device pixels a CSS pixel. */
  readonly pixelRatio: number;
  /** A fixed-pitch font, and the width of each of its signs: no label is ever measured. */
  readonly font: string;
  readonly glyphWidth: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Takes the bars of a level that can be seen; those too thin to be told apart come as one run. Positions lie within the viewport. */
export interface LevelVisitor {
  bar(index: number, x: number, width: number): void;
  /** Bars `first` to `last`. */
  run(first: number, last: number, x: number, width: number): void;
}

/** Narrower than a pixel, a bar joins its neighbours. */
const BAR_PIXELS_MIN = 1;

/**
 * Visits one level. The work is bounded by the pixels of the row, not by the bars of the level: the first visible bar is found by
 * binary search, and below a pixel the search gallops from pixel to pixel.
 */
export function visitLevel(level: FlameLevel, viewport: FlameViewport, visitor: LevelVisitor): void {
  const { start: from, end: to, width } = viewport;
  const scale = width / (to - from);
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) return;
  const left = (index: number) => ((level.start[index] as number) - from) * scale;
  const right = (index: number) => ((level.end[index] as number) - from) * scale;
  const { length } = level;
  let index = firstEndingAfter(level, from, 0);
  while (index < length && (level.start[index] as number) < to) {
    const x = left(index);
    let end = right(index);
    if (end - x >= BAR_PIXELS_MIN) {
      const clipped = Math.max(x, 0);
      visitor.bar(index, clipped, Math.min(end, width) - clipped);
      index++;
      continue;
    }
    const first = index;
    for (;;) {
      const after = firstEndingAfter(level, from + (end + BAR_PIXELS_MIN) / scale, index + 1);
      if (after > index + 1) index = after - 1;
      else if (after < length && left(after) - end < BAR_PIXELS_MIN && right(after) - left(after) < BAR_PIXELS_MIN)
        index = after;
      else break;
      end = right(index);
      if (end >= width) break;
    }
    const clipped = Math.max(x, 0);
    visitor.run(first, index, clipped, Math.min(end, width) - clipped);
    index++;
  }
}

/** The levels that can be seen: first, and one after the last. */
export function visibleLevels(layout: FlameLayout, viewport: FlameViewport): { first: number; end: number } {
  const near = levelAt(layout, viewport, 0);
  const far = levelAt(layout, viewport, viewport.height - 1);
  const { length } = layout.levels;
  return { first: Math.min(Math.max(Math.min(near, far), 0), length), end: Math.min(Math.max(near, far) + 1, length) };
}

/** Where the row of a level begins, from the top of the viewport. */
export function levelTop(layout: FlameLayout, viewport: FlameViewport, depth: number): number {
  const { rowHeight, scrollTop } = viewport;
  const top = viewport.rootAt === 'top' ? depth * rowHeight : bottomOf(layout, viewport) - (depth + 1) * rowHeight;
  return top - scrollTop;
}

/** The level a height of the viewport lies in; there may be none of that number. */
function levelAt(layout: FlameLayout, viewport: FlameViewport, y: number): number {
  const { rowHeight, scrollTop } = viewport;
  const height = y + scrollTop;
  return Math.floor((viewport.rootAt === 'top' ? height : bottomOf(layout, viewport) - 1 - height) / rowHeight);
}

function bottomOf(layout: FlameLayout, { rowHeight, height }: FlameViewport): number {
  return Math.max(layout.levels.length * rowHeight, height);
}

/** The node under a point of the viewport, −1 where there is none. */
export function nodeAt(layout: FlameLayout, viewport: FlameViewport, x: number, y: number): number {
  const level = layout.levels[levelAt(layout, viewport, y)];
  if (level === undefined || x < 0 || x >= viewport.width) return -1;
  const value = viewport.start + (x / viewport.width) * (viewport.end - viewport.start);
  const index = firstEndingAfter(level, value, 0);
  return index < level.length && (level.start[index] as number) <= value ? (level.node[index] as number) : -1;
}

/** Where a node is drawn, clipped at the sides; undefined when it lies beside the viewport. It may lie above or below. */
export function boxOf(layout: FlameLayout, viewport: FlameViewport, node: number, depth: number): Box | undefined {
  const level = layout.levels[depth];
  if (level === undefined) return undefined;
  const index = indexOfNode(level, node);
  if (index === -1) return undefined;
  const scale = viewport.width / (viewport.end - viewport.start);
  const x = Math.max(((level.start[index] as number) - viewport.start) * scale, 0);
  const end = Math.min(((level.end[index] as number) - viewport.start) * scale, viewport.width);
  if (end < 0 || x > viewport.width) return undefined;
  return { x, y: levelTop(layout, viewport, depth), width: end - x, height: viewport.rowHeight };
}

/** The bar of a node: nodes of a level ascend. −1 when it is not there. */
export function indexOfNode(level: FlameLevel, node: number): number {
  let low = 0;
  let high = level.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = level.node[middle] as number;
    if (found === node) return middle;
    if (found < node) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The first bar from `begin` on that ends after a value. It gallops, since it is mostly near. */
function firstEndingAfter(level: FlameLevel, value: number, begin: number): number {
  const { end, length } = level;
  let low = begin;
  let step = 1;
  while (low + step < length && (end[low + step] as number) <= value) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((end[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
