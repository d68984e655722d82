/** The routes that answer trees in the columnar form: what the page draws. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { decodeFlameGraph, sideOf } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import { drawnTree } from '../../packages/profile/dist/testing/tree-drawing.js';
import { ingest, request } from './api.mjs';
import { startServer } from './server-process.mjs';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const NOW = Date.now();
const RANGE = { start: NOW - 60_000, end: NOW + 60_000 };
const SHOP = { profileType: CPU, selector: '{service_name="shop"}', ...RANGE };

let server;
before(async (t) => {
  server = await startServer(t);
  await push('shop', NOW, 'main;a 5', 'main;b 7', 'main;b;é🙂 1');
  await push('shop', NOW - 600_000, 'main;a 1', 'main;gone 2');
});

/** Stacks of so many samples, 10 ms each. */
async function push(name, timeMs, ...stacks) {
  const { status, text } = await ingest(server.url, { name, from: timeMs, until: timeMs }, stacks.join('\n'));
  assert.equal(status, 200, text);
}

const ask = (route, parameters) => fetch(`${server.url}${route}?${new URLSearchParams(parameters)}`);
const FLAME = { type: CPU, query: SHOP.selector, from: RANGE.start, until: RANGE.end };

test('a flame graph comes whole, and says what its values are', async () => {
  const answer = await ask(ROUTES.flameGraph, FLAME);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/vnd.pilotlight.flamegraph');
  const { sampleType, unit, tree } = decodeFlameGraph(new Uint8Array(await answer.arrayBuffer()));
  assert.deepEqual([sampleType, unit], ['cpu', 'nanoseconds']);
  assert.deepEqual(drawnTree(tree), [
    'total 0/130000000',
    '. main 0/130000000',
    '. . a 50000000/50000000',
    '. . b 70000000/80000000',
    '. . . é🙂 10000000/10000000',
  ]);
  assert.deepEqual(await server.client.flameGraph(SHOP, 100), tree);
});

test('it is cut to what was asked for, and is the tree the other routes draw', async () => {
  assert.deepEqual(drawnTree(await server.client.flameGraph(SHOP, 2)), [
    'total 0/130000000',
    '. main 0/130000000',
    '. . b 70000000/80000000',
    '. . . other 10000000/10000000',
    '. . other 50000000/50000000',
  ]);
  const { total } = await server.client.selectMergeStacktraces(SHOP);
  assert.equal((await server.client.flameGraph(SHOP, 0)).total[0], total);
});

test('without a selector it is of all, without a range of the last hour; nothing is an empty tree', async () => {
  const tree = async (parameters) =>
    decodeFlameGraph(new Uint8Array(await (await ask(ROUTES.flameGraph, parameters)).arrayBuffer())).tree;
  assert.equal((await tree({ type: CPU })).total[0], 160_000_000);
  assert.equal((await tree({ type: CPU, from: 'now-5m' })).total[0], 130_000_000);
  assert.deepEqual(drawnTree(await tree({ type: CPU, query: '{service_name="nope"}' })), ['total 0/0']);
});

test('a large one is packed', async () => {
  const lines = Array.from({ length: 3_000 }, (_, i) => `main;handler.of.requests.number${i % 700};row${i} 1`);
  await push('large', NOW, ...lines);
  const answer = await ask(ROUTES.flameGraph, { ...FLAME, query: '{service_name="large"}' });
  assert.equal(answer.headers.get('content-encoding'), 'gzip');
  assert.equal(decodeFlameGraph(new Uint8Array(await answer.arrayBuffer())).tree.total[0], 30_000_000_000);
});

test('a diff has both sides, whatever each selects', async () => {
  const earlier = { ...SHOP, start: NOW - 660_000, end: NOW - 540_000 };
  const diff = await server.client.diff({ profileType: CPU, left: earlier, right: SHOP }, 0);
  assert.deepEqual(
    Array.from({ length: diff.length }, (_, i) => [
      diff.names[diff.name[i]],
      diff.left.total[i] / 1e7,
      diff.right.total[i] / 1e7,
    ]),
    [
      ['total', 3, 13],
      ['main', 3, 13],
      ['a', 1, 5],
      ['b', 0, 8],
      ['é🙂', 0, 1],
      ['gone', 2, 0],
    ],
  );
  assert.deepEqual(sideOf(diff, 'right'), await server.client.flameGraph(SHOP, 0));
  const cut = await server.client.diff({ profileType: CPU, left: earlier, right: SHOP }, 4);
  // By share: 2 of 3 gone weighs more than 1 of 3 and 5 of 13 together.
  assert.deepEqual(
    [...cut.name].map((name) => cut.names[name]),
    ['total', 'main', 'b', 'other', 'gone', 'other'],
  );
  const same = await server.client.diff({ profileType: CPU, left: SHOP, right: { ...SHOP, selector: '{x="y"}' } }, 0);
  assert.deepEqual([same.left.total[0], same.right.total[0]], [130_000_000, 0]);
});

test('what is wrong with a question is said, with the name of the parameter', async () => {
  const refused = async (route, parameters, code, message) => {
    const { status, json } = await request(`${server.url}${route}?${new URLSearchParams(parameters)}`);
    assert.equal(status, 400);
    assert.equal(json.code, code);
    assert.match(json.message, message);
  };
  for (const route of [ROUTES.flameGraph, ROUTES.diff, ROUTES.export]) {
    await refused(
      route,
      { type: CPU, selector: '{}' },
      'malformed_request',
      /the parameter "selector" is not known here; there are .*type/,
    );
  }
  for (const route of [ROUTES.flameGraph, ROUTES.diff]) {
    await refused(route, {}, 'unknown_profile_type', /"" is not a profile type/);
    await refused(route, { type: CPU, maxNodes: '-5' }, 'malformed_query', /max_nodes is -5, below 0/);
    await refused(route, { type: CPU, maxNodes: 'many' }, 'malformed_query', /max_nodes is many, no number of nodes/);
    await refused(route, { type: CPU, maxNodes: '2000000' }, 'query_limit', /the limit is 1048576/);
  }
  await refused(ROUTES.flameGraph, { ...FLAME, query: '{' }, 'malformed_query', /label selector, character 2/);
  await refused(ROUTES.flameGraph, { ...FLAME, from: 'then' }, 'malformed_request', /^from: "then" is not a time/);
  await refused(ROUTES.flameGraph, { ...FLAME, until: NOW - 3_600_000 }, 'malformed_query', /bad range/);
  await refused(ROUTES.diff, { type: CPU, rightFrom: 'then' }, 'malformed_request', /^rightFrom: "then" is not/);
  await refused(ROUTES.diff, { type: CPU, leftUntil: 'now-2h' }, 'malformed_query', /bad range/);
});
