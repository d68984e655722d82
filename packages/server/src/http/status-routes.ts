import { ROUTES, type StatusReport } from '@pilotlight/protocol';
import type { FastifyInstance } from 'fastify';
import type { ServerOptions } from '../options.js';
import type { Store } from '../store/store.js';
import { VERSION } from '../version.js';
import type { AgentLog } from './agent-log.js';
import type { Metrics } from './metrics.js';
import { openApi } from './open-api.js';
import { knownParametersOf } from './query-parameters.js';
import type { RefusalLog } from './refusal-log.js';

export interface StatusParts {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly refusals: RefusalLog;
  readonly agents: AgentLog;
  readonly options: ServerOptions;
}

/** Health, metrics and what the server says of itself. */
export function statusRoutes(app: FastifyInstance, { store, metrics, refusals, agents, options }: StatusParts): void {
  const startedAt = new Date().toISOString();
  // The routes stand only once the store is open, so whoever reaches them is answered by a server that is ready.
  app.get(ROUTES.ready, async () => 'ready');
  app.get(ROUTES.healthz, async () => 'ok');
  app.get(ROUTES.metrics, async (_request, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });
  app.get(ROUTES.refusals, async (request) => {
    knownParametersOf(request, []);
    return { refusals: refusals.list() };
  });
  app.get(ROUTES.openApi, async (request) => {
    knownParametersOf(request, []);
    return openApi();
  });
  app.get(ROUTES.status, async (request): Promise<StatusReport> => {
    knownParametersOf(request, []);
    const { tables, services } = await store.storage();
    const { series, logRecords, logBytes, setAside } = store.status();
    return {
      version: VERSION,
      startedAt,
      ...(await metrics.counts()),
      series,
      storeBytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
      logRecords,
      logBytes,
      setAside,
      retention: { ageSeconds: options.retentionAge, bytes: options.retentionBytes },
      tables,
      services: services.map(({ oldestMs, newestMs, ...rest }) => ({
        ...rest,
        oldest: new Date(oldestMs).toISOString(),
        newest: new Date(newestMs).toISOString(),
      })),
      agents: agents.list(),
      refusals: refusals.list(),
    };
  });
}
