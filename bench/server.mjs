/**
 * The server as its clients see it: uploads a second with the CPU each takes, acknowledgment, bytes a sample. Queries: `query.mjs`.
 *
 * Baselines of the same run: for uploads a bare `node:http` server that reads the same bodies and throws them away.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createClient } from '@pilotlight/protocol';
import { percentile, send } from './server/load.mjs';
import { startSelfProfilingServer, startServer } from './server/server-process.mjs';
import { syntheticProfiles } from './server/synthetic.mjs';

const TESTDATA = process.env.PILOTLIGHT_TESTDATA ?? new URL('../../shared/data', import.meta.url).pathname;
const HOUR = 3_600_000;
const SAMPLES = 300;
const PROFILES = 8_640;

const folder = mkdtempSync(join(tmpdir(), 'pilotlight-bench-'));
const figure = (what, value) => console.log(`${what.padEnd(66)} ${value}`);
const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

try {
  const ready = [];
  for (let i = 0; i < 3; i++) {
    const server = await startServer(join(folder, `empty${i}`));
    ready.push(server.readyMillis);
    await server.stop();
  }
  figure('start to ready, empty folder', ms(median(ready)));
  await idle('off', startServer);
  await idle('on', startSelfProfilingServer);
  await uploadsOfJfr();
  await uploadsOfPprof();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What a server costs that nobody uses: over 20 seconds, once it has been up for ten. */
async function idle(selfProfiling, start) {
  const server = await start(join(folder, `idle-${selfProfiling}`));
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const cpu = server.cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  const share = (server.cpuSeconds() - cpu) / 20;
  figure(
    `idle, self-profiling ${selfProfiling}: share of a core; memory`,
    `${(share * 100).toFixed(2)} %; ${Math.round(server.memory().now / 2 ** 20)} MiB`,
  );
  await server.stop();
}

async function uploadsOfJfr() {
  // The peer was measured with the Kafka recording and one of Cassandra of 460 KB; of those we have this one is nearest.
  const names = { Kafka: 'cortex-dev-01__kafka-0__cpu_lock0_alloc0__0', 'Cassandra stcs': 'cassandra/stcs' };
  let recordings;
  try {
    recordings = Object.values(names).map((name) => gunzipSync(readFileSync(join(TESTDATA, 'jfr', `${name}.jfr.gz`))));
  } catch {
    console.log('JFR uploads: skipped: no data');
    return;
  }
  const bodies = recordings.map((bytes) => gzipSync(bytes, { level: 1 }));
  const sizes = Object.keys(names).map((name, i) => `${name} ${Math.round(recordings[i].length / 1_000)} KB`);
  const server = await startServer(join(folder, 'jfr'));
  const now = Date.now();
  const make = (index) => ({
    // Each upload has a time of its own; two of one time and content would be one upload.
    path: `/ingest?name=bench{pod=p${index % 50}}&format=jfr&from=${now - HOUR + index}&until=${now - HOUR + index + 10_000}`,
    headers: {},
    body: bodies[index % bodies.length],
  });
  await send(server.url, 8, 100, 20, make);
  const cpu = server.cpuSeconds();
  const run = await send(server.url, 64, 3_000, 20, (index) => make(index + 100));
  await drained(server.url);
  const each = (server.cpuSeconds() - cpu) / run.count;
  const bare = await baseline(64, 3_000, make);
  figure(
    `JFR uploads (${sizes.join(', ')} in turn), 64 connections`,
    `${run.rate.toFixed(0)}/s, ${ms(each * 1_000)} CPU each`,
  );
  figure(
    '  acknowledgment p50, p99; refused',
    `${ms(percentile(run.latencies, 0.5))}, ${ms(percentile(run.latencies, 0.99))}; ${run.refused}`,
  );
  const paced = await send(server.url, 64, 1_200, 20, (index) => make(index + 10_000), 120);
  figure(
    '  acknowledgment p50, p99 at 120/s',
    `${ms(percentile(paced.latencies, 0.5))}, ${ms(percentile(paced.latencies, 0.99))}`,
  );
  figure('  memory, at most', `${(server.memory().most / 2 ** 30).toFixed(2)} GiB`);
  figure('  share of the rate of a server that throws the bodies away', (run.rate / bare.rate).toFixed(3));
  await server.stop();
}

async function uploadsOfPprof() {
  const data = join(folder, 'pprof');
  let server = await startServer(data);
  const bodies = syntheticProfiles(360, SAMPLES, 20_000);
  const start = Date.now() - 24 * HOUR;
  const make = (index) => ({
    path: `/ingest?name=shop{pod=p${index % 3}}&format=pprof&from=${start + index * 10_000}&until=${start + (index + 1) * 10_000}`,
    headers: {},
    body: bodies[index % bodies.length],
  });
  const cpu = server.cpuSeconds();
  const run = await send(server.url, 64, PROFILES, 60, make);
  await drained(server.url);
  const each = (server.cpuSeconds() - cpu) / run.count;
  const bare = await baseline(64, PROFILES, make);
  figure(
    `pprof uploads (${run.count} of ${SAMPLES} samples), 64 connections`,
    `${run.rate.toFixed(0)}/s, ${ms(each * 1_000)} CPU each`,
  );
  figure(
    '  acknowledgment p50, p99; refused',
    `${ms(percentile(run.latencies, 0.5))}, ${ms(percentile(run.latencies, 0.99))}; ${run.refused}`,
  );
  figure('  share of the rate of a server that throws the bodies away', (run.rate / bare.rate).toFixed(3));

  await server.stop();
  server = await startServer(data);
  figure('start to ready with these data', ms(server.readyMillis));
  await server.stop();
  await sizes(data, run.count * SAMPLES);
}

/** Bytes a sample, from the engine's own account. */
async function sizes(data, samples) {
  const { STORE_DEFAULTS, Store } = await import('../packages/server/dist/store/store.js');
  const store = await Store.open({
    folder: data,
    retentionAgeSeconds: 7 * 86_400,
    retentionBytes: 1e12,
    ...STORE_DEFAULTS,
    onTrouble: console.error,
  });
  const answer = await store.engine.query(
    "SELECT toInt64(sumIf(bytes_on_disk, table = 'profiles')), toInt64(sum(bytes_on_disk)) FROM system.parts WHERE database = 'pilotlight' AND active",
  );
  const view = new DataView(answer.buffer, answer.byteOffset);
  const [profiles, all] = [0, 8].map((at) => Number(view.getBigInt64(at, true)));
  figure(
    'bytes a sample: profiles alone; with nodes, frames, series',
    `${(profiles / samples).toFixed(1)}; ${(all / samples).toFixed(1)}`,
  );
  await store.close();
}

async function baseline(connections, count, make) {
  const bare = createServer((incoming, answer) => {
    incoming.resume();
    incoming.on('end', () => answer.end());
  });
  await new Promise((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const run = await send(`http://127.0.0.1:${bare.address().port}`, connections, count, 10, make);
  bare.close();
  return run;
}

async function drained(url) {
  const client = createClient({ baseUrl: url });
  for (let tries = 0; tries < 600; tries++) {
    if ((await client.status()).logRecords === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the commit log was not drained within a minute');
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
