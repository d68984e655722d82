/** Real processes with worker threads: each is seen, and none lives, ends or answers otherwise than without the agent. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { AGENT_ON, HOT, REGISTER, runApplication } from './testing/application.js';
import { type Received, Receiver, selfCpu } from './testing/receiver.js';

const receiver = new Receiver();
before(() => receiver.open());
after(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.reply = () => ({ status: 200 });
});

const profiled = (environment: Record<string, string> = {}) => ({
  ...AGENT_ON,
  PYROSCOPE_SERVER_ADDRESS: receiver.address,
  ...environment,
});

/** `burnAs('first', millis)`: burns in short turns in a function of its own of that name. */
const HOT_BY_NAME = `${HOT}
function burnerOf(name) {
  return new Function(hotLoop.toString().replace('hotLoop', name) + '; return ' + name)();
}
function burnAs(name, millis) {
  const hot = burnerOf(name);
  return new Promise((resolve) => {
    const end = Date.now() + millis;
    (function turn() {
      for (const until = Date.now() + 50; Date.now() < until; ) hot(500);
      if (Date.now() < end) setTimeout(turn, 5);
      else resolve();
    })();
  });
}
`;
/** A program that is its own worker; `start` gives a worker what it says in `workerData`. */
const WORKERS = `
import { isMainThread, parentPort, threadId, Worker, workerData } from 'node:worker_threads';
const start = (workerData, name) => new Worker(new URL(import.meta.url), { workerData, ...(name ? { name } : {}) });
const ended = (worker) => new Promise((resolve) => worker.once('exit', resolve));
const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));
`;

/** CPU by `thread function`, for functions on top of the stack. */
function cpuByThread(received: readonly Received[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { profile } of received) {
    profile.labelSets.forEach((labels, set) => {
      const thread = labels.find(({ name }) => name === 'thread_name')?.value ?? '(none)';
      const { samples } = profile;
      const mine = Array.from({ length: samples.length }, (_, i) => i).filter((i) => samples.labelSet[i] === set);
      const pick = <T extends Int32Array | Float64Array>(column: T) => mine.map((i) => column[i] as number);
      const part = {
        ...profile,
        samples: {
          length: mine.length,
          node: Int32Array.from(pick(samples.node)),
          labelSet: Int32Array.from(pick(samples.labelSet)),
          values: samples.values.map((values) => Float64Array.from(pick(values))),
        },
      };
      for (const [name, nanos] of selfCpu([part])) {
        sums.set(`${thread} ${name}`, (sums.get(`${thread} ${name}`) ?? 0) + nanos);
      }
    });
  }
  return sums;
}

test('the main thread and two workers: each with its own function, under its own name', async () => {
  const text = `${WORKERS} ${HOT_BY_NAME}
    if (isMainThread) {
      const workers = [start('hotFirst', 'first one'), start('hotSecond')];
      await Promise.all([burnAs('hotMain', 7000), ...workers.map(ended)]);
      console.log('done');
    } else await burnAs(workerData, 8000);`;
  const run = await runApplication(text, { environment: profiled() });
  assert.deepEqual([run.code, run.out, run.err], [0, 'done\n', '']);
  const cpu = cpuByThread(receiver.received);
  const of = (thread: string, name: string) => cpu.get(`${thread} ${name}`) ?? 0;
  const hot = [of('main', 'hotMain'), of('worker 2 (first one)', 'hotFirst'), of('worker 3', 'hotSecond')];
  const all = [...cpu].filter(([key]) => key.endsWith(' ')).reduce((sum, [, nanos]) => sum + nanos, 0);
  for (const nanos of hot) assert.ok(nanos >= 0.25 * all, `${hot.join()} of ${all}: ${JSON.stringify([...cpu])}`);
  // Nothing is told twice: no thread did another's work, and the agent's own is not there.
  assert.deepEqual(
    [...new Set([...cpu.keys()].map((key) => key.replace(/ [^ ]*$/, '')).filter((k) => k.startsWith('worker 1')))],
    [],
  );
  assert.equal(of('main', 'hotFirst') + of('main', 'hotSecond') + of('worker 3', 'hotFirst'), 0);
  for (const { profile } of receiver.received) assert.ok(profile.durationNanos < 8e9, `${profile.durationNanos}`);
  const windows = receiver.received.map(({ profile }) => profile);
  for (let i = 1; i < windows.length; i++) {
    const { timeNanos, durationNanos } = windows[i - 1] as (typeof windows)[number];
    assert.equal(windows[i]?.timeNanos, timeNanos + BigInt(durationNanos), `windows ${i - 1} and ${i}`);
  }
});

