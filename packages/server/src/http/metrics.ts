import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Store } from '../store/store.js';

/** What `/metrics` says. Units stand in the names, as Prometheus wants them. */
export class Metrics {
  readonly registry = new Registry();
  private readonly uploads = new Counter({
    name: 'pilotlight_uploads_total',
    help: 'Uploads taken, by whether they were new.',
    labelNames: ['known'],
    registers: [this.registry],
  });
  private readonly refusals = new Counter({
    name: 'pilotlight_refusals_total',
    help: 'Uploads or parts of uploads that were not kept, by reason.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  private readonly acknowledgments = new Histogram({
    name: 'pilotlight_acknowledgment_seconds',
    help: 'From the complete body to its durability.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  constructor(store: Store) {
    // The delay of the event loop is measured by a timer of its own, which at its default would be most of what an idle server does.
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 250 });
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(value());
        },
      });
    gauge('pilotlight_series', 'Series known.', () => store.status().series);
    gauge('pilotlight_store_bytes', 'Bytes of the tables on disk.', () => store.status().storeBytes);
    gauge(
      'pilotlight_log_bytes',
      'Bytes in the commit log that the engine does not hold yet.',
      () => store.status().logBytes,
    );
    gauge('pilotlight_log_records', 'Uploads in the commit log.', () => store.status().logRecords);
    gauge('pilotlight_records_set_aside', 'Uploads the engine refused, kept aside.', () => store.status().setAside);
    gauge(
      'pilotlight_stack_collisions',
      'Stacks that met under one id since the start.',
      () => store.status().collisions,
    );
  }

  taken(fresh: number, known: number, seconds: number): void {
    if (fresh > 0) this.uploads.inc({ known: 'false' }, fresh);
    if (known > 0) this.uploads.inc({ known: 'true' }, known);
    this.acknowledgments.observe(seconds);
  }

  refused(reason: string, count: number): void {
    this.refusals.inc({ reason }, count);
  }

  /** Since the start. */
  async counts(): Promise<{ uploads: number; uploadsKnown: number; refused: number }> {
    const uploads = (await this.uploads.get()).values;
    const refused = (await this.refusals.get()).values;
    const sum = (values: typeof uploads) => values.reduce((total, { value }) => total + value, 0);
    return {
      uploads: sum(uploads.filter(({ labels }) => labels['known'] === 'false')),
      uploadsKnown: sum(uploads.filter(({ labels }) => labels['known'] === 'true')),
      refused: refused.reduce((total, { value }) => total + value, 0),
    };
  }
}
