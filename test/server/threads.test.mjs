/** By thread: what a pprof tells of its samples by labels, through the routes. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { decodeFlameGraph } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import { drawnPprof } from '../../packages/server/dist/ingest/testing/drawn-profile.js';
import { ingest, request } from './api.mjs';
import { startServer } from './server-process.mjs';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';

let server;
before(async (t) => {
  server = await startServer(t);
  const body = drawnPprof('main;a {thread=t1} 5\nmain;a {thread=t2} 7\nmain;b {thread=t2} 11\nmain 100');
  const { status, text } = await ingest(server.url, { name: 'shop', format: 'pprof' }, body);
  assert.equal(status, 200, text);
});

test('the threads are told, the busiest first, and the graph of one of them', async () => {
  const { json } = await request(`${server.url}${ROUTES.threads}?${new URLSearchParams({ type: CPU })}`);
  assert.deepEqual(json, {
    threads: [
      { thread: 't2', total: 18 },
      { thread: 't1', total: 5 },
    ],
  });
  const total = async (more) => {
    const answer = await fetch(`${server.url}${ROUTES.flameGraph}?${new URLSearchParams({ type: CPU, ...more })}`);
    return decodeFlameGraph(new Uint8Array(await answer.arrayBuffer())).tree.total[0];
  };
  assert.deepEqual(await Promise.all([total({}), total({ thread: 't1' }), total({ thread: 'x' })]), [123, 5, 0]);
});

test('a thread is asked for with a profile type', async () => {
  const { status, json } = await request(`${server.url}${ROUTES.threads}`);
  assert.deepEqual([status, json.code], [400, 'unknown_profile_type']);
});

test('the client asks for threads, for the graph of one and for its export', async () => {
  const shop = {
    profileType: CPU,
    selector: '{service_name="shop"}',
    start: Date.now() - 60_000,
    end: Date.now() + 60_000,
  };
  assert.deepEqual(
    (await server.client.threads(shop)).map(({ thread }) => thread),
    ['t2', 't1'],
  );
  const thread = 't2';
  assert.deepEqual(await server.client.threads({ ...shop, thread }), await server.client.threads(shop));
  assert.equal((await server.client.flameGraph({ ...shop, thread }, 0)).total[0], 18);
  const text = async (format) => Buffer.from(await server.client.exportProfile({ ...shop, thread }, format)).toString();
  assert.equal(await text('collapsed'), 'main;a 7\nmain;b 11\n');
  assert.match(await text('svg'), /, thread t2</);
  await assert.rejects(server.client.exportProfile({ ...shop, thread: 'x' }, 'pprof'), { code: 'not_found' });
});