test('switched off there is only the main thread', async () => {
  const text = `${WORKERS} ${HOT_BY_NAME}
    if (isMainThread) await Promise.all([burnAs('hotMain', 3000), ended(start('hotFirst'))]);
    else await burnAs(workerData, 3000);`;
  const run = await runApplication(text, { environment: profiled({ PILOTLIGHT_PROFILE_WORKERS: 'false' }) });
  assert.deepEqual([run.code, run.err], [0, '']);
  const threads = new Set(
    receiver.received.flatMap(({ profile }) => profile.labelSets.flat().map(({ value }) => value)),
  );
  assert.deepEqual([...threads], ['main']);
});

test('a worker that waits is not busy, and one that is in native code holds nobody up', async () => {
  const text = `${WORKERS} ${HOT_BY_NAME}
    import { pbkdf2Sync } from 'node:crypto';
    if (isMainThread) {
      const workers = [start('waits'), start('native')];
      await burnAs('hotMain', 7000);
      for (const worker of workers) await worker.terminate();
      console.log('done');
    } else if (workerData === 'waits') {
      setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 10);
    } else {
      // Long enough to reach over windows, short enough to end.
      setTimeout(() => { for (;;) pbkdf2Sync('x', 'y', 4_000_000, 64, 'sha512'); }, 1500);
    }`;
  const arrivals: number[] = [];
  receiver.reply = () => {
    arrivals.push(Date.now());
    return { status: 200 };
  };
  const run = await runApplication(text, { environment: profiled() });
  assert.deepEqual([run.code, run.out, run.err], [0, 'done\n', '']);
  const cpu = cpuByThread(receiver.received);
  assert.ok((cpu.get('worker 2 ') ?? 0) < 0.05 * (cpu.get('main ') as number), JSON.stringify([...cpu]));
  assert.ok((cpu.get('main hotMain') ?? 0) > 0.5 * (cpu.get('main ') as number), JSON.stringify([...cpu]));
  assert.ok(receiver.received.length >= 3, `${receiver.received.length}`);
});

test('200 short workers, in turns of three: each ends by itself with its own exit code', async () => {
  const text = `${WORKERS}
    if (isMainThread) {
      const codes = new Map();
      for (let i = 0; i < 200; i += 3) {
        const round = Array.from({ length: 3 }, (_, k) => ended(start(i + k)));
        for (const code of await Promise.all(round)) codes.set(code, (codes.get(code) ?? 0) + 1);
      }
      console.log(JSON.stringify([...codes].sort()));
    } else if (workerData % 3 === 1) process.exit(7);
    else if (workerData % 3 === 2) setTimeout(() => {}, 20);`;
  const run = await runApplication(text, { environment: profiled() });
  assert.deepEqual([run.code, run.out, run.err], [0, '[[0,134],[7,67]]\n', '']);
});

test('workers end while they are profiled: by themselves, by exit, by an error, by terminate', async () => {
  const text = `${WORKERS} ${HOT_BY_NAME}
    if (isMainThread) {
      const ends = [];
      for (let round = 0; round < 2; round++) {
        const workers = ['itself', 'exit', 'error', 'terminate', 'waits', 'idle'].map((data) => start(data));
        workers[2].on('error', (error) => ends.push(error.message));
        const codes = Promise.all(workers.map(ended));
        await burnAs('hotMain', 2500);
        for (const worker of workers.slice(3)) await worker.terminate();
        ends.push(...await codes);
      }
      console.log(ends.join());
    } else if (workerData === 'waits') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    else if (workerData === 'idle') setInterval(() => {}, 100_000);
    else {
      await burnAs('hot', workerData === 'terminate' ? 60_000 : 1800);
      if (workerData === 'exit') process.exit(5);
      if (workerData === 'error') throw new Error('boom');
    }`;
  const environment = profiled({ PYROSCOPE_UPLOAD_INTERVAL: '300ms' });
  const run = await runApplication(text, { environment });
  const expected = 'boom,0,5,1,1,1,1,boom,0,5,1,1,1,1\n';
  assert.deepEqual([run.code, run.out, run.err], [0, expected, '']);
});

