import { beginComparison } from './address.js';
import type { View } from './view.js';

/** To the comparison with just before, and back. */
export function toggleComparison(view: View): void {
  const { compare, labels } = view.peek();
  view.change({ compare: compare === '' ? beginComparison(labels) : '' });
}
