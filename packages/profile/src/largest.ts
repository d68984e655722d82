/**
 * The `count`-th largest of the values, which end up in another order; 1 ≤ `count` ≤ their number. Quickselect with three parts: totals of a call tree
 * are mostly equal to many others, and two parts would be quadratic in them.
 */
export function nthLargest(values: Float64Array, count: number): number {
  let from = 0;
  let to = values.length;
  for (;;) {
    const pivot = middleOf(values[from] as number, values[(from + to) >> 1] as number, values[to - 1] as number);
    // [from, larger) is above the pivot, [larger, at) equal to it, [smaller, to) below it.
    let larger = from;
    let smaller = to;
    for (let at = from; at < smaller; ) {
      const value = values[at] as number;
      if (value > pivot) {
        values[at++] = values[larger] as number;
        values[larger++] = value;
      } else if (value < pivot) {
        values[at] = values[--smaller] as number;
        values[smaller] = value;
      } else at++;
    }
    if (count <= larger) to = larger;
    else if (count > smaller) from = smaller;
    else return pivot;
  }
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
