import type { ConnectRouter } from '@connectrpc/connect';

type Handler = ConnectRouter['handlers'][number];
type Response = Awaited<ReturnType<Handler>>;

/** How Connect's own messages begin, and what they mean to a client. */
const FAULTS = [
  { begins: 'parse binary: ', code: 'invalid_argument', status: 400, ours: 'malformed_request' },
  { begins: 'decompression failed', code: 'invalid_argument', status: 400, ours: 'malformed_request' },
  { begins: 'message size ', code: 'invalid_argument', status: 413, ours: 'body_size_limit' },
  { begins: 'message is larger ', code: 'invalid_argument', status: 413, ours: 'body_size_limit' },
] as const;

/**
 * Connect answers a message it can't read as a fault of the server (500) and one that is too large as a reason to come again (429). Both lie in the request,
 * and are not mended by sending it again. Its interceptors see only messages that were read, so the handlers are wrapped.
 */
export function blameRequests(router: ConnectRouter): void {
  router.handlers.forEach((handler, index) => {
    const wrapped = async (request: Parameters<Handler>[0]) => blamed(await handler(request));
    router.handlers[index] = Object.assign(wrapped, handler);
  });
}

async function blamed(response: Response): Promise<Response> {
  const { status, header, body } = response;
  if ((status !== 500 && status !== 429) || body === undefined || header?.has('content-encoding')) return response;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const said = JSON.parse(Buffer.concat(chunks).toString()) as { message?: string };
  const message = said.message ?? '';
  const fault = FAULTS.find(({ begins }) => message.startsWith(begins));
  if (fault === undefined) return { ...response, body: once(Buffer.concat(chunks)) };
  const answer = Buffer.from(JSON.stringify({ code: fault.code, message: `${fault.ours}: ${message}` }));
  const headers = new Headers(header);
  headers.set('content-length', String(answer.length));
  return { ...response, status: fault.status, header: headers, body: once(answer) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
