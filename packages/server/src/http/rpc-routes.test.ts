import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { create, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import { compressionGzip, createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { readPprof } from '@pilotlight/profile';
import { ROUTES, type StatusReport } from '@pilotlight/protocol';
import { ProfileSchema, PusherService, PushRequestSchema, QuerierService } from '@pilotlight/protocol/messages';
import Fastify from 'fastify';
import { drawnPprof } from '../ingest/testing/drawn-profile.js';
import { serverOptionsFrom } from '../options.js';
import { startServer } from '../server.js';
import type { Store } from '../store/store.js';
import { BodyBudget } from './body-budget.js';
import { answerErrors } from './errors.js';
import type { Intake } from './intake.js';
import { rpcRoutes } from './rpc-routes.js';

const NOW = Date.now();
const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const LABELS = [
  { name: '__name__', value: 'process_cpu' },
  { name: 'service_name', value: 'shop' },
  { name: 'zone', value: 'eu west' },
];
const TILL = LABELS.map(({ name, value }) => ({ name, value: name === 'service_name' ? 'till' : value }));
const MIB = 1024 * 1024;

const pprof = (drawing: string) => drawnPprof(drawing, { timeNanos: BigInt(NOW) * 1_000_000n, durationNanos: 10e9 });

async function serve(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pilotlight-'));
  const server = await startServer(serverOptionsFrom({ PILOTLIGHT_LISTEN: '127.0.0.1:0', PILOTLIGHT_DATA: folder }));
  t.after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  return server.address;
}

function post(url: string, contentType: string, body: Uint8Array, headers: Record<string, string> = {}) {
  return fetch(url, { method: 'POST', headers: { 'content-type': contentType, ...headers }, body });
}

test('clients of every protocol push and find the same', async (t) => {
  const baseUrl = await serve(t);
  const binary = { baseUrl, httpVersion: '1.1', useBinaryFormat: true } as const;
  const transports: [string, Transport][] = [
    ['Connect, binary', createConnectTransport(binary)],
    [
      'Connect, binary, packed',
      createConnectTransport({ ...binary, sendCompression: compressionGzip, compressMinBytes: 0 }),
    ],
    ['Connect, JSON', createConnectTransport({ ...binary, useBinaryFormat: false })],
    ['gRPC-Web', createGrpcWebTransport(binary)],
  ];
  for (const [i, [, transport]] of transports.entries()) {
    const rawProfile = i % 2 === 0 ? pprof(`main;a ${10 ** i}`) : gzipSync(pprof(`main;a ${10 ** i}`));
    await createClient(PusherService, transport).push({
      series: [{ labels: LABELS, samples: [{ rawProfile, ID: 'x' }] }],
    });
  }
  const range = { start: BigInt(NOW - 60_000), end: BigInt(NOW + 60_000) };
  const selection = { profileTypeID: CPU, labelSelector: '{service_name="shop"}', ...range };
  const answers = await Promise.all(
    transports.map(async ([, transport]) => {
      const client = createClient(QuerierService, transport);
      return {
        types: (await client.profileTypes(range)).profileTypes.map(({ ID }) => ID),
        names: (await client.labelNames(range)).names,
        values: (await client.labelValues({ name: 'zone', ...range })).names,
        series: (await client.series({ labelNames: ['zone'], ...range })).labelsSet.map(({ labels }) =>
          labels.map((l) => l.value),
        ),
        graph: (await client.selectMergeStacktraces(selection)).flamegraph,
        profile: [...toBinary(ProfileSchema, await client.selectMergeProfile(selection))],
        points: (await client.selectSeries({ ...selection, step: 15 })).series.flatMap(({ points }) =>
          points.map((p) => p.value),
        ),
      };
    }),
  );
  const [first] = answers;
  assert.ok(first !== undefined);
  for (const [i, answer] of answers.entries()) assert.deepEqual(answer, first, transports[i]?.[0]);
  assert.deepEqual(first.types, [CPU]);
  assert.deepEqual(first.values, ['eu west']);
  assert.deepEqual(first.series, [['eu west']]);
  assert.ok(first.names.includes('__profile_type__'));
  assert.equal(first.graph?.total, 1_111n);
  assert.deepEqual(first.graph?.names, ['total', 'main', 'a']);
  assert.deepEqual(first.points, [1_111]);
  const [named] = readPprof(Uint8Array.from(first.profile)).profiles;
  assert.deepEqual([...(named?.profile.samples.values[0] ?? [])], [1_111]);
});

test('several profiles in one packed push', async (t) => {
  const baseUrl = await serve(t);
  const transport = createConnectTransport({
    baseUrl,
    httpVersion: '1.1',
    sendCompression: compressionGzip,
    compressMinBytes: 0,
  });
  const samples = [5, 7].map((value) => ({ rawProfile: pprof(`main ${value}`) }));
  await createClient(PusherService, transport).push({
    series: [
      { labels: LABELS, samples },
      { labels: LABELS, samples: [{ rawProfile: pprof('main 11') }] },
      { labels: TILL, samples: [{ rawProfile: pprof('main 100') }] },
    ],
  });
  const { agents } = (await (await fetch(`${baseUrl}${ROUTES.status}`)).json()) as StatusReport;
  assert.deepEqual(agents.map(({ service, uploads }) => [service, uploads]).sort(), [
    ['shop', 1],
    ['till', 1],
  ]);
  const { flamegraph } = await createClient(QuerierService, transport).selectMergeStacktraces({
    profileTypeID: CPU,
    labelSelector: '{}',
    start: BigInt(NOW - 60_000),
    end: BigInt(NOW + 60_000),
  });
  assert.equal(flamegraph?.total, 123n);
});

test('errors come as Connect has them, led by our code', async (t) => {
  const client = createClient(QuerierService, createConnectTransport({ baseUrl: await serve(t), httpVersion: '1.1' }));
  await assert.rejects(
    client.selectMergeStacktraces({ profileTypeID: 'x', labelSelector: '{}', start: 1n, end: 2n }),
    (thrown) => {
      const error = ConnectError.from(thrown);
      return error.code === Code.InvalidArgument && /^unknown_profile_type: "x" is not/.test(error.rawMessage);
    },
  );
});

test('what is wrong with a message is never called a fault of the server, nor a reason to come again', async (t) => {
  const baseUrl = await serve(t);
  const url = `${baseUrl}${ROUTES.push}`;
  const good = toBinary(
    PushRequestSchema,
    create(PushRequestSchema, { series: [{ labels: LABELS, samples: [{ rawProfile: pprof('main 5') }] }] }),
  );
  const gzip = { 'content-encoding': 'gzip' };
  const member = gzipSync(Buffer.alloc(64 * MIB), { level: 9 });
  const bomb = Buffer.concat(Array.from({ length: 160 }, () => member));
  const cases: [string, string, Uint8Array, Record<string, string>, number, RegExp][] = [
    ['no message', 'application/proto', Buffer.from('zzzz'), {}, 400, /^malformed_request: parse binary/],
    [
      'cut message',
      'application/proto',
      good.subarray(0, good.length / 2),
      {},
      400,
      /^malformed_request: parse binary/,
    ],
    ['no gzip', 'application/proto', good, gzip, 400, /^the body is no gzip, or is damaged/],
    ['cut gzip', 'application/proto', gzipSync(good).subarray(0, 60), gzip, 400, /^the body is no gzip, or is damaged/],
    ['bomb', 'application/proto', bomb, gzip, 413, /^the body inflates to more than 67108864 bytes/],
    [
      'no JSON',
      'application/json',
      Buffer.from('{nonsense'),
      {},
      400,
      /cannot decode message push.v1.PushRequest from JSON/,
    ],
    ['deep JSON', 'application/json', Buffer.from('['.repeat(1_000_000)), {}, 400, /cannot decode/],
    ['wrong shape', 'application/json', Buffer.from('{"series":{"labels":5}}'), {}, 400, /cannot decode/],
    ['nothing', 'application/json', Buffer.from('{}'), {}, 400, /^malformed_request: the push holds no profile/],
    ['no bytes', 'application/proto', new Uint8Array(), {}, 400, /^malformed_request: the push holds no profile/],
  ];
  for (const [what, contentType, body, headers, status, message] of cases) {
    const response = await post(url, contentType, body, headers);
    const answer = (await response.json()) as { code: string; message: string };
    assert.equal(response.status, status, what);
    // What is refused before Connect has it is answered in our own codes.
    const code = headers === gzip ? (status === 413 ? 'body_size_limit' : 'malformed_request') : 'invalid_argument';
    assert.equal(answer.code, code, what);
    assert.match(answer.message, message, what);
  }
  const packed = await post(url, 'application/proto', good, { 'content-encoding': 'br' });
  assert.deepEqual(await packed.json(), {
    code: 'malformed_request',
    message: 'content-encoding "br" is not known; gzip and identity are',
  });
  const large = await post(url, 'application/proto', new Uint8Array(33 * MIB));
  assert.equal(large.status, 413);
  assert.deepEqual(await large.json(), { code: 'body_size_limit', message: 'the body is larger than 33554432 bytes' });
  assert.equal((await post(url, 'application/proto', good)).status, 200);
});

test('other verbs and content types are told apart, and every answer carries the headers of a safe page', async (t) => {
  const url = `${await serve(t)}${ROUTES.querier}/ProfileTypes`;
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS'])
    assert.equal((await fetch(url, { method })).status, 405, method);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
    assert.equal((await post(url, type, Buffer.from('{}'))).status, 415, type);
  }
  const { status, headers } = await post(url, 'application/json', Buffer.from('{}'));
  assert.equal(status, 200);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'self'/);
});