test('the process ends while workers run: at once, with its code and in silence', async () => {
  const text = `${WORKERS} ${HOT_BY_NAME}
    if (isMainThread) {
      for (const data of ['hot', 'waits', 'idle']) start(data);
      await burnAs('hotMain', 4000);
      process.exit(6);
    } else if (workerData === 'waits') setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 10);
    else if (workerData === 'idle') setInterval(() => {}, 100_000);
    else await burnAs('hotFirst', 60_000);`;
  const run = await runApplication(text, { environment: profiled() });
  assert.deepEqual([run.code, run.out, run.err], [6, '', '']);
  assert.ok((cpuByThread(receiver.received).get('worker 2 hotFirst') ?? 0) > 0);
});

test('an unref-ed worker keeps nobody alive', async () => {
  const text = `${WORKERS} ${HOT_BY_NAME}
    if (isMainThread) {
      start('idle').unref();
      await burnAs('hotMain', 2500);
      console.log('done');
    } else setInterval(() => {}, 100_000);`;
  const run = await runApplication(text, { environment: profiled() });
  assert.deepEqual([run.code, run.out, run.err], [0, 'done\n', '']);
});

test('an idle process with an idle worker is left alone, and looked at again when the worker works', async () => {
  const text = `${WORKERS} ${HOT_BY_NAME}
    if (isMainThread) {
      const idle = start('idle');
      const late = sleep(6000).then(() => ended(start('hot')));
      await late;
      await idle.terminate();
    } else if (workerData === 'idle') setInterval(() => {}, 100_000);
    else await burnAs('hotFirst', 5000);`;
  const run = await runApplication(text, { environment: profiled({ PYROSCOPE_LOG_LEVEL: 'debug' }) });
  assert.match(run.err, /resting: idle[\s\S]*profiling every 10 ms[\s\S]*window of \d+ ms, [23] threads, \d\d/);
  assert.ok((cpuByThread(receiver.received).get('worker 3 hotFirst') ?? 0) > 0);
});

test('while it rests no profiler runs, on no thread', { skip: process.platform !== 'linux' }, async () => {
  const text = `${WORKERS} ${HOT_BY_NAME}
    import { readdirSync, readFileSync } from 'node:fs';
    const profilers = () => readdirSync('/proc/self/task').filter((thread) => {
      try {
        return readFileSync('/proc/self/task/' + thread + '/comm', 'latin1').trim() === 'v8:ProfEvntProc';
      } catch {
        return false;
      }
    }).length;
    if (isMainThread) {
      const workers = [start('hot'), start('hot')];
      let most = 0;
      let rested = false;
      for (const end = Date.now() + 60_000; Date.now() < end && !rested; ) {
        await burnAs('hotMain', 200);
        most = Math.max(most, profilers());
        rested = most === 3 && profilers() === 0;
      }
      console.log(most, rested);
      for (const worker of workers) await worker.terminate();
    } else await burnAs('hotFirst', 60_000);`;
  const environment = profiled({ PYROSCOPE_UPLOAD_INTERVAL: '3s', PILOTLIGHT_OVERHEAD_BUDGET: '0.2%' });
  const run = await runApplication(text, { environment });
  assert.deepEqual([run.code, run.out, run.err], [0, '3 true\n', '']);
});

test('more workers than are profiled', async () => {
  const text = `${WORKERS} ${HOT_BY_NAME}
    if (isMainThread) {
      const workers = Array.from({ length: 18 }, () => start('idle'));
      await burnAs('hotMain', 4000);
      for (const worker of workers) await worker.terminate();
    } else setInterval(() => {}, 100_000);`;
  const run = await runApplication(text, { environment: profiled({ PYROSCOPE_LOG_LEVEL: 'debug' }) });
  assert.equal(run.code, 0);
  assert.match(run.err, /16 workers are profiled; left out so far: 2\n/);
});

test('what workers log is not kept alive', async () => {
  const text = `${WORKERS} ${HOT_BY_NAME}
    if (isMainThread) {
      const worker = start('logs');
      await burnAs('hotMain', 1000);
      await ended(worker);
    } else {
      const refs = [];
      for (let i = 0; i < 50; i++) {
        const logged = { i };
        console.log(logged);
        refs.push(new WeakRef(logged));
      }
      const end = Date.now() + 10_000;
      const look = () => {
        globalThis.gc();
        const alive = refs.filter((ref) => ref.deref() !== undefined).length;
        if (alive === 0 || Date.now() > end) console.error(alive);
        else setTimeout(look, 200);
      };
      setTimeout(look, 1000);
    }`;
  const run = await runApplication(text, {
    environment: profiled(),
    nodeOptions: ['--expose-gc', '--import', REGISTER],
  });
  assert.equal(run.err, '0\n');
});
