/**
 * Queries as their clients see them, over thirty days of one service and one day of fifty pods (`query/data-set.mjs`); medians until the last byte of the
 * answer. Baseline of the same run: `GET /healthz`.
 *
 * `PILOTLIGHT_BENCH_DATA=<folder>` keeps the data set there and takes the one that is there; otherwise it is made anew.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CPU, FLEET_PODS, makeDataSet, openStore } from './query/data-set.mjs';
import { startServer } from './server/server-process.mjs';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RUNS = 15;
const kept = process.env.PILOTLIGHT_BENCH_DATA;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'pilotlight-bench-'));
const figure = (what, value) => console.log(`${what.padEnd(60)} ${value}`);
const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

try {
  const data = join(folder, 'data');
  const about = join(folder, 'about.json');
  if (!existsSync(about)) {
    const endMs = Math.floor(Date.now() / HOUR) * HOUR;
    const started = performance.now();
    const { samples, rollUpMillis } = await makeDataSet(data, endMs);
    writeFileSync(about, JSON.stringify({ endMs, samples }));
    figure(
      'data set made',
      `${((performance.now() - started) / 1_000).toFixed(0)} s, of it ${(rollUpMillis / 1_000).toFixed(0)} s for the roll-ups`,
    );
  }
  await measure(data, JSON.parse(readFileSync(about, 'utf8')));
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measure(data, { endMs, samples }) {
  const day = [endMs - DAY, endMs];
  const queries = [
    ['flame graph, 1 h', 25, 40, flameGraph('shop', [endMs - HOUR, endMs])],
    ['flame graph, 24 h', 60, 120, flameGraph('shop', day)],
    [`flame graph, 24 h, one pod of ${FLEET_PODS}`, 60, 120, flameGraph('fleet', day, ', pod="p7"')],
    ['flame graph, 30 days', 300, 600, flameGraph('shop', [endMs - 30 * DAY, endMs])],
    ['SelectSeries, 24 h by pod', 20, 40, rpc('SelectSeries', { ...select('shop', day), step: 60, groupBy: ['pod'] })],
    ['profile as pprof, 1 h', 80, 160, pprof('shop', [endMs - HOUR, endMs])],
  ];
  let server = await startServer(data, { PILOTLIGHT_RETENTION_AGE: '3650d' });
  console.log(`${samples} samples a day in shop`);
  const health = median(await timed(50, () => fetch(`${server.url}/healthz`).then((answer) => answer.text())));
  figure('GET /healthz', ms(health));
  for (const [what, goal, floor, ask] of queries) {
    const cpu = server.cpuSeconds();
    const [first, ...hot] = await timed(RUNS, () => ask(server.url));
    const each = ((server.cpuSeconds() - cpu) / RUNS) * 1_000;
    const ratio = Math.round(median(hot) / health);
    figure(
      what,
      `${ms(median(hot))}, first ${ms(first)}, CPU ${ms(each)}, ${ratio} × /healthz; goal ${goal}, floor ${floor}`,
    );
  }
  await server.stop();
  const cold = [];
  const ready = [];
  for (let i = 0; i < 3; i++) {
    server = await startServer(data, { PILOTLIGHT_RETENTION_AGE: '3650d' });
    ready.push(server.readyMillis);
    cold.push(...(await timed(1, () => queries[1][3](server.url))));
    await server.stop();
  }
  figure('flame graph, 24 h, cold after a restart', `${ms(median(cold))}; goal 300, floor 500`);
  figure('start to ready with these data', `${ms(median(ready))}; goal 1000, floor 2000`);
  await sizes(data);
}

/** Bytes a sample, from the engine's own account, over all days. */
async function sizes(data) {
  const store = await openStore(data);
  const rows = async (sql) => {
    const answer = await store.engine.query(`SELECT ${sql} FORMAT TSV`);
    return Buffer.from(answer)
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.split('\t'));
  };
  const [[samples]] = await rows('sum(length(nodes)) FROM pilotlight.profiles');
  const tables = await rows(
    "table, sum(bytes_on_disk) FROM system.parts WHERE database = 'pilotlight' AND active GROUP BY table ORDER BY table",
  );
  const bytes = new Map(tables.map(([table, size]) => [table, Number(size)]));
  const all = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  const each = (size) => (size / Number(samples)).toFixed(2);
  figure('bytes a sample, profiles alone', `${each(bytes.get('profiles'))}; goal 6, floor 8`);
  figure('  with roll-ups, nodes, frames, series', `${each(all)}; goal 12, floor 16`);
  for (const [table, size] of bytes) figure(`    ${table}`, `${(size / 2 ** 20).toFixed(1)} MiB, ${each(size)}`);
  await store.close();
}

function select(service, [start, end], more = '') {
  return {
    profileTypeID: CPU,
    labelSelector: `{service_name="${service}"${more}}`,
    start: String(start),
    end: String(end),
  };
}

function flameGraph(service, range, more) {
  return rpc('SelectMergeStacktraces', { ...select(service, range, more), maxNodes: '8192' });
}

function rpc(method, message) {
  const body = JSON.stringify(message);
  return async (url) => {
    const answer = await fetch(`${url}/querier.v1.QuerierService/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const bytes = await answer.arrayBuffer();
    if (!answer.ok) throw new Error(Buffer.from(bytes).toString());
  };
}

/** As `pilotlight export` asks for it. */
function pprof(service, [from, until]) {
  const query = new URLSearchParams({ query: `${CPU}{service_name="${service}"}`, from, until, format: 'pprof' });
  return async (url) => {
    const answer = await fetch(`${url}/pyroscope/render?${query}`);
    const bytes = await answer.arrayBuffer();
    if (!answer.ok) throw new Error(Buffer.from(bytes).toString());
  };
}

async function timed(count, work) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
