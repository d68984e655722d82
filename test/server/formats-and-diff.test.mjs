/** The querier in the formats clients ask for, and diffs of two queries, as Grafana and profilecli send them. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ROUTES } from '@pilotlight/protocol';
import { ingest, query, request } from './api.mjs';
import { startServer } from './server-process.mjs';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const WALL = 'wall:wall:nanoseconds:cpu:nanoseconds';
const NOW = Date.now();
const RANGE = { start: NOW - 60_000, end: NOW + 60_000 };

let server;
before(async (t) => {
  server = await startServer(t);
  for (const [name, stacks] of [
    ['before', 'main;a 5\nmain;b 7'],
    ['after', 'main;a 50\nmain;c 1'],
  ]) {
    // A rate at which a sample is one nanosecond, so that numbers stay small.
    const { status, text } = await ingest(
      server.url,
      { name, from: NOW, until: NOW, sampleRate: 1_000_000_000 },
      stacks,
    );
    assert.equal(status, 200, text);
  }
});

const select = (service, more = {}) => ({
  profileTypeID: CPU,
  labelSelector: `{service_name="${service}"}`,
  ...RANGE,
  ...more,
});
async function ask(method, message) {
  const { status, text, json } = await query(server.url, method, message);
  assert.equal(status, 200, text);
  return json;
}

/** The nodes of format TREE, `depth name self`. */
function nodesOf(base64) {
  const bytes = Buffer.from(base64, 'base64');
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  };
  const nodes = [];
  const walk = (depth) => {
    const length = varint();
    const name = bytes.toString('utf8', at, (at += length));
    nodes.push(`${depth} ${name} ${varint()}`);
    for (let children = varint(); children > 0; children--) walk(depth + 1);
  };
  walk(0);
  assert.equal(at, bytes.length);
  return nodes;
}

test('SelectMergeStacktraces answers a tree, and nothing beside it', async () => {
  const answer = await ask('SelectMergeStacktraces', select('before', { format: 'PROFILE_FORMAT_TREE' }));
  assert.deepEqual(Object.keys(answer), ['tree']);
  assert.deepEqual(nodesOf(answer.tree), ['0  0', '1 main 0', '2 a 5', '2 b 7']);
  const cut = await ask('SelectMergeStacktraces', select('before', { format: 'PROFILE_FORMAT_TREE', maxNodes: 2 }));
  assert.deepEqual(nodesOf(cut.tree), ['0  0', '1 main 0', '2 b 7', '2 other 5']);
});

test('SelectMergeStacktraces answers a pprof, that of SelectMergeProfile', async () => {
  const answer = await ask('SelectMergeStacktraces', select('before', { format: 'PROFILE_FORMAT_PPROF' }));
  assert.deepEqual(Object.keys(answer), ['pprof']);
  assert.deepEqual(answer.pprof.profile, await ask('SelectMergeProfile', select('before')));
  assert.deepEqual(answer.pprof.profile.sample.map(({ value }) => value[0]).sort(), ['5', '7']);
});

test('a format that is not written here is refused, not answered with another', async () => {
  const { status, json } = await query(
    server.url,
    'SelectMergeStacktraces',
    select('before', { format: 'PROFILE_FORMAT_DOT' }),
  );
  assert.equal(status, 400);
  assert.match(json.message, /^unsupported_format: the formats here are FLAMEGRAPH, TREE and PPROF$/);
});

const FLAMEBEARER = {
  names: ['total', 'main', 'c', 'b', 'a'],
  levels: [
    [0, 12, 0, 0, 51, 0, 0],
    [0, 12, 0, 0, 51, 0, 1],
    [...[0, 5, 5, 0, 50, 50, 4], ...[0, 7, 7, 0, 0, 0, 3], ...[0, 0, 0, 0, 1, 1, 2]],
  ],
};

test('Diff lays two selections over each other', async () => {
  const { flamegraph } = await ask('Diff', { left: select('before'), right: select('after') });
  const { names, levels, ...numbers } = flamegraph;
  assert.deepEqual(names, FLAMEBEARER.names);
  assert.deepEqual(
    levels.map(({ values }) => values.map(Number)),
    FLAMEBEARER.levels,
  );
  assert.deepEqual(numbers, { total: '63', maxSelf: '50', leftTicks: '12', rightTicks: '51' });
  const empty = await ask('Diff', { left: select('nope'), right: select('after') });
  assert.deepEqual([empty.flamegraph.leftTicks ?? '0', empty.flamegraph.rightTicks], ['0', '51']);
});

test('Diff keeps what is heavy on either side', async () => {
  const sides = { left: select('before', { maxNodes: 3 }), right: select('after', { maxNodes: 3 }) };
  const { flamegraph } = await ask('Diff', sides);
  assert.deepEqual(flamegraph.names, ['total', 'main', 'other', 'a']);
  assert.deepEqual(flamegraph.levels[2].values.map(Number), [...[0, 5, 5, 0, 50, 50, 3], ...[0, 7, 7, 0, 1, 1, 2]]);
});

test('Diff says which side is wrong', async () => {
  const refused = async (message, expected) => {
    const { status, json } = await query(server.url, 'Diff', message);
    assert.deepEqual([status, json.code], [400, 'invalid_argument']);
    assert.match(json.message, expected);
  };
  await refused({ left: select('before') }, /malformed_query: the right side is missing/);
  await refused({ right: select('before') }, /malformed_query: the left side is missing/);
  await refused({ left: select('before'), right: select('after', { profileTypeID: WALL }) }, /two profile types/);
  await refused({ left: select('before'), right: select('after', { start: NOW + 120_000 }) }, /bad range/);
});

const renderDiff = (parameters) =>
  request(
    `${server.url}${ROUTES.renderDiff}?${new URLSearchParams({
      leftQuery: `${CPU}{service_name="before"}`,
      leftFrom: RANGE.start,
      leftUntil: RANGE.end,
      rightQuery: `${CPU}{service_name="after"}`,
      rightFrom: RANGE.start,
      rightUntil: RANGE.end,
      ...parameters,
    })}`,
  );

test('render-diff: the same as a page of older clients takes it', async () => {
  const { status, json } = await renderDiff({});
  assert.equal(status, 200);
  assert.deepEqual(json, {
    version: 1,
    flamebearer: { ...FLAMEBEARER, numTicks: 63, maxSelf: 50 },
    metadata: { format: 'double', spyName: '', sampleRate: 1_000_000_000, units: 'samples', name: 'process_cpu' },
    leftTicks: 12,
    rightTicks: 51,
  });
  assert.deepEqual((await renderDiff({ 'max-nodes': '3' })).json.flamebearer.names, ['total', 'main', 'other', 'a']);
  assert.equal((await renderDiff({ 'max-nodes': 'many', leftFrom: 'now-1h', leftUntil: 'now' })).status, 200);
});

test('render-diff names the parameter that is wrong', async () => {
  const refused = async (parameters, expected) => {
    const { status, json } = await renderDiff(parameters);
    assert.equal(status, 400);
    assert.match(json.message, expected);
  };
  await refused({ rightQuery: '' }, /^rightQuery must be a profile type and a selector/);
  await refused({ leftFrom: 'then' }, /^leftFrom: "then" is not a time/);
  await refused({ leftFrom: 'now', leftUntil: 'now-1h' }, /^bad range/);
  await refused({ rightQuery: `${WALL}{}` }, /two profile types/);
});
