/** The HTTP side put together. It knows the store and the decoders, and no SQL. */
import { fastifyConnectPlugin } from '@connectrpc/connect-fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { DecodePool } from '../ingest/decode-pool.js';
import type { ServerOptions } from '../options.js';
import type { Store } from '../store/store.js';
import { guard } from './access.js';
import { BODY_LIMITS, BodyBudget } from './body-budget.js';
import { answerErrors } from './errors.js';
import { ingestRoute } from './ingest-route.js';
import { Intake } from './intake.js';
import { Metrics } from './metrics.js';
import { pushService } from './push-service.js';
import { querierService } from './querier-service.js';
import { RefusalLog } from './refusal-log.js';
import { renderRoute } from './render-route.js';
import { securityHeaders, siteFiles } from './site.js';
import { statusRoutes } from './status-routes.js';

export async function createApp(store: Store, options: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    // HTTP/1.1. For gRPC on the same port a `serverFactory` here would hand connections with an HTTP/2 preface to a second server of the same handler.
    bodyLimit: BODY_LIMITS.bodyBytesMax,
    requestTimeout: 60_000,
    keepAliveTimeout: 60_000,
    routerOptions: { maxParamLength: 1_024 },
    forceCloseConnections: 'idle',
  });
  app.server.headersTimeout = 15_000;
  app.server.maxHeadersCount = 100;
  const pool = new DecodePool();
  const refusals = new RefusalLog();
  const metrics = new Metrics(store);
  const intake = new Intake({ store, pool, refusals, metrics });
  app.addHook('onClose', () => pool.close());

  answerErrors(app);
  securityHeaders(app);
  guard(app, options);
  statusRoutes(app, store, metrics, refusals, options);
  ingestRoute(app, intake, new BodyBudget(), options.retentionAge);
  renderRoute(app, store);
  await app.register(fastifyConnectPlugin, {
    readMaxBytes: BODY_LIMITS.bodyBytesMax * 2,
    routes(router) {
      pushService(router, intake, options.retentionAge);
      querierService(router, store);
    },
  });
  if (options.site !== undefined) siteFiles(app, options.site);
  return app;
}
