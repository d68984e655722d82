/** The HTTP side put together. It knows the store and the decoders, and no SQL. */
import fastifyCompress from '@fastify/compress';
import Fastify, { type FastifyInstance } from 'fastify';
import { DecodePool } from '../ingest/decode-pool.js';
import type { ServerOptions } from '../options.js';
import type { Store } from '../store/store.js';
import { guard } from './access.js';
import { AgentLog } from './agent-log.js';
import { BODY_LIMITS, BodyBudget } from './body-budget.js';
import { COMPRESSION } from './compression.js';
import { answerBrokenRequest, answerErrors, answerFrameworkError } from './errors.js';
import { exportRoute } from './export-route.js';
import { flameGraphRoutes } from './flame-graph-routes.js';
import { ingestRoute } from './ingest-route.js';
import { Intake } from './intake.js';
import { labelValuesRoute } from './label-values-route.js';
import { Metrics } from './metrics.js';
import { RefusalLog } from './refusal-log.js';
import { renderDiffRoute } from './render-diff-route.js';
import { renderRoute } from './render-route.js';
import { rpcRoutes } from './rpc-routes.js';
import { securityHeaders, siteFiles } from './site.js';
import { statusRoutes } from './status-routes.js';

/** How long a body that is under way is waited for when the server ends. */
const FINISH_BODY_MILLIS_MAX = 3_000;

export async function createApp(store: Store, options: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    // HTTP/1.1. For gRPC on the same port a `serverFactory` here would hand connections with an HTTP/2 preface to a second server of the same handler.
    bodyLimit: BODY_LIMITS.bodyBytesMax,
    requestTimeout: 60_000,
    keepAliveTimeout: 60_000,
    routerOptions: { maxParamLength: 1_024 },
    forceCloseConnections: 'idle',
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: answerBrokenRequest,
  });
  app.server.headersTimeout = 15_000;
  app.server.maxHeadersCount = 100;
  const pool = new DecodePool();
  const refusals = new RefusalLog();
  const agents = new AgentLog();
  const metrics = new Metrics(store);
  const intake = new Intake({ store, pool, refusals, agents, metrics, keepsDetails: options.retentionDetails > 0 });
  const budget = new BodyBudget();
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
    // A body that comes in drops has no claim on the time of those that wait for the end.
    setTimeout(() => budget.stop(), FINISH_BODY_MILLIS_MAX).unref();
  });
  app.addHook('onResponse', async () => {
    // Node closes what is idle at the beginning of the end; a connection that falls idle later would keep it waiting.
    if (closing) setImmediate(() => app.server.closeIdleConnections());
  });
  app.addHook('onClose', () => pool.close());

  await app.register(fastifyCompress, COMPRESSION);
  answerErrors(app);
  securityHeaders(app);
  guard(app, options);
  statusRoutes(app, { store, metrics, refusals, agents, options });
  ingestRoute(app, intake, budget, options.retentionAge);
  renderRoute(app, store);
  renderDiffRoute(app, store);
  labelValuesRoute(app, store);
  flameGraphRoutes(app, store);
  exportRoute(app, store);
  rpcRoutes(app, { store, intake, budget, retentionAgeSeconds: options.retentionAge });
  if (options.site !== undefined) siteFiles(app, options.site);
  return app;
}
