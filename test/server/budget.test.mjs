/** All bodies under way together stay within their budget; who goes over it is told to come back, and finds room later. */
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { ROUTES } from '@pilotlight/protocol';
import { ingest } from './api.mjs';
import { startServer } from './server-process.mjs';

const MIB = 1024 * 1024;
const BODY_BYTES = 30 * MIB;
/** Nine such bodies are 270 MiB, more than the 256 that all may have. */
const UPLOADS = 9;

function open(url, path, headers = {}) {
  const { port } = new URL(url);
  const sending = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    headers: { 'content-length': BODY_BYTES + 1, ...headers },
  });
  const answer = new Promise((resolve) => {
    sending.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sending.on('error', ({ code }) => resolve({ status: code }));
  });
  const sent = new Promise((resolve) => sending.write(Buffer.alloc(BODY_BYTES), resolve));
  return { answer, sent, finish: () => sending.end('x') };
}

test('nine bodies of 30 MiB, to two routes', async (t) => {
  const server = await startServer(t);
  const before = server.memory();
  const push = { 'content-type': 'application/proto' };
  const uploads = Array.from({ length: UPLOADS }, (_, i) =>
    i % 2 === 0 ? open(server.url, `${ROUTES.ingest}?name=big`) : open(server.url, ROUTES.push, push),
  );
  await Promise.all(uploads.map(({ sent }) => sent));
  // The last to be read is over the budget, whichever it is; the others wait for their last byte.
  const first = await Promise.race(uploads.map(({ answer }) => answer));
  assert.equal(first.status, 429, first.text);
  assert.equal(first.headers['retry-after'], '5');
  assert.equal(JSON.parse(first.text).code, 'rate_limited');
  assert.match(JSON.parse(first.text).message, /hold more than 268435456 bytes; send again later/);
  for (const { finish } of uploads) finish();
  const statuses = (await Promise.all(uploads.map(({ answer }) => answer))).map(({ status }) => status);
  // Zeros are no profile and no message.
  assert.ok(
    statuses.every((status) => [400, 422, 429].includes(status)),
    String(statuses),
  );
  assert.ok(statuses.filter((status) => status === 429).length < UPLOADS / 2, String(statuses));

  assert.equal((await ingest(server.url, { name: 'after' }, Buffer.alloc(BODY_BYTES))).status, 422);
  const refusals = await server.client.refusals();
  assert.ok(refusals.some(({ reason }) => reason === 'rate_limited'));
  const memory = server.memory();
  if (memory === undefined) return;
  const growth = Math.round((memory.peak - before.peak) / MIB);
  t.diagnostic(`peak memory ${Math.round(memory.peak / MIB)} MiB, ${growth} MiB above the start`);
  // Each body for a moment twice: as the pieces it came in and as the buffer that goes to a thread.
  assert.ok(growth < 800, `the server grew by ${growth} MiB`);
});
