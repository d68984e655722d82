/** Real processes, profiled by the real agent, uploaded to a real socket: what arrives. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { AGENT_ON, HOT, runApplication } from './testing/application.js';
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

/** Part of the CPU that is `hotLoop`'s own, over all that arrived. */
function hotShare(received: readonly Received[]): number {
  const cpu = selfCpu(received.map(({ profile }) => profile));
  return (cpu.get('hotLoop') ?? 0) / (cpu.get('') as number);
}

test('an ES module: the hot function, the name with its labels, the types', async () => {
  const ended = await runApplication(`${HOT}; await burnInTurns(3000); console.log('done');`, {
    environment: profiled({ PYROSCOPE_APPLICATION_NAME: 'shop{zone=a}', PYROSCOPE_LABELS: 'team=a+b,zone=eu/1' }),
  });
  assert.deepEqual([ended.code, ended.out, ended.err], [0, 'done\n', '']);
  assert.ok(receiver.received.length >= 2, `${receiver.received.length} uploads`);
  assert.ok(hotShare(receiver.received) >= 0.6, `${hotShare(receiver.received)}`);
  for (const { method, path, query, profile } of receiver.received) {
    assert.equal(`${method} ${path}`, 'POST /ingest');
    assert.equal(
      query.get('name'),
      `shop{process.runtime.name=nodejs,process.runtime.version=${process.versions.node},team=a+b,zone=eu/1}`,
    );
    assert.equal(query.get('sampleRate'), '100');
    assert.deepEqual(profile.sampleTypes, [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
    ]);
    assert.deepEqual(profile.periodType, { type: 'cpu', unit: 'nanoseconds' });
    assert.equal(profile.period, 10_000_000);
    const { strings, frames } = profile.stacks;
    const hot = Array.from({ length: frames.length }, (_, i) => i).filter(
      (i) => strings[frames.name[i] as number] === 'hotLoop',
    );
    assert.deepEqual(
      hot.map((i) => [strings[frames.file[i] as number], frames.line[i]]),
      hot.length === 0 ? [] : [['./application.mjs', 2]],
    );
  }
});

test('a CommonJS program whose event loop never turns uploads before it ends', async () => {
  const text = `${HOT}; burn(4000); require('node:fs').writeSync(1, String(Date.now()));`;
  const arrivals: number[] = [];
  receiver.reply = () => {
    arrivals.push(Date.now());
    return { status: 200 };
  };
  const ended = await runApplication(text, { environment: profiled(), extension: 'cjs' });
  assert.deepEqual([ended.code, ended.err], [0, '']);
  const early = arrivals.filter((time) => time < Number(ended.out));
  assert.ok(early.length >= 2, `${early.length} of ${arrivals.length} uploads while the loop was blocked`);
  assert.ok(hotShare(receiver.received) >= 0.6, `${hotShare(receiver.received)}`);
});

test('windows follow each other without a gap and without an overlap, to the very end', async () => {
  await runApplication(`${HOT}; burn(4000);`, {
    environment: profiled({ PYROSCOPE_UPLOAD_INTERVAL: '500ms' }),
    extension: 'cjs',
  });
  const windows = receiver.received.map(({ profile }) => profile);
  assert.ok(windows.length >= 3, `${windows.length} windows`);
  for (let i = 1; i < windows.length; i++) {
    const { timeNanos, durationNanos } = windows[i - 1] as (typeof windows)[number];
    assert.equal(windows[i]?.timeNanos, timeNanos + BigInt(durationNanos), `windows ${i - 1} and ${i}`);
  }
});

test('waiting is not CPU', async () => {
  const text = `${HOT}; burn(1500); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);`;
  await runApplication(text, {
    environment: profiled({ PYROSCOPE_UPLOAD_INTERVAL: '60s' }),
    extension: 'cjs',
  });
  const cpuMillis = (selfCpu(receiver.received.map(({ profile }) => profile)).get('') as number) / 1e6;
  // All of it looks busy to V8. The time outside of `burn` is the start of the process.
  assert.ok(cpuMillis > 0 && cpuMillis < 2500, `${cpuMillis} ms of CPU`);
});

test('an idle process is left alone, and looked at again when it works', async () => {
  const text = `${HOT}; setTimeout(async () => { await burnInTurns(3000); }, 4000);`;
  const ended = await runApplication(text, { environment: profiled({ PYROSCOPE_LOG_LEVEL: 'debug' }) });
  assert.match(ended.err, /resting: idle[\s\S]*profiling every 10 ms[\s\S]*window of \d+ ms, \d+ threads, \d\d/);
  assert.ok(hotShare(receiver.received) >= 0.6, `${hotShare(receiver.received)}`);
});

test('the budget is kept by rests and a longer interval', async () => {
  const ended = await runApplication(`${HOT}; await burnInTurns(6000);`, {
    environment: profiled({ PYROSCOPE_LOG_LEVEL: 'debug', PILOTLIGHT_OVERHEAD_BUDGET: '0.2%' }),
  });
  assert.match(ended.err, /resting: budget/);
});
