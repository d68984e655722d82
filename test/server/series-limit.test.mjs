/** 5,000 series: the next one is refused with a reason, those that exist go on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROUTES } from '@pilotlight/protocol';
import { pprofFromDrawing } from '../../packages/profile/dist/testing/pprof-drawing.js';
import { ingest, request } from './api.mjs';
import { startServer } from './server-process.mjs';

/** Sets of sample labels that make series, an upload; more are kept without their labels. */
const SETS = 200;
const SERIES_MAX = 5_000;

test('the limit holds to the series, within an upload and between uploads', async (t) => {
  const server = await startServer(t);
  const send = (first, count) => {
    const samples = Array.from({ length: count }, (_, i) => ({
      stack: [1],
      values: [1],
      labels: [{ key: 'request', text: String(first + i) }],
    }));
    const drawing = {
      types: ['cpu/nanoseconds'],
      locations: [{ id: 1, lines: [[1]] }],
      functions: [{ id: 1, name: 'main' }],
    };
    return ingest(server.url, { name: 'many', from: 'now' }, pprofFromDrawing({ ...drawing, samples }));
  };
  const series = async () => (await request(server.url + ROUTES.status)).json.series;

  for (let first = 0; first < SERIES_MAX - SETS; first += SETS) assert.equal((await send(first, SETS)).status, 200);
  assert.equal((await send(SERIES_MAX - SETS, SETS - 1)).status, 200);
  // Room for one: the others of the upload are left out, and counted.
  assert.equal((await send(SERIES_MAX - 1, SETS)).status, 200);
  assert.equal(await series(), SERIES_MAX);
  const [refusal] = await server.client.refusals();
  assert.deepEqual([refusal.service, refusal.reason, refusal.count], ['many', 'series_limit', SETS - 1]);

  const full = await send(SERIES_MAX + SETS, 5);
  assert.deepEqual([full.status, full.json.code, full.headers.get('retry-after')], [429, 'series_limit', '5']);
  assert.match(
    full.json.message,
    /^the tenant has 5000 series, the limit is 5000: a label with ever new values makes a series of each$/,
  );
  assert.equal((await send(0, 1)).status, 200);
  assert.equal(await series(), SERIES_MAX);

  const now = Date.now();
  const selection = {
    profileType: 'process_cpu:cpu:nanoseconds::',
    selector: '{}',
    start: now - 600_000,
    end: now + 600_000,
  };
  assert.equal((await server.client.selectMergeStacktraces(selection)).total, SERIES_MAX + 1);
  const { length } = await server.client.labelValues('request', { start: selection.start, end: selection.end });
  assert.equal(length, SERIES_MAX);
});
