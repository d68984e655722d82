import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { writePprof } from '@pilotlight/profile';
import { configurationFrom } from './configuration.js';
import { convertCpuProfile } from './cpu-profile.js';
import { ingestTo } from './ingest.js';
import { type Received, Receiver } from './testing/receiver.js';

const receiver = new Receiver();
before(() => receiver.open());
after(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.reply = () => ({ status: 200 });
});

const EMPTY = convertCpuProfile(
  { nodes: [], startTime: 0, endTime: 0 },
  { fromMicros: 0, intervalMicros: 10_000, cpuMillis: undefined, epochMicros: 0, workingDirectory: '/' },
);
const UPLOAD = {
  fromMillis: 1_700_000_000_900,
  untilMillis: 1_700_000_010_100,
  intervalMicros: 14_000,
  body: gzipSync(writePprof(EMPTY.profile)),
};

function ingest(environment: Record<string, string> = {}) {
  const { configuration } = configurationFrom({
    PYROSCOPE_AGENT_ENABLED: 'true',
    PYROSCOPE_APPLICATION_NAME: 'shop',
    PYROSCOPE_SERVER_ADDRESS: `${receiver.address}/prefix/`,
    ...environment,
  });
  assert.ok(configuration !== undefined);
  return ingestTo(configuration)(UPLOAD);
}

test('the request', async () => {
  assert.deepEqual(
    await ingest({
      PYROSCOPE_LABELS: 'team=a+b&c',
      PYROSCOPE_TENANT_ID: 'acme',
      PYROSCOPE_HTTP_HEADERS: '{"x-own": "1", "authorization": "mine"}',
      PYROSCOPE_AUTH_TOKEN: 't',
    }),
    { outcome: 'accepted' },
  );
  const { method, path, query, headers } = receiver.received[0] as Received;
  assert.equal(method, 'POST');
  assert.equal(path, '/prefix/ingest');
  assert.match(String(headers['user-agent']), /^pilotlight-agent\/\d+\.\d+\.\d+ node\//);
  assert.deepEqual(Object.fromEntries(query), {
    name: `shop{process.runtime.name=nodejs,process.runtime.version=${process.versions.node},team=a+b&c}`,
    from: '1700000000',
    until: '1700000011',
    spyName: 'nodespy',
    sampleRate: '71',
    format: 'pprof',
  });
  assert.equal(headers['content-type'], 'application/octet-stream');
  assert.equal(headers['content-length'], String(UPLOAD.body.length));
  assert.equal(headers['x-scope-orgid'], 'acme');
  assert.equal(headers['x-own'], '1');
  assert.equal(headers['authorization'], 'Bearer t');
});

test('429 and 5xx are worth another try, other answers are not', async () => {
  for (const [status, outcome] of [
    [200, 'accepted'],
    [204, 'accepted'],
    [301, 'refused'],
    [400, 'refused'],
    [401, 'refused'],
    [422, 'refused'],
    [429, 'failed'],
    [500, 'failed'],
    [503, 'failed'],
  ] as const) {
    receiver.reply = () => ({ status });
    assert.equal((await ingest()).outcome, outcome, `${status}`);
  }
});

test("the server's sentence is kept", async () => {
  receiver.reply = () => ({ status: 422, body: '{"code": "malformed_profile", "message": "No samples at offset 7."}' });
  assert.deepEqual(await ingest(), {
    outcome: 'refused',
    status: 422,
    reason: 'the server answered 422: No samples at offset 7.',
  });
  receiver.reply = () => ({ status: 404, body: 'nothing here\n' });
  assert.deepEqual(await ingest(), {
    outcome: 'refused',
    status: 404,
    reason: 'the server answered 404: nothing here',
  });
});

test('an answer without end is not read to its end', async () => {
  receiver.reply = () => ({ status: 400, body: 'x'.repeat(1_000_000) });
  const answer = await ingest();
  assert.equal(answer.outcome, 'refused');
  assert.ok(answer.outcome === 'refused' && answer.reason.length < 400);
});

test('no answer in time', async () => {
  receiver.reply = () => undefined;
  assert.deepEqual(await ingest({ PYROSCOPE_PROFILE_EXPORT_TIMEOUT: '100ms' }), {
    outcome: 'failed',
    reason: 'no answer within 100 ms',
  });
});

test('nobody listens', async () => {
  const gone = await new Receiver().open();
  const { address } = gone;
  await gone.close();
  const answer = await ingest({ PYROSCOPE_SERVER_ADDRESS: address });
  assert.equal(answer.outcome, 'failed');
  assert.match(answer.outcome === 'failed' ? answer.reason : '', /ECONNREFUSED/);
});
