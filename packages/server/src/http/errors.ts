import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import { type ErrorCode, PilotlightError } from '@pilotlight/profile';
import { HTTP_STATUS } from '@pilotlight/protocol';
import type { ConnectionError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

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
    // The rest of a body that is waited for no longer would keep the connection, and with it the server's end.
    if (error.code === 'store_unavailable' && !request.raw.complete) reply.header('connection', 'close');
    reply.status(status).send({ code: error.code, message: error.message });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = JSON.stringify(request.url.split('?', 1)[0]?.slice(0, 200));
    reply.status(404).send({ code: 'not_found', message: `there is nothing at ${path} for ${request.method}` });
  });
}

/** For a request Fastify can't even give to a route, such as one of a path that is not percent-encoded. */
export function answerFrameworkError(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  reply.status(400).send({ code: 'malformed_request', message: error.message });
}

/** For bytes that are no HTTP request: there is only the connection to answer on. */
export function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, reason, message } = BROKEN_REQUESTS.get(error.code) ?? {
    status: 400,
    reason: 'Bad Request',
    message: 'the request is not HTTP/1.1',
  };
  const body = JSON.stringify({ code: 'malformed_request', message });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const BROKEN_REQUESTS = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    {
      status: 431,
      reason: 'Request Header Fields Too Large',
      message: `the address and the headers of a request are larger than ${maxHeaderSize} bytes`,
    },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: 408, reason: 'Request Timeout', message: 'the request did not come to its end in time' },
  ],
]);

function fromFastify(thrown: unknown): PilotlightError | undefined {
  const { statusCode, message, code } = thrown as { statusCode?: number; message?: string; code?: string };
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new PilotlightError('malformed_request', 'the body ended before it was complete');
  }
  if (thrown instanceof PilotlightError || statusCode === undefined || statusCode < 400 || statusCode >= 500)
    return undefined;
  // Fastify does not say of what.
  if (statusCode === 415) return new PilotlightError('malformed_request', 'the content-type is not a media type');
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
  if (error.code === 'internal') console.error(`RPC: ${error.message}`);
  const headers = RETRYABLE.has(HTTP_STATUS[error.code]) ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : undefined;
  return new ConnectError(`${error.code}: ${error.message}`, CONNECT_CODES[error.code], headers, undefined, error);
}
