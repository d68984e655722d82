import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Code, ConnectError } from '@connectrpc/connect';
import { ERROR_CODES, PilotlightError } from '@pilotlight/profile';
import { HTTP_STATUS } from '@pilotlight/protocol';
import Fastify from 'fastify';
import { answerErrors, connectError } from './errors.js';

/** What Connect makes of its codes. */
const STATUS_OF_CONNECT = new Map([
  [Code.InvalidArgument, 400],
  [Code.Unauthenticated, 401],
  [Code.PermissionDenied, 403],
  [Code.NotFound, 404],
  [Code.ResourceExhausted, 429],
  [Code.Internal, 500],
  [Code.Unavailable, 503],
]);

test('every error leaves as code and message, with the status of its code', async () => {
  const app = Fastify();
  answerErrors(app);
  app.get('/:code', async (request) => {
    const { code } = request.params as { code: (typeof ERROR_CODES)[number] };
    throw new PilotlightError(code, `about ${code}`);
  });
  for (const code of ERROR_CODES.filter((one) => one !== 'internal')) {
    const response = await app.inject(`/${code}`);
    assert.equal(response.statusCode, HTTP_STATUS[code], code);
    assert.deepEqual(response.json(), { code, message: `about ${code}` });
    const comesBack = [429, 503].includes(response.statusCode);
    assert.equal(response.headers['retry-after'], comesBack ? '5' : undefined, code);
  }
});

test('over RPC each code is of the same kind: what may be sent again, and whose fault it is', (t) => {
  const printed = t.mock.method(console, 'error', () => {});
  for (const code of ERROR_CODES) {
    const { code: connect, metadata, rawMessage } = connectError(new PilotlightError(code, 'x'));
    const rpc = STATUS_OF_CONNECT.get(connect) as number;
    const http = HTTP_STATUS[code];
    assert.equal(Math.floor(rpc / 100), Math.floor(http / 100), code);
    assert.equal(rpc === 429 || rpc === 503, http === 429 || http === 503, code);
    assert.equal(metadata.get('retry-after'), http === 429 || http === 503 ? '5' : null, code);
    assert.equal(rawMessage, `${code}: x`);
  }
  // A fault of ours is for the log, too.
  assert.deepEqual(
    printed.mock.calls.map(({ arguments: [line] }) => line),
    ['RPC: x'],
  );
});

test('what is caught is made one of ours; what is Connect’s stays', (t) => {
  t.mock.method(console, 'error', () => {});
  const theirs = new ConnectError('x', Code.Aborted);
  assert.equal(connectError(theirs), theirs);
  assert.equal(connectError(new TypeError('x')).code, Code.Internal);
});

test('an address that is nowhere is told, cut', async () => {
  const app = Fastify();
  answerErrors(app);
  const { statusCode, body } = await app.inject({ method: 'POST', url: `/${'x'.repeat(5_000)}?secret` });
  assert.equal(statusCode, 404);
  const { code, message } = JSON.parse(body) as { code: string; message: string };
  assert.equal(code, 'not_found');
  assert.match(message, /^there is nothing at "\/x{199}" for POST$/);
});
