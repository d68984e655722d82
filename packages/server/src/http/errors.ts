import { Code, ConnectError } from '@connectrpc/connect';
import { type ErrorCode, PilotlightError } from '@pilotlight/profile';
import { HTTP_STATUS } from '@pilotlight/protocol';
import type { FastifyInstance } from 'fastify';

/** Seconds after which a client that was turned away may come back. */
const RETRY_AFTER_SECONDS = 5;
const RETRYABLE: ReadonlySet<number> = new Set([429, 503]);

/** Every error leaves as `{code, message}` with the status of its code. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = fromFastify(thrown) ?? PilotlightError.from(thrown);
    const status = HTTP_STATUS[error.code];
    if (error.code === 'internal') console.error(`${request.method} ${request.url.split('?', 1)[0]}: ${error.message}`);
    if (RETRYABLE.has(status)) reply.header('retry-after', String(RETRY_AFTER_SECONDS));
    // What is left of a body that was refused on its way is not read: the connection cannot go on.
    if (error.code === 'body_size_limit') reply.header('connection', 'close');
    reply.status(status).send({ code: error.code, message: error.message });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = JSON.stringify(request.url.split('?', 1)[0]?.slice(0, 200));
    reply.status(404).send({ code: 'not_found', message: `there is nothing at ${path} for ${request.method}` });
  });
}

function fromFastify(thrown: unknown): PilotlightError | undefined {
  const { statusCode, message, code } = thrown as { statusCode?: number; message?: string; code?: string };
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new PilotlightError('malformed_request', 'the body ended before it was complete');
  }
  if (thrown instanceof PilotlightError || statusCode === undefined || statusCode < 400 || statusCode >= 500)
    return undefined;
  return new PilotlightError(statusCode === 413 ? 'body_size_limit' : 'malformed_request', message ?? 'bad request');
}

const CONNECT_CODES: Readonly<Record<ErrorCode, Code>> = {
  malformed_profile: Code.InvalidArgument,
  unsupported_format: Code.InvalidArgument,
  malformed_request: Code.InvalidArgument,
  malformed_name: Code.InvalidArgument,
  body_size_limit: Code.InvalidArgument,
  profile_size_limit: Code.InvalidArgument,
  samples_limit: Code.InvalidArgument,
  label_names_limit: Code.InvalidArgument,
  label_size_limit: Code.InvalidArgument,
  series_limit: Code.ResourceExhausted,
  time_limit: Code.InvalidArgument,
  outside_time_window: Code.InvalidArgument,
  rate_limited: Code.ResourceExhausted,
  query_limit: Code.InvalidArgument,
  unknown_profile_type: Code.InvalidArgument,
  malformed_query: Code.InvalidArgument,
  not_found: Code.NotFound,
  unauthenticated: Code.Unauthenticated,
  forbidden: Code.PermissionDenied,
  store_full: Code.Unavailable,
  store_unavailable: Code.Unavailable,
  data_folder_in_use: Code.Unavailable,
  data_folder_newer: Code.Unavailable,
  configuration: Code.Internal,
  internal: Code.Internal,
};

/** For the RPC routes, whose protocol has codes of its own; ours leads the message. */
export function connectError(thrown: unknown): ConnectError {
  if (thrown instanceof ConnectError) return thrown;
  const error = PilotlightError.from(thrown);
  return new ConnectError(`${error.code}: ${error.message}`, CONNECT_CODES[error.code], undefined, undefined, error);
}
