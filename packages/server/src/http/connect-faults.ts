import type { ConnectRouter } from '@connectrpc/connect';
import { Code } from '@connectrpc/connect';

type Handler = ConnectRouter['handlers'][number];
type Response = Awaited<ReturnType<Handler>>;
type Body = NonNullable<Response['body']>;

/** How Connect's own messages begin, and what they mean to a client. All are its fault: `invalid_argument`. */
const FAULTS = [
  { begins: 'parse binary: ', status: 400, ours: 'malformed_request' },
  { begins: 'parse json: ', status: 400, ours: 'malformed_request' },
  { begins: 'decompression failed', status: 400, ours: 'malformed_request' },
  { begins: 'protocol error: ', status: 400, ours: 'malformed_request' },
  { begins: 'message size ', status: 413, ours: 'body_size_limit' },
  { begins: 'message is larger ', status: 413, ours: 'body_size_limit' },
] as const;

/** Of a gRPC-web frame that holds trailers, as the first of its five bytes of header; the others are the length of what follows. */
const TRAILER_FLAG = 0x80;
const FRAME_HEADER_BYTES = 5;

/**
 * Connect answers a message it can't read as a fault of the server (500) and one that is too large as a reason to come again (429). Both lie in the request,
 * and are not mended by sending it again. Its interceptors see only messages that were read, so the handlers are wrapped.
 */
export function blameRequests(router: ConnectRouter): void {
  router.handlers.forEach((handler, index) => {
    const wrapped = async (request: Parameters<Handler>[0]) => {
      const response = await handler(request);
      const isGrpcWeb = /^application\/grpc-web/.test(request.header.get('content-type') ?? '');
      return isGrpcWeb ? blamedInTrailer(response) : blamed(response);
    };
    router.handlers[index] = Object.assign(wrapped, handler);
  });
}

async function blamed(response: Response): Promise<Response> {
  const { status, header, body } = response;
  if ((status !== 500 && status !== 429) || body === undefined || header?.has('content-encoding')) return response;
  const bytes = await whole(body);
  const { message = '' } = JSON.parse(bytes.toString()) as { message?: string };
  const fault = FAULTS.find(({ begins }) => message.startsWith(begins));
  if (fault === undefined) return { ...response, body: once(bytes) };
  const answer = Buffer.from(JSON.stringify({ code: 'invalid_argument', message: `${fault.ours}: ${message}` }));
  const headers = new Headers(header);
  headers.set('content-length', String(answer.length));
  return { ...response, status: fault.status, header: headers, body: once(answer) };
}

/** In gRPC-web the status is a line of a trailer in the body; where nothing was answered, the trailer is all there is. */
async function blamedInTrailer(response: Response): Promise<Response> {
  if (response.body === undefined) return response;
  const pieces = response.body[Symbol.asyncIterator]();
  const first = await pieces.next();
  const rest = { [Symbol.asyncIterator]: () => pieces };
  if (first.done === true || first.value[0] !== TRAILER_FLAG) return { ...response, body: after(first.value, rest) };
  const frame = Buffer.concat([first.value, await whole(rest)]);
  const lines = frame.toString('utf8', FRAME_HEADER_BYTES).split('\r\n');
  const fields = new Map(lines.map((line) => [line.split(':', 1)[0] as string, line.replace(/^[^:]*:\s*/, '')]));
  const message = decodeURIComponent(fields.get('grpc-message') ?? '');
  const fault = FAULTS.find(({ begins }) => message.startsWith(begins));
  if (fault === undefined) return { ...response, body: once(frame) };
  const trailer = Buffer.from(
    `grpc-status: ${Code.InvalidArgument}\r\ngrpc-message: ${encodeURIComponent(`${fault.ours}: ${message}`)}\r\n`,
  );
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header[0] = TRAILER_FLAG;
  header.writeUInt32BE(trailer.length, 1);
  return { ...response, body: once(Buffer.concat([header, trailer])) };
}

async function whole(body: Body): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* after(first: Uint8Array | undefined, rest: Body): AsyncGenerator<Uint8Array> {
  if (first === undefined) return;
  yield first;
  yield* rest;
}
