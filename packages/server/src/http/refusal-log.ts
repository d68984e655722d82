import type { RefusalReport } from '@pilotlight/protocol';
import { LatestRows } from './latest-rows.js';

const ROWS_MAX = 500;
const TEXT_MAX = 500;

/** The last refusals by service and reason: the answer to "why is my service missing?". */
export class RefusalLog {
  private readonly rows = new LatestRows<RefusalReport>(ROWS_MAX);

  add(service: string, reason: string, count: number, message: string): void {
    const name = service.slice(0, TEXT_MAX);
    this.rows.touch([name, reason], (before) => ({
      service: name,
      reason,
      count: (before?.count ?? 0) + count,
      last: new Date().toISOString(),
      message: message.slice(0, TEXT_MAX),
    }));
  }

  /** The latest first. */
  list(): RefusalReport[] {
    return this.rows.list();
  }
}
