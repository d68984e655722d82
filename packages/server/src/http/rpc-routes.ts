import { fastifyConnectPlugin } from '@connectrpc/connect-fastify';
import { PilotlightError } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import type { FastifyInstance } from 'fastify';
import type { Store } from '../store/store.js';
import { type BodyBudget, declaredLength, INFLATED_BYTES_MAX } from './body-budget.js';
import { blameRequests } from './connect-faults.js';
import type { Intake } from './intake.js';
import { pushService } from './push-service.js';
import { querierService } from './querier-service.js';
import { setSecurityHeaders } from './site.js';

/** The services of the Pyroscope API, over Connect. */
export function rpcRoutes(
  app: FastifyInstance,
  parts: { store: Store; intake: Intake; budget: BodyBudget; retentionAgeSeconds: number },
): void {
  const { store, intake, budget, retentionAgeSeconds } = parts;
  app.register(async (scope) => {
    // No content type is parsed here: Connect takes the body, or says that it does not.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.addHook('preHandler', async (request, reply) => {
      // Connect writes to the connection itself, past the hooks that see every other answer.
      setSecurityHeaders(reply);
      try {
        const { bytes, release } = await budget.read(request.raw, declaredLength(request.headers));
        reply.raw.once('close', release);
        request.body = whole(bytes);
      } catch (thrown) {
        if (request.url === ROUTES.push) intake.turnedAway('', thrown);
        throw PilotlightError.from(thrown);
      }
    });
    await scope.register(fastifyConnectPlugin, {
      readMaxBytes: INFLATED_BYTES_MAX,
      routes(router) {
        pushService(router, intake, retentionAgeSeconds);
        querierService(router, store);
        blameRequests(router);
      },
    });
  });
}

/** Connect takes a body as the pieces it came in. */
async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
