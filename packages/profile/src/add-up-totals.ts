import type { CallTree } from './call-tree.js';

/** Sets the totals from self: one pass backwards, since children come after their parents. */
export function addUpTotals(tree: CallTree): void {
  const { length, parent, self, total } = tree;
  total.set(self.subarray(0, length));
  for (let i = length - 1; i > 0; i--) {
    const above = parent[i] as number;
    total[above] = (total[above] as number) + (total[i] as number);
  }
}
