import type { TimelineData } from '../data/timeline-data.js';

/** Steps of a timeline marked by keys: from the one where marking began to the one where it is. −1: none. */
export interface Brush {
  readonly anchor: number;
  readonly at: number;
}

export const NO_BRUSH: Brush = { anchor: -1, at: -1 };

/** Where a key leads among `count` steps; with Shift, what is marked grows or shrinks. undefined: the key means nothing here. */
export function moveBrush(brush: Brush, key: string, shift: boolean, count: number): Brush | undefined {
  const large = Math.max(Math.round(count / 10), 1);
  const from = brush.at === -1 ? count : brush.at;
  const to = new Map([
    ['ArrowLeft', from - 1],
    ['ArrowRight', from + 1],
    ['PageUp', from - large],
    ['PageDown', from + large],
    ['Home', 0],
    ['End', count - 1],
  ]).get(key);
  if (to === undefined || count === 0) return undefined;
  const at = Math.min(Math.max(to, 0), count - 1);
  return { anchor: shift && brush.anchor !== -1 ? brush.anchor : at, at };
}

/** The stretch of time that is marked, in milliseconds: whole steps. */
export function brushedRange(
  { times, stepSeconds }: TimelineData,
  { anchor, at }: Brush,
): [start: number, end: number] {
  const [first, last] = [Math.min(anchor, at), Math.max(anchor, at)];
  return [((times[first] as number) - stepSeconds) * 1_000, (times[last] as number) * 1_000];
}
