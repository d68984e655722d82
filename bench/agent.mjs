/**
 * What the Node.js agent costs: `node bench/agent.mjs`, about a minute and a half; run `npx tsc -b packages/agent` before.
 *
 * Sampling: one process does the same work in short segments, unprofiled and profiled in turns; the figure is CPU of the process
 * for one unit of work, with ÷ without. Neighbours on a shared machine are louder than the agent, and mostly make a segment
 * dearer, so each side is represented by its cheapest fifth; "off ÷ off" compares the unprofiled segments before the profiled
 * ones with those after, and tells what noise is left. Beside it stands the agent's own estimate, for that is what the budget
 * is kept by.
 * What happens once a window (its end, conversion, gzip) and once a start of V8's profiler is measured apart, in milliseconds of CPU.
 * Workers: a process whose main thread and two workers are all busy, with the whole agent and a budget that never lets it rest; the
 * figure is what the agent says of itself, in percent of one core, for all three.
 * Idle: CPU of a process that does nothing, in percent of one core, with the whole agent, once it rests.
 */
import { spawn } from 'node:child_process';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';

const SELF = fileURLToPath(import.meta.url);
const REGISTER = new URL('../packages/agent/dist/register.js', import.meta.url).href;
const INTERVAL_MICROS = Number(process.env.BENCH_INTERVAL_MICROS ?? 10_000);
const SEGMENT_MILLIS = 400;
const ROUNDS = 28;
/** V8 tidies up once more after some seconds of quiet. */
const SETTLE_MILLIS = 12_000;
const IDLE_MILLIS = 6_000;
const WORKERS = 2;
const WORKERS_MILLIS = 15_000;

/** JSON, text, sorting, recursion and garbage: a bit of what servers do. */
function unit() {
  const rows = Array.from({ length: 200 }, (_, i) => ({
    id: i,
    name: `row ${(i * 7919) % 200}`,
    tags: ['a', 'b', String(i)],
  }));
  const text = JSON.stringify(JSON.parse(JSON.stringify(rows)).sort((a, b) => (a.name < b.name ? -1 : 1)));
  const fibonacci = (n) => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2));
  return text.replace(/row (\d+)/g, (_, n) => n).length + fibonacci(18);
}

const cpuMillis = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** A segment of work; gives CPU of the process for one unit. */
function work(millis) {
  const before = cpuMillis();
  let units = 0;
  for (const end = performance.now() + millis; performance.now() < end; units++) unit();
  return (cpuMillis() - before) / units;
}

async function busy() {
  const worker = new Worker(SELF);
  const ask = (message) =>
    new Promise((resolve) => {
      worker.once('message', resolve);
      worker.postMessage(message);
    });
  async function profiled() {
    const startMillis = await ask('start');
    const before = cpuMillis();
    let units = 0;
    for (const until = performance.now() + SEGMENT_MILLIS; performance.now() < until; units++) unit();
    const end = cpuMillis();
    const estimateMillis = await ask('estimate');
    const shares = {
      ofCore: estimateMillis / SEGMENT_MILLIS,
      ofWork: estimateMillis / (end - before - estimateMillis),
    };
    const beforeFinish = cpuMillis();
    // The main thread only waits meanwhile, so all CPU is the agent's.
    const finishOnMainMillis = await ask('finish');
    const finishMillis = cpuMillis() - beforeFinish;
    await ask('stop');
    return { startMillis, perUnit: (end - before) / units, ...shares, finishMillis, finishOnMainMillis };
  }
  work(2000);
  await profiled();
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = work(SEGMENT_MILLIS);
    const on = await profiled();
    const after = work(SEGMENT_MILLIS);
    rounds.push({ before, after, ...on });
  }
  await worker.terminate();
  return rounds;
}

/** The agent's parts, in a worker as in the agent. */
async function profileOnDemand() {
  const { convertCpuProfile } = await import('../packages/agent/dist/cpu-profile.js');
  const { MainInspector } = await import('../packages/agent/dist/inspector.js');
  const { OwnCost } = await import('../packages/agent/dist/own-cost.js');
  const { ThreadProfiler } = await import('../packages/agent/dist/thread-profiler.js');
  const { writePprof } = await import('../packages/profile/dist/index.js');
  const cost = new OwnCost(false);
  let inspector;
  let profiler;
  parentPort.on('message', async (message) => {
    if (message === 'start') {
      inspector = new MainInspector();
      inspector.connect();
      profiler = new ThreadProfiler(inspector);
      cost.profilingBegins();
      const { millis } = await cost.onMain(() => profiler.start(INTERVAL_MICROS));
      cost.lap(0);
      parentPort.postMessage(millis);
    } else if (message === 'estimate') {
      // Where threads cannot be told apart the estimate counts samples.
      parentPort.postMessage(cost.lap((SEGMENT_MILLIS * 1000) / INTERVAL_MICROS).costMillis);
    } else if (message === 'finish') {
      const { value, millis } = await cost.onMain(() => profiler.rotate());
      const { profile } = convertCpuProfile(value, {
        fromMicros: 0,
        intervalMicros: INTERVAL_MICROS,
        cpuMillis: undefined,
        epochMicros: 0,
        workingDirectory: process.cwd(),
      });
      gzipSync(writePprof(profile), { level: 1 });
      parentPort.postMessage(millis);
    } else {
      inspector.disconnect();
      parentPort.postMessage('stopped');
    }
  });
}

