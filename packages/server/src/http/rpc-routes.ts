import { fastifyConnectPlugin } from '@connectrpc/connect-fastify';
import { PilotlightError } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Store } from '../store/store.js';
import { type BodyBudget, declaredLength, INFLATED_BYTES_MAX } from './body-budget.js';
import { blameRequests } from './connect-faults.js';
import type { Intake } from './intake.js';
import { takeOwnJson } from './own-json.js';
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
        const packed = await budget.read(request.raw, declaredLength(request.headers));
        reply.raw.once('close', packed.release);
        request.body = whole(await unpacked(request, reply, packed.bytes, budget));
      } catch (thrown) {
        if (request.url === ROUTES.push) {
          intake.turnedAway('', thrown, { spyName: '', userAgent: request.headers['user-agent'] ?? '' });
        }
        throw PilotlightError.from(thrown);
      }
    });
    await scope.register(fastifyConnectPlugin, {
      readMaxBytes: INFLATED_BYTES_MAX,
      routes(router) {
        pushService(router, intake, retentionAgeSeconds);
        querierService(router, store);
        takeOwnJson(router);
        blameRequests(router);
      },
    });
  });
}

/** Connect would inflate outside of every budget, so it is given what is inflated already. */
async function unpacked(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Uint8Array,
  budget: BodyBudget,
): Promise<Uint8Array> {
  const encoding = (request.raw.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return bytes;
  if (encoding !== 'gzip') {
    throw new PilotlightError(
      'malformed_request',
      `content-encoding ${JSON.stringify(encoding.slice(0, 100))} is not known; gzip and identity are`,
    );
  }
  const inflated = await budget.inflate(bytes);
  delete request.raw.headers['content-encoding'];
  // Connect holds the length against what it gets.
  request.raw.headers['content-length'] = String(inflated.bytes.length);
  reply.raw.once('close', inflated.release);
  return inflated.bytes;
}

/** Connect takes a body as the pieces it came in. */
async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
