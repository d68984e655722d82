/**
 * Requests spelled as five clients spell them, query and body, and the label maps they must lead to. `test/real` runs the clients
 * themselves; this runs everywhere.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ROUTES } from '@pilotlight/protocol';
import { jfrChunk } from '../../packages/profile/dist/testing/jfr-drawing.js';
import { labelsSnapshot } from '../../packages/profile/dist/testing/jfr-labels.js';
import { pprofFromDrawing } from '../../packages/profile/dist/testing/pprof-drawing.js';
import { asLines, seriesLabels } from '../real/harness/labels.mjs';
import { pushRequest, request } from './api.mjs';
import { startServer } from './server-process.mjs';

const NOW = Date.now();
const SECONDS = Math.floor(NOW / 1_000);
const RANGE = { start: NOW - 120_000, end: NOW + 120_000 };
const BOUNDARY = 'b0undary';

let server;
before(async (t) => {
  server = await startServer(t);
});

const drawing = (types, samples, more = {}) =>
  Buffer.from(
    pprofFromDrawing({
      types,
      functions: [
        { id: 1, name: 'main' },
        { id: 2, name: 'hot' },
      ],
      locations: [
        { id: 1, lines: [[1]] },
        { id: 2, lines: [[2]] },
      ],
      samples,
      timeNanos: BigInt(NOW) * 1_000_000n,
      ...more,
    }),
  );

/** With a name parameter in braces that is encoded as each client does it. */
async function post(path, body, headers) {
  const { status, text } = await request(server.url + path, { method: 'POST', body, headers });
  assert.equal(status, 200, text);
}

async function seriesOf(service) {
  return asLines(await server.client.series(RANGE, [`{service_name="${service}"}`]));
}

function multipart(...parts) {
  const pieces = parts.flatMap(([disposition, content]) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** In pieces, so that no length is declared. */
function chunked(bytes) {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 1_000)
        controller.enqueue(new Uint8Array(bytes.subarray(at, at + 1_000)));
      controller.close();
    },
  });
}

test('the Java agent: chunked, a part for the recording and one for its labels, each packed for itself', async () => {
  const jfr = jfrChunk({
    start: BigInt(NOW) * 1_000_000n,
    stacks: ['Main.main:3;Main.hot:5', 'Main.main:3'],
    events: [
      ['jdk.ActiveSetting', { name: 'event', value: 'ctimer' }],
      ['jdk.ActiveSetting', { name: 'interval', value: '10000000' }],
      ['jdk.ExecutionSample', { stackTrace: 1, contextId: 1 }],
      ['jdk.ExecutionSample', { stackTrace: 2 }],
    ],
  });
  const labels = labelsSnapshot({ 1: { endpoint: '/hot path', customer: 'a.b' } });
  const body = multipart(
    ['name="jfr"; filename="jfr"', gzipSync(jfr)],
    ['name="labels"; filename="labels"\r\nContent-Type: application/x-protobuf', gzipSync(labels)],
  );
  const name = 'shape.java%7Bdeployment.environment%3Dtest%2Freal%2Cteam%3Da%2Bb%2Czone%3Deu%20west%7D';
  const query = `name=${name}&units=samples&aggregationType=sum&from=${SECONDS - 10}&until=${SECONDS}&spyName=javaspy&format=jfr`;
  await post(`${ROUTES.ingest}?${query}`, chunked(body), MULTIPART);
  const common = {
    service_name: 'shape.java',
    'deployment.environment': 'test/real',
    team: 'a+b',
    zone: 'eu west',
    pyroscope_spy: 'javaspy',
    jfr_event: 'ctimer',
  };
  const type = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
  assert.deepEqual(
    await seriesOf('shape.java'),
    asLines([seriesLabels(type, common), seriesLabels(type, { ...common, endpoint: '/hot path', customer: 'a.b' })]),
  );
  // Without a sampleRate in the query: the recording's own interval.
  const { total } = await server.client.selectMergeStacktraces({
    profileType: type,
    selector: '{service_name="shape.java"}',
    ...RANGE,
  });
  assert.equal(total, 20_000_000);
});

