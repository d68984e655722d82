/** Starts that are refused, ends in order, and what is found after both. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ingest, query, request } from './api.mjs';
import { startRefused, startServer, temporaryFolder } from './server-process.mjs';

const BODY = Buffer.from('main;a 5\n');
const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
/** What 5 samples are at 100 Hz. */
const TOTAL = 50_000_000;

async function totals({ client }, services) {
  const now = Date.now();
  const found = [];
  for (const service of services) {
    const selection = {
      profileType: CPU,
      selector: `{service_name="${service}"}`,
      start: now - 600_000,
      end: now + 600_000,
    };
    found.push((await client.selectMergeStacktraces(selection)).total);
  }
  return found;
}

/**
 * An upload whose headers the server has read and whose body waits: `finish` sends it, `answer` is status and body, or the code
 * of the error.
 */
function uploadUnderway({ url }, service, agent) {
  const { port } = new URL(url);
  const sending = httpRequest({
    port,
    host: '127.0.0.1',
    agent,
    method: 'POST',
    path: `/ingest?name=${service}`,
    headers: { 'content-length': BODY.length, expect: '100-continue' },
  });
  const answer = new Promise((resolve) => {
    sending.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => (text += piece));
      const { socket } = response;
      response.on('end', () => resolve({ status: response.statusCode, text, headers: response.headers, socket }));
    });
    sending.on('error', ({ code }) => resolve({ status: code, text: '', headers: {} }));
  });
  const underway = new Promise((resolve) => sending.once('continue', resolve));
  sending.flushHeaders();
  return { answer, underway, finish: () => sending.end(BODY), start: () => sending.write(BODY.subarray(0, 3)) };
}

test('a second server on a folder is refused by name, and the first goes on', async (t) => {
  const server = await startServer(t);
  assert.equal((await ingest(server.url, { name: 'before' }, BODY)).status, 200);
  const { code, printed } = await startRefused(t, { PILOTLIGHT_DATA: server.folder });
  assert.equal(code, 1);
  assert.ok(
    printed.endsWith(
      `pilotlight: another process (${server.pid}) uses the data folder ${server.folder}; one folder serves one server\n`,
    ),
    printed,
  );
  assert.equal((await ingest(server.url, { name: 'after' }, BODY)).status, 200);
  assert.deepEqual(await totals(server, ['before', 'after']), [TOTAL, TOTAL]);
  assert.match(server.printed(), /^pilotlight is ready on \S+\s*$/);
});

test('a port that is taken is told, and the folder is left in order', async (t) => {
  const server = await startServer(t);
  const folder = temporaryFolder(t);
  const { host } = new URL(server.url);
  const { code, printed } = await startRefused(t, { PILOTLIGHT_DATA: folder, PILOTLIGHT_LISTEN: host });
  assert.deepEqual([code, printed], [1, `pilotlight: ${host} can't be listened on: something else listens there\n`]);
  const next = await startServer(t, { folder });
  assert.equal((await request(`${next.url}/ready`)).text, 'ready');
});

test('a folder of a later version, or with a damaged marker, is refused untouched', async (t) => {
  const markers = {
    '{"storeId":"x","schemaVersion":99}':
      /was written by a later version of Pilotlight \(tables of version 99, this program knows \d+\); nothing was changed/,
    '': /pilotlight.json is damaged: .*; nothing was changed/,
    null: /is damaged/,
    '{"storeId":"x"}': /is damaged/,
  };
  for (const [marker, message] of Object.entries(markers)) {
    const folder = temporaryFolder(t);
    const path = join(folder, 'pilotlight.json');
    writeFileSync(path, marker);
    mkdirSync(join(folder, 'engine'));
    const before = statSync(path).mtimeMs;
    const { code, printed } = await startRefused(t, { PILOTLIGHT_DATA: folder });
    assert.equal(code, 1);
    assert.match(printed, message);
    assert.ok(printed.includes(folder) && printed.split('\n').length === 2, printed);
    assert.deepEqual(readdirSync(folder).sort(), ['engine', 'pilotlight.json']);
    assert.deepEqual(readdirSync(join(folder, 'engine')), []);
    assert.deepEqual([readFileSync(path, 'utf8'), statSync(path).mtimeMs], [marker, before]);
  }
});

test('a folder that can not be used is told in a sentence', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const refused = async (path) => startRefused(t, { PILOTLIGHT_DATA: path });
  assert.deepEqual(await refused(file), {
    code: 1,
    printed: `pilotlight: the data folder ${file} can't be used: it is a file\n`,
  });
  const below = join(file, 'data');
  assert.deepEqual(await refused(below), {
    code: 1,
    printed: `pilotlight: the data folder ${below} can't be used: a part of its path is a file\n`,
  });
  assert.equal(readFileSync(file, 'utf8'), '');
});