test('bodies of RPCs are in the budget of all bodies, and leave it', async (t) => {
  const app = Fastify();
  answerErrors(app);
  const budget = new BodyBudget(1_000, 3_000);
  const turnedAway: string[] = [];
  const intake = { turnedAway: (_: string, thrown: Error) => turnedAway.push(thrown.message) } as unknown as Intake;
  rpcRoutes(app, { store: {} as Store, intake, budget, retentionAgeSeconds: 1 });
  t.after(() => app.close());
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}${ROUTES.push}`;
  for (let i = 0; i < 10; i++) assert.equal((await post(url, 'application/proto', new Uint8Array(900))).status, 400);
  assert.equal((await post(url, 'application/proto', new Uint8Array(1_001))).status, 413);
  assert.deepEqual(turnedAway, ['the body is larger than 1000 bytes']);
  assert.equal(budget.bytes, 0);
});

test('gRPC-web says so too, in the trailer that is all of its answer', async (t) => {
  const url = `${await serve(t)}${ROUTES.push}`;
  const frame = (length: number, message: Uint8Array) => {
    const header = Buffer.alloc(5);
    header.writeUInt32BE(length, 1);
    return Buffer.concat([header, message]);
  };
  const junk = Buffer.from('zzzz');
  const cases: [string, Uint8Array, RegExp][] = [
    ['no message', frame(4, junk), /^malformed_request: parse binary/],
    ['cut frame', frame(400, junk), /^malformed_request: protocol error/],
    ['no frame', junk, /^malformed_request: protocol error/],
    ['a length over the limit', frame(0x7fff_ffff, junk), /^body_size_limit: message size/],
    ['nothing', new Uint8Array(), /./],
  ];
  for (const [what, body, expected] of cases) {
    const response = await post(url, 'application/grpc-web+proto', body);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(bytes[0], 0x80, what);
    assert.equal(bytes.readUInt32BE(1), bytes.length - 5, what);
    const [, status, message = ''] =
      /^grpc-status: (\d+)\r\ngrpc-message: (.*)\r\n$/.exec(bytes.toString('utf8', 5)) ?? [];
    assert.match(decodeURIComponent(message), expected, what);
    if (what !== 'nothing') assert.equal(status, '3', what);
  }
});
