/** Whatever comes in, the answer says in a sentence what is wrong and which limit, and the server goes on. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ROUTES } from '@pilotlight/protocol';
import { pprofFromDrawing } from '../../packages/profile/dist/testing/pprof-drawing.js';
import { ingest, query, request } from './api.mjs';
import { startServer } from './server-process.mjs';

const MIB = 1024 * 1024;
const seconds = () => Math.floor(Date.now() / 1000);

const NAMED = {
  types: ['cpu/nanoseconds'],
  locations: [{ id: 1, lines: [[1, 3]] }],
  functions: [{ id: 1, name: 'main' }],
};
const sample = (value) => ({ stack: [1], values: [value] });
const pprof = (drawing = {}) => Buffer.from(pprofFromDrawing({ ...NAMED, samples: [sample(5)], ...drawing }));
const GOOD = pprof();
const JFR_HEADER = Buffer.concat([Buffer.from('FLR\0'), Buffer.alloc(64)]);

function multipart(...parts) {
  const boundary = 'x';
  const pieces = parts.map(([name, content]) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
  );
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

function chunked(mebibytes) {
  return new ReadableStream({
    start(controller) {
      for (let i = 0; i < mebibytes; i++) controller.enqueue(new Uint8Array(MIB));
      controller.close();
    },
  });
}

const labels = (text) => ({ name: `bad{${text}}` });
const manyLabels = Array.from({ length: 300 }, (_, i) => `k${i}=v`).join(',');
const parts = multipart(['profile', gzipSync(GOOD)]);

/**
 * What is sent, what is answered: status, code, a sentence. The service is "bad" unless the query says otherwise.
 *
 * @type {[what: string, request: { query?: object, body?: any, headers?: object }, status: number, code: string, message: RegExp][]}
 */