async function childIdle() {
  // Starting up is not idling, and the agent looks at one window before it rests.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MILLIS));
  const before = cpuMillis();
  const began = performance.now();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MILLIS));
  console.log(((cpuMillis() - before) / (performance.now() - began)) * 100);
}

/** Main thread and workers alike: busy, with an event loop that turns. */
function childBusy() {
  if (isMainThread) for (let i = 0; i < WORKERS; i++) new Worker(SELF, { workerData: 'busy' });
  const timer = setInterval(() => work(50), 1);
  setTimeout(() => clearInterval(timer), WORKERS_MILLIS);
}

/** What the agent says that profiling a main thread and its workers costs, in percent of one core. */
async function withWorkers(address) {
  const child = spawn(process.execPath, ['--import', REGISTER, SELF, 'busy'], {
    env: {
      ...process.env,
      PYROSCOPE_AGENT_ENABLED: 'true',
      PYROSCOPE_APPLICATION_NAME: 'bench',
      PYROSCOPE_SERVER_ADDRESS: address,
      PYROSCOPE_UPLOAD_INTERVAL: '2s',
      PYROSCOPE_PROFILING_INTERVAL: `${INTERVAL_MICROS}us`,
      PYROSCOPE_LOG_LEVEL: 'debug',
      PILOTLIGHT_OVERHEAD_BUDGET: '100',
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (data) => (log += data));
  await new Promise((resolve) => child.on('close', resolve));
  const costs = [...log.matchAll(/ (\d+) threads, .* cost ([\d.]+) %/g)]
    .filter(([, threads]) => Number(threads) === 1 + WORKERS)
    .map(([, , cost]) => Number(cost))
    // In the first one the workers' profilers were started.
    .slice(1)
    .sort((a, b) => a - b);
  if (costs.length === 0) throw new Error(`no window with all threads:\n${log}`);
  return costs[Math.floor(costs.length / 2)];
}

/** CPU of an idle child, in percent of one core. */
function idle(environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', REGISTER, SELF, 'idle'], {
      env: { ...process.env, PYROSCOPE_APPLICATION_NAME: 'bench', PYROSCOPE_UPLOAD_INTERVAL: '3s', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (data) => (out += data));
    child.on('exit', (code) => (code === 0 ? resolve(Number(out)) : reject(new Error(`exit ${code}`))));
  });
}

async function main() {
  const server = http.createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  const [without, withAgent] = await Promise.all([
    idle({ PYROSCOPE_AGENT_ENABLED: 'false' }),
    idle({ PYROSCOPE_AGENT_ENABLED: 'true', PYROSCOPE_SERVER_ADDRESS: address }),
  ]);
  const three = await withWorkers(address);
  server.close();
  console.log(`idle: ${without.toFixed(2)} % of a core without the agent, ${withAgent.toFixed(2)} % with it`);
  console.log(
    `${1 + WORKERS} busy threads, every ${INTERVAL_MICROS / 1000} ms: ${three.toFixed(2)} % of a core by the agent's own estimate`,
  );

  const rounds = await busy();
  const quantile = (key, share) =>
    rounds.map((round) => round[key]).toSorted((a, b) => a - b)[Math.floor(rounds.length * share)];
  const cheap = (key) => quantile(key, 0.2);
  const percent = (ratio) => `${(ratio * 100).toFixed(2)} %`;
  const off = (cheap('before') + cheap('after')) / 2;
  const typical = (key) => quantile(key, 0.5);
  console.log(
    `sampling every ${INTERVAL_MICROS / 1000} ms, ${ROUNDS} rounds of off, on, off, ${SEGMENT_MILLIS} ms each`,
  );
  console.log(`  off ÷ off: ${percent(cheap('after') / cheap('before') - 1)}`);
  console.log(`  on ÷ off:  ${percent(cheap('perUnit') / off - 1)}`);
  // The two differ where the process does not get a core of its own.
  console.log(
    `  the agent's own estimate: ${percent(typical('ofWork'))}, which is ${percent(typical('ofCore'))} of a core`,
  );
  const [finish, onMain] = [typical('finishMillis'), typical('finishOnMainMillis')].map((millis) => millis.toFixed(1));
  console.log(`once a window: ${finish} ms, ${onMain} of them on the main thread`);
  console.log(`once a start: ${typical('startMillis').toFixed(1)} ms on the main thread`);
}

if (workerData === 'busy' || process.argv[2] === 'busy') childBusy();
else if (!isMainThread) await profileOnDemand();
else if (process.argv[2] === 'idle') await childIdle();
else await main();