test('the Node.js client: a packed pprof of three types, and a sample rate that is wrong', async () => {
  const types = ['samples/count', 'wall/nanoseconds', 'cpu/nanoseconds'];
  const labelled = [{ key: 'endpoint', text: '/hot path' }];
  const body = drawing(types, [
    { stack: [2, 1], values: [3, 30_000_000, 29_000_000], labels: labelled },
    { stack: [2, 1], values: [1, 10_000_000, 9_000_000], labels: labelled },
    { stack: [1], values: [0, 0, 5] },
  ]);
  const name = 'shape.node%7Bteam%3Da%2Bb%2Czone%3Deu+west+1%7D';
  const query = `format=pprof&from=${SECONDS}&name=${name}&spyName=nodespy&until=${SECONDS + 10}&sampleRate=17`;
  await post(`${ROUTES.ingest}?${query}`, gzipSync(body), { 'content-type': 'application/octet-stream' });
  const common = { service_name: 'shape.node', team: 'a+b', zone: 'eu west 1', pyroscope_spy: 'nodespy' };
  const hot = { ...common, endpoint: '/hot path' };
  const [samples, wall, cpu] = ['wall:samples:count::', 'wall:wall:nanoseconds::', 'process_cpu:cpu:nanoseconds::'];
  assert.deepEqual(
    await seriesOf('shape.node'),
    asLines([samples, wall, cpu].map((type) => seriesLabels(type, hot)).concat([seriesLabels(cpu, common)])),
  );
  const total = async (profileType) =>
    (await server.client.selectMergeStacktraces({ profileType, selector: '{service_name="shape.node"}', ...RANGE }))
      .total;
  assert.deepEqual([await total(samples), await total(wall), await total(cpu)], [4, 40_000_000, 38_000_005]);
});

test('the Python client: a packed push, the pprof in it plain, no spy', async () => {
  const labels = { __name__: 'process_cpu', service_name: 'shape.python', zone: 'eu west 1' };
  const samples = [
    { stack: [2, 1], values: [10_000_000], labels: [{ key: 'endpoint', text: '/hot path' }] },
    { stack: [1], values: [20_000_000] },
  ];
  const body = gzipSync(pushRequest(labels, drawing(['cpu/nanoseconds'], samples)));
  await post(ROUTES.push, body, { 'content-type': 'application/proto', 'content-encoding': 'gzip' });
  const common = { service_name: 'shape.python', zone: 'eu west 1' };
  const type = 'process_cpu:cpu:nanoseconds::';
  assert.deepEqual(
    await seriesOf('shape.python'),
    asLines([seriesLabels(type, common), seriesLabels(type, { ...common, endpoint: '/hot path' })]),
  );
});

test('the Go client: nanoseconds of 19 digits, empty units, a sample rate of 0, a session, numeric labels', async () => {
  const heap = ['alloc_objects/count', 'alloc_space/bytes', 'inuse_objects/count', 'inuse_space/bytes'];
  const settings = Object.fromEntries(
    heap.map((type) => [type.split('/')[0], { units: type.split('/')[1], cumulative: false }]),
  );
  const send = (body, config) => {
    const parts = [
      ['name="profile"; filename="profile.pprof"\r\nContent-Type: application/octet-stream', gzipSync(body)],
    ];
    if (config !== undefined)
      parts.push([
        'name="sample_type_config"; filename="sample_type_config.json"',
        Buffer.from(JSON.stringify(config)),
      ]);
    const name = 'shape.go%7B__session_id__%3D0123456789abcdef%2Czone%3Deu+west+1%7D';
    const query = `aggregationType=&from=${NOW - 15_000}000000&name=${name}&sampleRate=0&spyName=gospy&units=&until=${NOW}000000`;
    return post(`${ROUTES.ingest}?${query}`, multipart(...parts), MULTIPART);
  };
  await send(
    drawing(heap, [{ stack: [2, 1], values: [1, 64, 1, 64], labels: [{ key: 'bytes', number: 64 }] }]),
    settings,
  );
  await send(drawing(['samples/count', 'cpu/nanoseconds'], [{ stack: [2, 1], values: [1, 10_000_000] }]));
  await send(drawing(['contentions/count', 'delay/nanoseconds'], [{ stack: [1], values: [1, 5] }]), {
    contentions: { 'display-name': 'block_count', units: 'lock_samples' },
    delay: { 'display-name': 'block_duration', units: 'lock_nanoseconds' },
  });
  await send(drawing(['goroutine/count'], [{ stack: [1], values: [7] }]), {
    goroutine: { 'display-name': 'goroutine' },
  });
  const common = { service_name: 'shape.go', zone: 'eu west 1', pyroscope_spy: 'gospy' };
  const types = [
    ...heap.map((type) => `memory:${type.replace('/', ':')}::`),
    'process_cpu:samples:count::',
    'process_cpu:cpu:nanoseconds::',
    'block:contentions:count::',
    'block:delay:nanoseconds::',
    'goroutine:goroutine:count::',
  ];
  assert.deepEqual(await seriesOf('shape.go'), asLines(types.map((type) => seriesLabels(type, common))));
});

test('a client that ends the connection after each upload', async () => {
  const body = gzipSync(drawing(['samples/count', 'cpu/nanoseconds'], [{ stack: [1], values: [1, 10_000_000] }]));
  const query = `name=shape.own&from=${SECONDS}&until=${SECONDS + 10}&spyName=nodespy&sampleRate=100&format=pprof`;
  await post(`${ROUTES.ingest}?${query}`, body, { 'content-type': 'application/octet-stream', connection: 'close' });
  assert.equal((await seriesOf('shape.own')).length, 2);
});

test('nothing of it was refused', async () => {
  assert.deepEqual(await server.client.refusals(), []);
});
