import type { RefusalReport } from '@pilotlight/protocol';

/** Rows that are remembered; the row unused for longest goes first. */
const ROWS_MAX = 500;
const TEXT_MAX = 500;

/** The last refusals by service and reason: the answer to "why is my service missing?". */
export class RefusalLog {
  private readonly rows = new Map<string, RefusalReport>();

  add(service: string, reason: string, count: number, message: string): void {
    const name = service.slice(0, TEXT_MAX);
    const key = JSON.stringify([name, reason]);
    const before = this.rows.get(key)?.count ?? 0;
    this.rows.delete(key);
    this.rows.set(key, {
      service: name,
      reason,
      count: before + count,
      last: new Date().toISOString(),
      message: message.slice(0, TEXT_MAX),
    });
    for (const oldest of this.rows.keys()) {
      if (this.rows.size <= ROWS_MAX) break;
      this.rows.delete(oldest);
    }
  }

  /** The latest first. */
  list(): RefusalReport[] {
    return [...this.rows.values()].reverse();
  }
}
