/** Profiles of spans, as Grafana asks them from a trace. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { drawnPprof } from '../../packages/server/dist/ingest/testing/drawn-profile.js';
import { ingest, query } from './api.mjs';
import { startServer } from './server-process.mjs';

const NOW = Date.now();
const ASKED = {
  profileTypeID: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds',
  labelSelector: '{}',
  start: NOW - 60_000,
  end: NOW + 60_000,
};

let server;
before(async (t) => {
  server = await startServer(t);
  // The largest id is one that no number carries.
  const body = drawnPprof(
    'main;a {span_id=ffffffffffffffff} 5\nmain;b {span_id=00f067aa0ba902b7} 7\nmain;b {span_id=fffffffffffffffe} 11\nmain 100',
  );
  const { status, text } = await ingest(server.url, { name: 'shop', format: 'pprof' }, body);
  assert.equal(status, 200, text);
});

async function graph(method, more) {
  const { status, text, json } = await query(server.url, method, { ...ASKED, ...more });
  assert.equal(status, 200, text);
  return json;
}

for (const method of ['SelectMergeStacktraces', 'SelectMergeSpanProfile']) {
  test(`${method}: only the samples of the spans asked for`, async () => {
    const { flamegraph } = await graph(method, { spanSelector: ['FFFFFFFFFFFFFFFF', '00f067aa0ba902b7'] });
    assert.equal(flamegraph.total, '12');
    assert.deepEqual(flamegraph.names, ['total', 'main', 'b', 'a']);
    assert.equal((await graph(method, { spanSelector: ['fffffffffffffffe'] })).flamegraph.total, '11');
    assert.equal((await graph(method, { spanSelector: ['1'] })).flamegraph.total ?? '0', '0');
    const { tree } = await graph(method, { spanSelector: ['fffffffffffffffe'], format: 'PROFILE_FORMAT_TREE' });
    assert.ok(Buffer.from(tree, 'base64').includes('main'));
  });
}

test('a span profile as pprof', async () => {
  const { pprof } = await graph('SelectMergeStacktraces', {
    spanSelector: ['fffffffffffffffe'],
    format: 'PROFILE_FORMAT_PPROF',
  });
  assert.deepEqual(
    pprof.profile.sample.map(({ value }) => value),
    [['11']],
  );
});

test('what is no span, or cannot be asked for, is refused', async () => {
  const refused = async (method, more, expected) => {
    const { status, json } = await query(server.url, method, { ...ASKED, ...more });
    assert.equal(status, 400);
    assert.match(json.message, expected);
  };
  await refused('SelectMergeStacktraces', { spanSelector: ['xyz'] }, /^malformed_query: "xyz" is no span/);
  await refused('SelectMergeStacktraces', { spanSelector: ["1'); --"] }, /is no span/);
  await refused('SelectMergeSpanProfile', {}, /^malformed_query: span_selector is missing/);
  await refused('SelectMergeStacktraces', { traceIdSelector: ['a'] }, /cannot be asked for by their ids/);
  const many = Array.from({ length: 10_001 }, (_, i) => i.toString(16));
  await refused('SelectMergeStacktraces', { spanSelector: many }, /^query_limit: 10001 spans are asked for/);
  assert.equal((await graph('SelectMergeStacktraces', { spanSelector: many.slice(1) })).flamegraph.total ?? '0', '0');
});
