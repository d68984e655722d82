import { ROUTES } from '@pilotlight/protocol';
import type { FastifyInstance } from 'fastify';
import { type BodyBudget, declaredLength, INFLATED_BYTES_MAX } from './body-budget.js';
import { type Intake, serviceOfQuery, TENANT } from './intake.js';

/** `POST /ingest`, as the agents of the Pyroscope family send it. */
export function ingestRoute(
  app: FastifyInstance,
  intake: Intake,
  budget: BodyBudget,
  retentionAgeSeconds: number,
): void {
  app.register(async (scope) => {
    // Whatever the content type says, the body is taken as it is; which format it has is found out in the worker.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const path of [ROUTES.ingest, ROUTES.ingestPrefixed]) {
      scope.post(path, async (request, reply) => {
        const { url } = request;
        const question = url.indexOf('?');
        const query = question < 0 ? '' : url.slice(question + 1);
        const sender = {
          spyName: new URLSearchParams(query).get('spyName') ?? '',
          userAgent: request.headers['user-agent'] ?? '',
        };
        const { bytes, release } = await budget
          .read(request.raw, declaredLength(request.headers))
          .catch((thrown: unknown) => {
            intake.turnedAway(serviceOfQuery(query), thrown, sender);
            throw thrown;
          });
        try {
          await intake.take(
            {
              kind: 'ingest',
              tenant: TENANT,
              receivedMs: Date.now(),
              retentionAgeSeconds,
              inflatedBytesMax: INFLATED_BYTES_MAX,
              query,
              contentType: request.headers['content-type'] ?? '',
              contentEncoding: request.headers['content-encoding'] ?? '',
              body: bytes,
            },
            [bytes.buffer],
            sender,
          );
        } finally {
          release();
        }
        reply.status(200).send('');
      });
    }
  });
}
