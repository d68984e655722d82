import { ROUTES, type StatusReport } from '@pilotlight/protocol';
import type { FastifyInstance } from 'fastify';
import type { ServerOptions } from '../options.js';
import type { Store } from '../store/store.js';
import { VERSION } from '../version.js';
import type { Metrics } from './metrics.js';
import { openApi } from './open-api.js';
import type { RefusalLog } from './refusal-log.js';

/** Health, metrics and the routes of our own API. */
export function statusRoutes(
  app: FastifyInstance,
  store: Store,
  metrics: Metrics,
  refusals: RefusalLog,
  options: ServerOptions,
): void {
  const startedAt = new Date().toISOString();
  // The routes stand only once the store is open, so whoever reaches them is answered by a server that is ready.
  app.get(ROUTES.ready, async () => 'ready');
  app.get(ROUTES.healthz, async () => 'ok');
  app.get(ROUTES.metrics, async (_request, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });
  app.get(ROUTES.refusals, async () => ({ refusals: refusals.list() }));
  app.get(ROUTES.openApi, async () => openApi());
  app.get(ROUTES.status, async (): Promise<StatusReport> => {
    const { series, storeBytes, logRecords, logBytes } = store.status();
    return {
      version: VERSION,
      startedAt,
      uploads: await metrics.uploadCount(),
      series,
      storeBytes,
      logRecords,
      logBytes,
      retention: { ageSeconds: options.retentionAge, bytes: options.retentionBytes },
    };
  });
}
