/** Who may ask, on the server as it runs: with a token file, without, and on addresses that others can reach. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ROUTES } from '@pilotlight/protocol';
import { request } from './api.mjs';
import { startRefused, startServer, temporaryFolder } from './server-process.mjs';

const TOKEN = 'correct-horse-battery-staple';
const OPEN = [ROUTES.ready, ROUTES.healthz];

let server;
before(async (t) => {
  server = await startServer(t, { environment: { PILOTLIGHT_TOKEN_FILE: tokenFile(t, `${TOKEN}\n`) }, token: TOKEN });
});

function tokenFile(t, content) {
  const path = join(temporaryFolder(t), 'token');
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

const bearer = (token) => ({ authorization: `Bearer ${token}` });
const basic = (user, password) => ({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` });

test('without the token only health is told', async () => {
  const methods = [
    'ProfileTypes',
    'LabelNames',
    'LabelValues',
    'Series',
    'SelectMergeStacktraces',
    'SelectMergeProfile',
    'SelectSeries',
  ];
  const addresses = [
    ...Object.values(ROUTES),
    ...methods.map((method) => `${ROUTES.querier}/${method}`),
    '/',
    '/index.html',
    '/nowhere',
  ];
  for (const address of addresses) {
    for (const method of ['GET', 'POST']) {
      for (const headers of [{}, bearer('wrong'), basic('x', 'wrong')]) {
        const answer = await request(server.url + address, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(method === 'POST' ? { body: '{}' } : {}),
        });
        if (OPEN.includes(address)) {
          assert.equal(answer.status, method === 'GET' ? 200 : 404, address);
          continue;
        }
        assert.deepEqual([answer.status, answer.json?.code], [401, 'unauthenticated'], `${method} ${address}`);
        assert.match(answer.headers.get('www-authenticate'), /^Basic realm="pilotlight"/);
        assert.ok(!answer.text.includes('wrong') && !answer.text.includes(TOKEN), 'a secret is never said back');
      }
    }
  }
});

test('with the token, as a bearer and as the password of anybody, everything is', async () => {
  for (const headers of [bearer(TOKEN), basic('', TOKEN), basic('grafana', TOKEN)]) {
    assert.equal((await request(server.url + ROUTES.status, { headers })).status, 200);
    const ingested = await request(`${server.url}${ROUTES.ingest}?name=shop`, {
      method: 'POST',
      headers,
      body: 'main;a 5',
    });
    assert.equal(ingested.status, 200, ingested.text);
  }
  const now = Date.now();
  assert.deepEqual(await server.client.labelValues('service_name', { start: now - 60_000, end: now + 60_000 }), [
    'shop',
  ]);
});

test('the secret is in no answer and no line of the log', async () => {
  for (const address of [ROUTES.status, ROUTES.metrics, ROUTES.refusals, ROUTES.openApi]) {
    const { text } = await request(server.url + address, { headers: bearer(TOKEN) });
    assert.ok(!text.includes(TOKEN), address);
  }
  assert.ok(!server.printed().includes(TOKEN));
});

test('a request without a host gets an answer on every route', async () => {
  const { hostname, port } = new URL(server.url);
  const ask = (text) =>
    new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.setEncoding('latin1').on('data', (piece) => (answer += piece));
      socket.on('close', () => resolve(answer.split('\r\n', 1)[0])).on('error', reject);
    });
  const head = `content-type: application/json\r\ncontent-length: 2\r\nauthorization: Bearer ${TOKEN}\r\n`;
  const route = `${ROUTES.querier}/ProfileTypes`;
  assert.equal(await ask(`POST ${route} HTTP/1.0\r\n${head}\r\n{}`), 'HTTP/1.1 400 Bad Request');
  assert.equal(await ask(`POST ${route} HTTP/1.1\r\nconnection: close\r\n${head}\r\n{}`), 'HTTP/1.1 400 Bad Request');
  assert.equal(
    await ask(`POST ${route} HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n${head}\r\n{}`),
    'HTTP/1.1 400 Bad Request',
  );
  assert.equal(
    await ask(`POST ${route} HTTP/1.1\r\nhost: any.example\r\nconnection: close\r\n${head}\r\n{}`),
    'HTTP/1.1 200 OK',
  );
});

test('a server that others can reach does not start without a token, unless told twice', async (t) => {
  const folder = temporaryFolder(t);
  for (const listen of ['0.0.0.0:0', '[::]:0', '192.0.2.1:0']) {
    const { code, printed } = await startRefused(t, { PILOTLIGHT_DATA: folder, PILOTLIGHT_LISTEN: listen });
    assert.equal(code, 1);
    assert.ok(printed.startsWith(`pilotlight: PILOTLIGHT_LISTEN=${listen} can be reached from elsewhere: `), printed);
    assert.match(printed, /set PILOTLIGHT_TOKEN_FILE.*, or PILOTLIGHT_NO_TOKEN=true.*\n$/);
  }
  const open = await startServer(t, { environment: { PILOTLIGHT_LISTEN: '0.0.0.0:0', PILOTLIGHT_NO_TOKEN: 'true' } });
  const { port } = new URL(open.url);
  assert.equal((await request(`http://127.0.0.1:${port}${ROUTES.status}`)).status, 200);
});

test('a token that is short, or a file that is not there, is told before anything is opened', async (t) => {
  const folder = temporaryFolder(t);
  const refused = async (path) =>
    (await startRefused(t, { PILOTLIGHT_DATA: join(folder, 'new'), PILOTLIGHT_TOKEN_FILE: path })).printed;
  const short = tokenFile(t, 'short\n');
  assert.equal(await refused(short), `pilotlight: the token in ${short} has 5 characters; it needs 16\n`);
  const absent = join(folder, 'absent');
  assert.equal(await refused(absent), `pilotlight: PILOTLIGHT_TOKEN_FILE=${absent} can't be read (ENOENT)\n`);
});

test('a site that is no built page is refused before anything listens', async (t) => {
  const folder = temporaryFolder(t);
  for (const site of ['/nope', folder]) {
    const { code, printed } = await startRefused(t, { PILOTLIGHT_DATA: join(folder, 'new'), PILOTLIGHT_SITE: site });
    assert.equal(code, 1);
    assert.equal(
      printed.trim(),
      `pilotlight: PILOTLIGHT_SITE=${site} is no folder of the built page: it holds no index.html`,
    );
  }
});
