/** What a recording holds comes back to the unit through every query, and again after the server was killed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPprof } from '@pilotlight/profile';
import { ingest, selectMergeProfile } from './api.mjs';
import { RECORDINGS, testData } from './recordings.mjs';
import { startServer } from './server-process.mjs';

/** The body is the recording; where it has labels, also as a part beside them. */
const formsOf = ({ labels }) => (labels === undefined ? ['raw'] : ['raw', 'parts']);

test('the totals of every recording', async (t) => {
  const files = RECORDINGS.map(({ file, labels }) => ({
    jfr: testData(t, file),
    labels: labels === undefined ? undefined : testData(t, labels),
  }));
  if (files.some(({ jfr }) => jfr === undefined)) return;
  const server = await startServer(t);
  const started = Date.now();
  for (const [i, recording] of RECORDINGS.entries()) {
    const { name } = recording;
    const { jfr, labels } = files[i];
    const parts = new FormData();
    parts.append('jfr', new Blob([jfr]), 'jfr');
    if (labels !== undefined) parts.append('labels', new Blob([labels]), 'labels');
    // As if recorded now: most are older than anything the server takes.
    const window = { from: 'now-10s', until: 'now', format: 'jfr' };
    const bodies = { raw: jfr, parts };
    for (const form of formsOf(recording)) {
      const { status, text } = await ingest(server.url, { name: `${name}.${form}`, ...window }, bodies[form]);
      assert.equal(status, 200, `${name} ${form}: ${text}`);
    }
  }
  // An hour ahead: a long recording is spread over the time it covers, which here begins now.
  const range = { start: started - 60_000, end: Date.now() + 3_600_000 };

  await t.test('right after the upload', (t) => compareAll(t, server, range));
  await server.kill('SIGKILL');
  await server.restart();
  await t.test('after SIGKILL and a new start', (t) => compareAll(t, server, range));
  const values = (name, service) => server.client.labelValues(name, range, [`{service_name="${service}"}`]);
  const agent = 'generated/agent450-wall-alloc-lock';
  assert.deepEqual(await values('worker', `${agent}.parts`), ['w0', 'w1', 'w2']);
  assert.deepEqual(await values('worker', `${agent}.raw`), []);
  assert.deepEqual(await values('dyn1', 'new_spancontext.parts'), ['v1']);
  assert.deepEqual(await server.client.refusals(), []);
});

/** Each total by three queries: as a flame graph, as a pprof, and as a sum over time. */
async function compareAll(t, { client, url }, range) {
  const expected = RECORDINGS.flatMap((recording) =>
    formsOf(recording).flatMap((form) =>
      Object.entries(recording.totals).map(([profileType, total]) => ({
        service: `${recording.name}.${form}`,
        profileType,
        total,
      })),
    ),
  );
  const sums = await sumsOverTime(client, new Set(expected.map(({ profileType }) => profileType)), range);
  for (const { service, profileType, total } of expected) {
    const labelSelector = `{service_name="${service}"}`;
    const flamegraph = await client.selectMergeStacktraces({ profileType, selector: labelSelector, ...range });
    const pprof = await selectMergeProfile(url, { profileTypeID: profileType, labelSelector, ...range });
    const merged = readPprof(pprof).profiles[0].profile.samples.values[0].reduce((sum, value) => sum + value, 0);
    const found = [flamegraph.total, merged, sums.get(`${service} ${profileType}`)];
    assert.deepEqual(found, [total, total, total], `${service} ${profileType}`);
  }
  assert.equal(sums.size, expected.length, 'no service has a type that is not in its recording');
  t.diagnostic(`${sums.size} of ${expected.length} compared`);
}

/** By service and profile type. */
async function sumsOverTime(client, profileTypes, range) {
  const sums = new Map();
  for (const profileType of profileTypes) {
    for (const { labels, points } of await client.selectSeries({ profileType, selector: '{}', ...range }, 30, [
      'service_name',
    ])) {
      const sum = points.reduce((all, { value }) => all + value, 0);
      sums.set(`${labels.service_name} ${profileType}`, sum);
    }
  }
  return sums;
}
