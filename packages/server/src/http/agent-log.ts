import type { AgentReport } from '@pilotlight/protocol';
import { LatestRows } from './latest-rows.js';

const ROWS_MAX = 1_000;
const TEXT_MAX = 200;

/** Who sent an upload, as far as it says. */
export interface Sender {
  /** The `spyName` of an ingest, such as `javaspy`; empty when it gives none. */
  readonly spyName: string;
  /** The header, which names the program and mostly its version. */
  readonly userAgent: string;
}

/** Who uploads what, since the start: the answer to "does my agent get through?". */
export class AgentLog {
  private readonly rows = new LatestRows<AgentReport>(ROWS_MAX);

  taken(service: string, sender: Sender): void {
    this.touch(service, sender, (row) => ({ ...row, uploads: row.uploads + 1, lastUpload: new Date().toISOString() }));
  }

  refused(service: string, sender: Sender, reason: string): void {
    this.touch(service, sender, (row) => ({
      ...row,
      refusals: row.refusals + 1,
      lastRefusal: new Date().toISOString(),
      lastReason: reason,
    }));
  }

  /** The latest heard of first. */
  list(): AgentReport[] {
    return this.rows.list();
  }

  private touch(service: string, sender: Sender, change: (row: AgentReport) => AgentReport): void {
    const key = [service, sender.spyName, sender.userAgent].map((text) => text.slice(0, TEXT_MAX)) as [
      string,
      string,
      string,
    ];
    this.rows.touch(key, (before) =>
      change(before ?? { service: key[0], spyName: key[1], userAgent: key[2], uploads: 0, refusals: 0 }),
    );
  }
}
