/** Damaged bodies: whatever becomes of a good one, the answer is 200 or a refusal, and never a fault of the server. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { mutate, Random } from '@pilotlight/profile/fuzz';
import { ROUTES } from '@pilotlight/protocol';
import { jfrChunk } from '../../packages/profile/dist/testing/jfr-drawing.js';
import { pprofFromDrawing } from '../../packages/profile/dist/testing/pprof-drawing.js';
import { ingest, pushRequest, request } from './api.mjs';
import { startServer } from './server-process.mjs';

const MUTATIONS = 100;
/** Requests at a time. */
const LANES = 4;

const PPROF = Buffer.from(
  pprofFromDrawing({
    types: ['samples/count', 'cpu/nanoseconds'],
    functions: ['main', 'a', 'b'].map((name, i) => ({ id: i + 1, name, file: `${name}.go`, startLine: 3 })),
    locations: [1, 2, 3].map((id) => ({ id, address: id * 16, lines: [[id, id + 5]] })),
    samples: [
      { stack: [2, 1], values: [1, 10], labels: [{ key: 'endpoint', text: '/users' }] },
      { stack: [3, 2, 1], values: [2, 20], labels: [{ key: 'bytes', number: 64 }] },
      { stack: [1], values: [3, 30] },
    ],
    period: 10_000_000n,
  }),
);
const JFR = Buffer.from(
  jfrChunk({
    stacks: ['Main.main:3;Main.work:5', 'Main.main:3;Main.idle:9'],
    events: [
      ['jdk.ExecutionSample', { stackTrace: 1 }],
      ['jdk.ExecutionSample', { stackTrace: 2 }],
      ['jdk.ObjectAllocationInNewTLAB', { stackTrace: 1, allocationSize: 16, tlabSize: 4096 }],
    ],
  }),
);
const TEXT = Buffer.from('main;a 5\nmain;b;c 7\nmain {x=y} 3\n# comment\n');
const BOUNDARY = 'part';
const part = (name, content) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
const PARTS = Buffer.concat([
  part('profile', PPROF),
  part('sample_type_config', Buffer.from('{"cpu":{"display-name":"cpu"}}')),
  Buffer.from(`--${BOUNDARY}--\r\n`),
]);
const PUSH = pushRequest({ __name__: 'process_cpu', service_name: 'pushed' }, PPROF);
const JSON_PUSH = Buffer.from(
  JSON.stringify({
    series: [
      {
        labels: [{ name: '__name__', value: 'process_cpu' }],
        samples: [{ rawProfile: PPROF.toString('base64'), ID: 'x' }],
      },
    ],
  }),
);

let server;
before(async (t) => {
  server = await startServer(t);
});

const take = (format, headers) => (body) =>
  ingest(server.url, { name: 'mutant', format, from: 'now-10s', until: 'now' }, body, headers);
const push = (headers) => (body) => request(server.url + ROUTES.push, { method: 'POST', headers, body });

/** A good body, and how it is sent. */
const SAMPLES = {
  pprof: [PPROF, take('pprof')],
  'pprof, format unsaid': [PPROF, take('')],
  'packed pprof': [gzipSync(PPROF), take('pprof')],
  jfr: [JFR, take('jfr')],
  'packed jfr': [gzipSync(JFR), take('jfr')],
  collapsed: [TEXT, take('collapsed')],
  lines: [TEXT, take('lines')],
  multipart: [PARTS, take('', { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` })],
  'content-encoding': [gzipSync(TEXT), take('collapsed', { 'content-encoding': 'gzip' })],
  push: [PUSH, push({ 'content-type': 'application/proto' })],
  'packed push': [gzipSync(PUSH), push({ 'content-type': 'application/proto', 'content-encoding': 'gzip' })],
  'push in JSON': [JSON_PUSH, push({ 'content-type': 'application/json' })],
};

for (const [what, [good, send]] of Object.entries(SAMPLES)) {
  test(`${what}: ${MUTATIONS} mutations`, async (t) => {
    assert.equal((await send(good)).status, 200);
    const seed = [...what].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7) >>> 0;
    const random = new Random(seed);
    const mutants = Array.from({ length: MUTATIONS }, () => Buffer.from(mutate(good, random)));
    const statuses = new Map();
    const lane = async () => {
      for (let mutant = mutants.pop(); mutant !== undefined; mutant = mutants.pop()) {
        const { status, text, json } = await send(mutant);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const isAnswer = status === 200 || (status >= 400 && status < 500 && json?.message.length > 0);
        assert.ok(isAnswer, `seed ${seed}: ${status} ${text} to ${mutant.toString('hex')}`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    assert.ok((statuses.get(200) ?? 0) < MUTATIONS, 'some are refused');
    t.diagnostic(
      [...statuses]
        .sort()
        .map(([status, count]) => `${count} × ${status}`)
        .join(', '),
    );
  });
}

test('damaged addresses', async (t) => {
  const good = Buffer.from(
    `name=shop%7Bzone%3Deu+west%2Cpath%3D/a%7D&from=${Math.floor(Date.now() / 1_000)}&format=collapsed&spyName=x&units=samples`,
  );
  const random = new Random(20260304);
  const statuses = new Map();
  for (let run = 0; run < MUTATIONS; run++) {
    // Signs no client can put into an address are left out.
    const query = Buffer.from(mutate(good, random))
      .toString('latin1')
      .replace(/[^!-"$-~]/g, '');
    const { status, text } = await request(`${server.url}${ROUTES.ingest}?${query}`, { method: 'POST', body: TEXT });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    assert.ok(status === 200 || (status >= 400 && status < 500), `run ${run}: ${status} ${text} to ${query}`);
  }
  assert.ok(statuses.size > 1);
  t.diagnostic(
    [...statuses]
      .sort()
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
  );
});

test('after all of that it serves, answers queries and has nothing to say', async () => {
  assert.equal((await take('collapsed')(TEXT)).status, 200);
  const now = Date.now();
  const range = { start: now - 60_000, end: now + 60_000 };
  const types = await server.client.profileTypes(range);
  assert.ok(types.length > 1);
  for (const { id } of types) await server.client.selectMergeStacktraces({ profileType: id, selector: '{}', ...range });
  assert.match(server.printed(), /^pilotlight is ready on \S+\s*$/);
});