const INGEST = [
  ['nothing', { body: '' }, 422, 'malformed_profile', /^the body is empty$/],
  [
    'text that is no profile',
    { body: 'not a profile' },
    422,
    'malformed_profile',
    /could be kept: line 1 does not end in/,
  ],
  ['HTML', { body: '<html>\n<b>no</b>\n' }, 422, 'malformed_profile', /could be kept: line 1/],
  [
    'bytes that are nothing',
    { body: Buffer.from([1, 2, 3, 0, 5]) },
    422,
    'malformed_profile',
    /^pprof: .* at byte \d+/,
  ],
  ['half a pprof', { body: GOOD.subarray(0, GOOD.length / 2) }, 422, 'malformed_profile', /^pprof: .*byte \d+/],
  [
    'half a gzip',
    { body: gzipSync(GOOD).subarray(0, 60) },
    422,
    'malformed_profile',
    /gzip data is damaged or cut off/,
  ],
  ['half a multipart', { ...parts, body: parts.body.subarray(0, 100) }, 422, 'malformed_profile', /^multipart body: /],
  [
    'half a JFR header',
    { body: JFR_HEADER.subarray(0, 34), query: { format: 'jfr' } },
    422,
    'malformed_profile',
    /no finished chunk.*68 bytes/,
  ],
  ['an unfinished JFR', { body: JFR_HEADER, query: { format: 'jfr' } }, 422, 'malformed_profile', /no finished chunk/],
  ['gzip in gzip', { body: gzipSync(gzipSync(GOOD)) }, 422, 'malformed_profile', /^pprof: /],
  [
    'JSON',
    { body: '{}', headers: { 'content-type': 'application/json' } },
    422,
    'unsupported_format',
    /content-type application\/json is not.*pprof, jfr/,
  ],
  [
    'no multipart at all',
    { body: GOOD, headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    422,
    'malformed_profile',
    /^multipart body: /,
  ],
  [
    'no boundary',
    { body: GOOD, headers: { 'content-type': 'multipart/form-data' } },
    422,
    'malformed_profile',
    /Boundary not found/,
  ],
  [
    'a part of another name',
    multipart(['file', GOOD]),
    422,
    'malformed_profile',
    /the part "profile" is missing \(found: "file"\)/,
  ],
  [
    'a previous profile',
    multipart(['profile', GOOD], ['prev_profile', GOOD]),
    422,
    'unsupported_format',
    /prev_profile/,
  ],
  [
    'a content type that is none',
    { body: GOOD, headers: { 'content-type': '/////' } },
    400,
    'malformed_request',
    /content-type/,
  ],
  ['an unknown format', { query: { format: 'speedscope' } }, 422, 'unsupported_format', /^format=speedscope is not/],
  [
    'an unknown encoding',
    { headers: { 'content-encoding': 'zstd' } },
    422,
    'unsupported_format',
    /"zstd" is not known; gzip and identity are/,
  ],
  [
    '1,000 encodings',
    { headers: { 'content-encoding': Array(1000).fill('gzip').join() } },
    422,
    'unsupported_format',
    /is not known/,
  ],
  [
    'unknown units',
    { body: 'a 1', query: { units: 'furlongs' } },
    400,
    'unknown_profile_type',
    /^units="furlongs" is not one of samples/,
  ],
  ['no name', { query: { name: '' } }, 400, 'malformed_name', /the application name is missing/],
  [
    'a name without its brace',
    { query: { name: 'bad{a=1' } },
    400,
    'malformed_name',
    /character 8: the closing '}' is missing/,
  ],
  ['a label twice', { query: labels('a=1,a=2') }, 400, 'malformed_name', /character 9: the label "a" a second time/],
  ['300 labels', { query: labels(manyLabels) }, 422, 'label_names_limit', /^301 labels, the limit is 30$/],
  [
    'a long label name',
    { query: labels(`${'n'.repeat(1_025)}=v`) },
    422,
    'label_size_limit',
    /name of label .* 1025 bytes, the limit is 1024/,
  ],
  [
    'a long label value',
    { query: labels(`n=${'v'.repeat(2_049)}`) },
    422,
    'label_size_limit',
    /"n" has 2049 bytes, the limit is 2048/,
  ],
  [
    'a time that is none',
    { query: { from: 'yesterday' } },
    400,
    'malformed_request',
    /^from: "yesterday" is not a time/,
  ],
  ['an end that is none', { query: { until: '12:00' } }, 400, 'malformed_request', /^until: "12:00" is not a time/],
  [
    'older than the retention',
    { query: { from: seconds() - 8 * 86_400 } },
    422,
    'outside_time_window',
    /older than the retention of 7 days/,
  ],
  [
    'further ahead than 10 minutes',
    { query: { from: seconds() + 700 } },
    422,
    'outside_time_window',
    /more than 600 s ahead/,
  ],
  [
    'a time near 1970',
    { body: pprof({ timeNanos: 1_000n }) },
    422,
    'outside_time_window',
    /of 1970-01-01T00:00:00.000Z/,
  ],
  ['a time of 2^63-1', { body: pprof({ timeNanos: 2n ** 63n - 1n }) }, 422, 'outside_time_window', /of 2262-.* ahead/],
  [
    'a value of 2^63-1',
    { body: pprof({ samples: [sample(2n ** 63n - 1n)] }) },
    422,
    'malformed_profile',
    /could be kept: value 0 of sample 0 is not within ±\(2\^53 − 1\)/,
  ],
  [
    'a negative value',
    { body: pprof({ samples: [sample(-5n)] }) },
    422,
    'malformed_profile',
    /could be kept: sample 0 has -5 of type cpu/,
  ],
  ['values without a type', { body: pprof({ types: [] }) }, 422, 'malformed_profile', /no sample type/],
  [
    '2 values of 1 type',
    { body: pprof({ samples: [{ stack: [1], values: [1, 2] }] }) },
    422,
    'malformed_profile',
    /sample 0 has 2 values, the profile has 1/,
  ],
  [
    '100,001 samples',
    { body: pprof({ samples: Array(100_001).fill(sample(1)) }) },
    422,
    'samples_limit',
    /more than 100000 samples/,
  ],
  ['33 MiB, declared', { body: new Uint8Array(33 * MIB) }, 413, 'body_size_limit', /larger than 33554432 bytes/],
  ['33 MiB in chunks', { body: chunked(33) }, 413, 'body_size_limit', /larger than 33554432 bytes/],
];

let server;
let memoryAtStart;
before(async (t) => {
  server = await startServer(t);
  memoryAtStart = server.memory();
});

test('bodies', async (t) => {
  for (const [what, { query: more, body = GOOD, headers }, status, code, message] of INGEST) {
    const answer = await ingest(server.url, { name: 'bad', ...more }, body, headers);
    assert.deepEqual([answer.status, answer.json?.code], [status, code], `${what}: ${answer.text}`);
    assert.match(answer.json.message, message, what);
  }
  t.diagnostic(`${INGEST.length} of ${INGEST.length} compared`);
});

test('bytes in a name that are no UTF-8', async () => {
  for (const name of ['bad%7Bk%3D%FF%FE%7D', 'bad%C3%28', 'bad%']) {
    const answer = await request(`${server.url}${ROUTES.ingest}?name=${name}`, { method: 'POST', body: GOOD });
    assert.deepEqual([answer.status, answer.json.code], [400, 'malformed_request'], name);
    assert.match(answer.json.message, /"name" is not percent-encoded UTF-8: bad%/);
  }
});

test('a request without a name', async () => {
  const answer = await request(`${server.url}${ROUTES.ingest}`, { method: 'POST', body: GOOD });
  assert.deepEqual(
    [answer.status, answer.json],
    [400, { code: 'malformed_name', message: 'the query parameter name is missing' }],
  );
});

test('requests that are hardly HTTP', async () => {
  const long = await ingest(server.url, { name: 'x'.repeat(20_000) }, GOOD);
  assert.deepEqual([long.status, long.json.code], [431, 'malformed_request']);
  assert.match(long.json.message, /larger than 16384 bytes/);
  const path = await request(`${server.url}/%FF`);
  assert.deepEqual([path.status, path.json.code], [400, 'malformed_request']);
});

test('verbs and routes that are not there', async () => {
  assert.equal((await request(`${server.url}${ROUTES.ingest}?name=x`)).json.code, 'not_found');
  assert.equal((await request(`${server.url}${ROUTES.querier}/ProfileTypes`)).status, 405);
  assert.equal((await query(server.url, 'SelectHeatmap', {})).json.code, 'not_found');
});

test('bombs cost a refusal each, not memory', async () => {
  const member = gzipSync(Buffer.alloc(64 * MIB), { level: 9 });
  const bomb = Buffer.concat(Array(160).fill(member));
  const inner = gzipSync(bomb);
  const labelled = multipart(['jfr', JFR_HEADER], ['labels', bomb]);
  const sent = [
    [{ body: bomb }, 413, 'body_size_limit', /inflates to more than 67108864 bytes/],
    [{ body: bomb, headers: { 'content-encoding': 'gzip' } }, 413, 'body_size_limit', /inflates to more than/],
    [{ body: inner, headers: { 'content-encoding': 'gzip' } }, 413, 'body_size_limit', /inflates to more than/],
    [{ ...multipart(['profile', bomb]) }, 413, 'body_size_limit', /inflates to more than/],
    [{ ...labelled, query: { format: 'jfr' } }, 413, 'body_size_limit', /inflates to more than/],
    [{ body: Buffer.concat(Array(100_000).fill(gzipSync(''))) }, 422, 'malformed_profile', /^the body is empty$/],
    [multipart(...Array(100_000).fill(['x', ''])), 422, 'malformed_profile', /more than 16 parts/],
  ];
  for (const [{ query: more, body, headers }, status, code, message] of sent) {
    const answer = await ingest(server.url, { name: 'bomb', ...more }, body, headers);
    assert.deepEqual([answer.status, answer.json?.code], [status, code], answer.text);
    assert.match(answer.json.message, message);
  }
});

test('a push keeps the good profile and names the bad one', async () => {
  const push = (...profiles) =>
    request(`${server.url}${ROUTES.push}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        series: profiles.map(([service, profile]) => ({
          labels: Object.entries({ __name__: 'process_cpu', service_name: service }).map(([name, value]) => ({
            name,
            value,
          })),
          samples: [{ rawProfile: profile.toString('base64') }],
        })),
      }),
    });
  assert.equal((await push(['pushed', GOOD], ['pushed-bad', Buffer.from([1, 2, 3])])).status, 200);
  const bad = await push(
    ['pushed-worse', GOOD.subarray(0, GOOD.length / 2)],
    ['pushed-worse', pprof({ timeNanos: 1_000n })],
  );
  assert.deepEqual([bad.status, bad.json.code], [400, 'invalid_argument']);
  assert.match(bad.json.message, /^malformed_profile: series 0, profile 0: pprof: /);
  const refusals = await server.client.refusals();
  const reasons = (service) => refusals.filter((one) => one.service === service).map(({ reason }) => reason);
  assert.deepEqual(reasons('pushed'), []);
  assert.deepEqual(reasons('pushed-bad'), ['malformed_profile']);
  assert.deepEqual(reasons('pushed-worse').sort(), ['malformed_profile', 'outside_time_window']);
});

test('each refusal is told by service and reason', async () => {
  const refusals = await server.client.refusals();
  const counts = (service) =>
    Object.fromEntries(refusals.filter((one) => one.service === service).map(({ reason, count }) => [reason, count]));
  const bad = counts('bad');
  // The codes of the bodies above, except where the framework refused the request or the name could not be read.
  for (const code of new Set(INGEST.map(([, , , code]) => code))) assert.ok(bad[code] > 0, code);
  assert.ok(bad.value_over_limit > 0 && bad.negative_value > 0 && bad.invalid_line > 0);
  assert.deepEqual(counts('bomb'), { body_size_limit: 5, malformed_profile: 2 });
  assert.ok(counts('(unnamed)').malformed_name > 0);
  const { text } = await request(`${server.url}${ROUTES.metrics}`);
  assert.match(text, /^pilotlight_refusals_total\{reason="body_size_limit"\} [1-9]/m);
});

test('after all of that it serves as before, in bounded memory, with nothing to say', async (t) => {
  assert.equal((await ingest(server.url, { name: 'after' }, GOOD)).status, 200);
  const now = Date.now();
  const range = { start: now - 60_000, end: now + 60_000 };
  const selection = { profileType: 'process_cpu:cpu:nanoseconds::', selector: '{service_name="after"}', ...range };
  assert.equal((await server.client.selectMergeStacktraces(selection)).total, 5);
  assert.deepEqual(await server.client.labelValues('service_name', range), ['after', 'pushed']);
  assert.match(server.printed(), /^pilotlight is ready on \S+\s*$/);
  const memory = server.memory();
  if (memory === undefined) return;
  // What two threads may inflate at once, the engine's caches, and the bodies themselves; a bomb would be 10 GiB.
  const growth = Math.round((memory.peak - memoryAtStart.peak) / MIB);
  t.diagnostic(`peak memory ${Math.round(memory.peak / MIB)} MiB, ${growth} MiB above the start`);
  assert.ok(growth < 600, `the server grew by ${growth} MiB`);
});
