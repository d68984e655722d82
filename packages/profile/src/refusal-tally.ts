import type { Refusal } from './model.js';

/** Counts what a reader leaves out: one row a reason, with a sentence on the first case. */
export class RefusalTally {
  private readonly rows = new Map<string, { count: number; first: string }>();

  /** `first` is asked only for the first case, so that a million refusals cost one sentence. */
  add(reason: string, first: () => string): void {
    const row = this.rows.get(reason);
    if (row === undefined) this.rows.set(reason, { count: 1, first: first() });
    else row.count++;
  }

  list(): Refusal[] {
    return Array.from(this.rows, ([reason, row]) => ({ reason, ...row }));
  }
}
