import { type CompareData, emptySides, scaleOf } from './compare-data.js';
import type { ComparedValue } from './comparison.js';

/** How much more or less, in steps that can be told apart and named: −4 is gone, 0 about the same, 4 new. */
export type ChangeStep = -4 | -3 | -2 | -1 | 0 | 1 | 2 | 3 | 4;

export const CHANGE_STEPS: readonly ChangeStep[] = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

/** The lower bounds of steps 1, 2 and 3, as the change ÷ the larger of both sides: 5 %, a quarter more, twice as much; and the same way down. */
const BOUNDS = [0.0476, 0.2, 0.5] as const;

/** Where a step begins, for the legend: in words short enough to stand on a colour. */
export const STEP_TEXTS: ReadonlyMap<ChangeStep, string> = new Map([
  [-4, '− gone'],
  [-3, '− halved'],
  [-2, '−20 %'],
  [-1, '−5 %'],
  [0, 'same'],
  [1, '+5 %'],
  [2, '+25 %'],
  [3, '+ doubled'],
  [4, '+ new'],
]);

/** `change` is right − left, `larger` the larger of both sides. */
export function changeStep(change: number, larger: number, isOnBoth: boolean): ChangeStep {
  if (!(larger > 0)) return 0;
  // A change of exactly a bound reaches it, also where the digits of shares do not come out even.
  const size = Math.abs(change) / larger + 1e-9;
  const step = !isOnBoth ? 4 : size >= BOUNDS[2] ? 3 : size >= BOUNDS[1] ? 2 : size >= BOUNDS[0] ? 1 : 0;
  return (change < 0 ? -step : step) as ChangeStep;
}

/**
 * The step of each node. By self, a change is measured against the whole frame too, so that a frame is only as loud as the part of it that
 * changed. With nothing on one side there is nothing to compare with, and everything is "the same".
 */
export function nodeSteps(data: CompareData, of: ComparedValue): Int8Array {
  const { diff } = data;
  const steps = new Int8Array(diff.length);
  if (emptySides(data).length > 0) return steps;
  const [leftScale, rightScale] = [scaleOf(data, 'left'), scaleOf(data, 'right')];
  const [leftTotal, rightTotal] = [diff.left.total, diff.right.total];
  const [leftOf, rightOf] = [diff.left[of], diff.right[of]];
  for (let i = 0; i < diff.length; i++) {
    const left = (leftTotal[i] as number) * leftScale;
    const right = (rightTotal[i] as number) * rightScale;
    const isOnBoth = left > 0 && right > 0;
    // What is on one side only is new or gone, whatever part of it is its own.
    const change = isOnBoth ? (rightOf[i] as number) * rightScale - (leftOf[i] as number) * leftScale : right - left;
    steps[i] = changeStep(change, Math.max(left, right), isOnBoth);
  }
  return steps;
}
