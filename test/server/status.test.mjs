/** What the server says of itself, and the description of its own API. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ROUTES } from '@pilotlight/protocol';
import { ingest, pushRequest, request } from './api.mjs';
import { faults } from './json-schema.mjs';
import { startServer } from './server-process.mjs';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const NOW = Date.now();
const RANGE = { start: NOW - 3_600_000, end: NOW + 60_000 };

let server;
before(async (t) => {
  server = await startServer(t);
  const at = (name, timeMs) => ({ name, from: timeMs, until: timeMs, spyName: 'javaspy' });
  const send = async (query, body, status = 200) => {
    const answer = await ingest(server.url, query, body, { 'user-agent': 'pyroscope-java/2.1.0' });
    assert.equal(answer.status, status, answer.text);
  };
  await send(at('shop', NOW - 600_000), 'main;a 5\nmain;b 7');
  await send(at('shop', NOW), 'main;a 5\nmain;b 7\nmain;c 1');
  await send(at('shop', NOW), 'main;a 5\nmain;b 7\nmain;c 1');
  await send({ ...at('till', NOW), format: 'pprof' }, 'no pprof', 422);
  await send({ ...at('odd', NOW), spyName: '' }, 'main 1');
  const labels = { __name__: 'process_cpu', service_name: 'pushed' };
  const pushed = await request(`${server.url}${ROUTES.push}`, {
    method: 'POST',
    headers: { 'content-type': 'application/proto', 'user-agent': 'pyroscope-go/1.2' },
    body: pushRequest(labels, new Uint8Array([1, 2, 3])),
  });
  assert.equal(pushed.status, 400);
  // What was taken is in the engine once it was asked for.
  await server.client.flameGraph({ profileType: CPU, selector: '{}', ...RANGE }, 0);
});

test('uploads are counted: taken, known, refused', async () => {
  const { uploads, uploadsKnown, refused, series, retention, setAside } = await server.client.status();
  assert.deepEqual(
    { uploads, uploadsKnown, refused, series, setAside },
    { uploads: 3, uploadsKnown: 1, refused: 2, series: 2, setAside: 0 },
  );
  assert.deepEqual(retention, { ageSeconds: 7 * 86_400, bytes: 10 * 2 ** 30 });
});

test('agents are seen by service and by what they call themselves', async () => {
  const { agents } = await server.client.status();
  assert.deepEqual(
    agents.map(({ lastUpload, lastRefusal, ...rest }) => {
      for (const time of [lastUpload, lastRefusal]) assert.ok(time === undefined || Date.parse(time) >= NOW - 1_000);
      return rest;
    }),
    [
      {
        service: 'pushed',
        spyName: '',
        userAgent: 'pyroscope-go/1.2',
        uploads: 0,
        refusals: 1,
        lastReason: 'malformed_profile',
      },
      { service: 'odd', spyName: '', userAgent: 'pyroscope-java/2.1.0', uploads: 1, refusals: 0 },
      {
        service: 'till',
        spyName: 'javaspy',
        userAgent: 'pyroscope-java/2.1.0',
        uploads: 0,
        refusals: 1,
        lastReason: 'malformed_profile',
      },
      { service: 'shop', spyName: 'javaspy', userAgent: 'pyroscope-java/2.1.0', uploads: 3, refusals: 0 },
    ],
  );
});

test('refusals say which service and why', async () => {
  const { refusals } = await server.client.status();
  assert.deepEqual(refusals, await server.client.refusals());
  assert.deepEqual(
    refusals.map(({ service, reason, count }) => [service, reason, count]),
    [
      ['pushed', 'malformed_profile', 1],
      ['till', 'malformed_profile', 1],
    ],
  );
});

test('storage is told by table and by service', async () => {
  const { tables, services, storeBytes } = await server.client.status();
  const rowsOf = (name) => tables.find(({ table }) => table === name)?.rows;
  assert.equal(rowsOf('profiles'), 3);
  assert.equal(
    storeBytes,
    tables.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  assert.deepEqual(
    services.map(({ service, profiles, samples }) => [service, profiles, samples]),
    [
      ['shop', 2, 5],
      ['odd', 1, 1],
    ],
  );
  const [shop, odd] = services;
  assert.equal(shop.oldest, new Date(NOW - 600_000).toISOString());
  assert.equal(shop.newest, new Date(NOW).toISOString());
  const bytes = ['profiles', 'nodes', 'frames'].reduce(
    (sum, name) => sum + tables.find(({ table }) => table === name).bytes,
    0,
  );
  assert.ok(shop.bytes > odd.bytes && odd.bytes > 0 && Math.abs(shop.bytes + odd.bytes - bytes) <= 2);
});

test('an empty server says so, with nothing missing', async (t) => {
  const empty = await startServer(t);
  const status = await empty.client.status();
  assert.deepEqual([status.services, status.agents, status.refusals, status.uploads], [[], [], [], 0]);
});

/** What a route is asked with, beside the type that each with parameters wants. */
const QUESTIONS = {
  [ROUTES.diff]: { leftFrom: 'now-2h', leftUntil: 'now-1h' },
  [ROUTES.export]: { format: 'svg' },
};

test('our own routes answer what their description says', async () => {
  const { json: description } = await request(`${server.url}${ROUTES.openApi}`);
  const paths = Object.entries(description.paths);
  const own = Object.values(ROUTES).filter((route) => route.startsWith('/api/') && route !== ROUTES.openApi);
  assert.deepEqual(paths.map(([path]) => path).sort(), own.sort());
  for (const [path, { get }] of paths) {
    const { parameters = [], responses } = get;
    const question = parameters.length === 0 ? {} : { type: CPU, ...QUESTIONS[path] };
    const ask = (query) => fetch(`${server.url}${path}?${new URLSearchParams(query)}`);
    const response = await ask(question);
    assert.equal(response.status, 200, path);
    const mediaType = response.headers.get('content-type').split(';')[0];
    const { schema } = responses[200].content[mediaType] ?? assert.fail(`${path} answers ${mediaType}`);
    if (schema.$ref !== undefined) assert.deepEqual(faults(description, schema, await response.json()), [], path);
    if (parameters.length === 0) continue;

    const refused = async (query) => {
      const answer = await ask(query);
      const json = await answer.json();
      assert.equal(answer.status, 400, `${path} ${JSON.stringify(query)}`);
      assert.deepEqual(faults(description, responses[400].content['application/json'].schema, json), []);
      return json.message;
    };
    // What is described is taken, and nothing else is.
    const known = (await refused({ ...question, unheard: 'of' })).replace(/^.* there are /, '').split(', ');
    assert.deepEqual(known.sort(), parameters.map(({ name }) => name).sort(), path);
    for (const { name, required } of parameters) {
      const { [name]: _, ...rest } = question;
      if (required) await refused(rest);
    }
  }
  const { Refusals } = description.components.schemas;
  assert.notDeepEqual(faults(description, Refusals, { refusals: [{ service: 5 }] }), []);
});