test('a folder this user may not write is told in a sentence', async (t) => {
  const folder = join(temporaryFolder(t), 'read-only');
  mkdirSync(folder, { mode: 0o500 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot && !isOpenToAll(import.meta.dirname)) {
    t.skip('skipped: root may write everywhere, and nobody else may read this checkout');
    return;
  }
  // Root may write everywhere: the server becomes somebody else before it begins.
  const asNobody = '--import=data:text/javascript,process.setgid(65534);process.setuid(65534)';
  if (isRoot) chmodSync(dirname(folder), 0o755);
  assert.deepEqual(await startRefused(t, { PILOTLIGHT_DATA: folder, ...(isRoot ? { NODE_OPTIONS: asNobody } : {}) }), {
    code: 1,
    printed: `pilotlight: the data folder ${folder} can't be used: this user may not write there\n`,
  });
});

function isOpenToAll(folder) {
  if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  return dirname(folder) === folder || isOpenToAll(dirname(folder));
}

test('what is written is for nobody else', async (t) => {
  const folder = join(temporaryFolder(t), 'new');
  await startServer(t, { folder });
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
});

test('SIGTERM: 100 uploads under way are answered, a stuck one is told to come back, all that was taken is found', async (t) => {
  const server = await startServer(t);
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const services = Array.from({ length: 100 }, (_, i) => `flight-${i}`);
  const uploads = services.map((service) => uploadUnderway(server, service, agent));
  const stuck = uploadUnderway(server, 'stuck', agent);
  await Promise.all([...uploads, stuck].map(({ underway }) => underway));
  stuck.start();
  const ended = server.kill('SIGTERM');
  await sleep(100);
  for (const { finish } of uploads) finish();
  const answers = await Promise.all(uploads.map(({ answer }) => answer));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(100).fill(200),
  );
  const order = [];
  const closed = () => order.push('a kept connection is closed');
  if (answers[0].socket.destroyed) closed();
  else answers[0].socket.once('close', closed);
  const { status, text, headers } = await stuck.answer;
  order.push('the stuck upload is answered');
  assert.deepEqual([status, headers['retry-after']], [503, '5']);
  assert.deepEqual(JSON.parse(text), {
    code: 'store_unavailable',
    message: 'the server is shutting down; send again later',
  });
  // What fell idle holds nothing up.
  assert.deepEqual(order, ['a kept connection is closed', 'the stuck upload is answered']);
  // After 10 seconds it would have been 1.
  assert.equal(await ended, 0);
  assert.match(server.printed(), /^pilotlight is ready on \S+\s*$/);

  await server.restart();
  assert.deepEqual(await totals(server, services), Array(100).fill(TOTAL));
  assert.deepEqual(await totals(server, ['stuck']), [0]);
});

test('SIGTERM: connections that are idle, or that never say what they want, do not hold up the end', async (t) => {
  const server = await startServer(t);
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const upload = uploadUnderway(server, 'one', agent);
  await upload.underway;
  upload.finish();
  assert.equal((await upload.answer).status, 200);
  assert.equal(await server.kill('SIGTERM'), 0);
});

test('a second signal ends it at once', async (t) => {
  const server = await startServer(t);
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const stuck = uploadUnderway(server, 'stuck', agent);
  await stuck.underway;
  const ended = server.kill('SIGTERM');
  // Two within half a second are one wish.
  await sleep(600);
  process.kill(server.pid, 'SIGINT');
  assert.equal(await ended, 1);
  assert.equal((await stuck.answer).status, 'ECONNRESET');
});

test('SIGKILL right after the answers: all of them are found, once', async (t) => {
  const server = await startServer(t);
  const services = Array.from({ length: 20 }, (_, i) => `kill-${i}`);
  const from = Math.floor(Date.now() / 1_000);
  const send = () => Promise.all(services.map((name) => ingest(server.url, { name, from }, BODY)));
  for (const { status, text } of await send()) assert.equal(status, 200, text);
  await server.kill('SIGKILL');
  await server.restart();
  // Sent again, as a client would that never read the answer.
  for (const { status, text } of await send()) assert.equal(status, 200, text);
  assert.deepEqual(await totals(server, services), Array(20).fill(TOTAL));
  await server.kill('SIGKILL');
  await server.restart();
  assert.deepEqual(await totals(server, services), Array(20).fill(TOTAL));
  const { json } = await query(server.url, 'ProfileTypes', {});
  assert.deepEqual(
    json.profileTypes.map(({ ID }) => ID),
    [CPU],
  );
  assert.ok(existsSync(join(server.folder, 'pilotlight.json')));
});
