/** The way in, shared by every route that takes profiles: room, decode, append, and an account of what was left out. */
import { PilotlightError } from '@pilotlight/profile';
import type { Decoded, DecodeTask } from '../ingest/decode.js';
import type { DecodePool } from '../ingest/decode-pool.js';
import type { Store } from '../store/store.js';
import type { AgentLog, Sender } from './agent-log.js';
import type { Metrics } from './metrics.js';
import type { RefusalLog } from './refusal-log.js';

export const TENANT = 'anonymous';

const UNNAMED = '(unnamed)';

export interface IntakeOptions {
  readonly store: Store;
  readonly pool: DecodePool;
  readonly refusals: RefusalLog;
  readonly agents: AgentLog;
  readonly metrics: Metrics;
  /** Whether what is told of single samples is kept. */
  readonly keepsDetails: boolean;
}

export class Intake {
  constructor(private readonly options: IntakeOptions) {}

  /** Resolves when everything good in the body is durable. @throws PilotlightError when nothing of it could be kept. */
  async take(task: DecodeTask, transfer: ArrayBuffer[], sender: Sender): Promise<void> {
    const { store, pool, agents, keepsDetails } = this.options;
    const started = performance.now();
    let decoded: Decoded | undefined;
    try {
      // Before any work: a store that takes nothing needs no decoding.
      store.checkRoom();
      decoded = await pool.decode({ ...task, withDetails: keepsDetails }, transfer);
      for (const { service, reason, count, message } of decoded.refused) this.note(service, reason, count, message);
      if (decoded.error !== undefined) {
        const { code, message, place } = decoded.error;
        throw new PilotlightError(code, message, place);
      }
      const { known, refused } = await store.append(decoded.uploads);
      for (const { error, series } of refused) this.note(decoded.service, error.code, series, error.message);
      const whole = refused.filter(({ series, upload }) => series === upload.seriesIds.length);
      const fresh = decoded.uploads.length - known - whole.length;
      this.options.metrics.taken(fresh, known, (performance.now() - started) / 1_000);
      const [first] = whole;
      if (first !== undefined && fresh + known === 0) throw first.error;
      for (const service of servicesOf(task, decoded.service)) agents.taken(service, sender);
    } catch (thrown) {
      const error = PilotlightError.from(thrown);
      const isNoted = error.code === 'series_limit' || (decoded?.error !== undefined && decoded.refused.length > 0);
      const service = decoded?.service || serviceOf(task);
      if (!isNoted) this.note(service, error.code, 1, error.message);
      for (const one of servicesOf(task, service)) agents.refused(one || UNNAMED, sender, error.code);
      throw error;
    }
  }

  /** Accounts for an upload that was turned away before it came to be decoded. */
  turnedAway(service: string, thrown: unknown, sender: Sender): void {
    const { code, message } = PilotlightError.from(thrown);
    this.note(service, code, 1, message);
    this.options.agents.refused(service || UNNAMED, sender, code);
  }

  private note(service: string, reason: string, count: number, message: string): void {
    this.options.refusals.add(service || UNNAMED, reason, count, message);
    this.options.metrics.refused(reason, count);
  }
}

/** Everybody a task is from: a push may hold several services; an ingest is of `service` alone. */
function servicesOf(task: DecodeTask, service: string): Iterable<string> {
  if (task.kind === 'ingest' || task.series.length === 0) return [service];
  return new Set(task.series.map(({ labels }) => labels.find(({ name }) => name === 'service_name')?.value ?? service));
}

/** The name in a task that never came to be decoded, for the account only. */
function serviceOf(task: DecodeTask): string {
  if (task.kind === 'ingest') return serviceOfQuery(task.query);
  return task.series[0]?.labels.find(({ name }) => name === 'service_name')?.value ?? '';
}

/** The application in a query string that may be anything, for the account only. */
export function serviceOfQuery(query: string): string {
  return ((new URLSearchParams(query).get('name') ?? '').split('{', 1)[0] as string).trim();
}
