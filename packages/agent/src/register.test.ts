/** What the agent must not do to an application, seen from outside of real processes. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { AGENT_ON, HOT, REGISTER, runApplication } from './testing/application.js';
import { Receiver } from './testing/receiver.js';

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

/** Threads of the process, modules of Node's that were loaded, and whether anybody listens on anything. */
const INVENTORY = `
import { readdirSync } from 'node:fs';
console.log(JSON.stringify({
  threads: process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0,
  modules: process.moduleLoadList,
  exitListeners: process.listenerCount('exit'),
  handles: process.getActiveResourcesInfo().filter((name) => /TCP|Server|Pipe$|Message|Worker/.test(name)),
}));
`;

test('switched off it adds no thread, no module, no listener', async () => {
  const nothing = await runApplication(INVENTORY, { nodeOptions: ['--import', 'data:text/javascript,'] });
  for (const value of ['', 'false', '1', 'yes']) {
    const off = await runApplication(INVENTORY, { environment: { PYROSCOPE_AGENT_ENABLED: value } });
    assert.equal(off.err, '');
    const added = new Set<string>(JSON.parse(off.out).modules);
    for (const name of JSON.parse(nothing.out).modules) added.delete(name);
    // Loading a file in place of a data: URL is what `--import` itself needs.
    assert.deepEqual(
      [...added].filter((name) => /worker|inspector|http|net|zlib|crypto/.test(name)),
      [],
    );
    const { modules: _, ...rest } = JSON.parse(off.out);
    const { modules: __, ...expected } = JSON.parse(nothing.out);
    assert.deepEqual(rest, expected);
  }
});

test('it opens no port and passes nothing on: arguments, environment, active handles', async () => {
  const text = `
    console.log(JSON.stringify([process.execArgv, process.argv.slice(2), process.env.PYROSCOPE_APPLICATION_NAME,
      process.getMaxListeners() - process.listenerCount('exit'), process.getActiveResourcesInfo().includes('MessagePort'),
      (await import('node:inspector')).default.url()]));`;
  const off = await runApplication(text, {
    environment: profiled({ PYROSCOPE_AGENT_ENABLED: 'false' }),
    arguments: ['x'],
  });
  const on = await runApplication(text, { environment: profiled(), arguments: ['x'] });
  assert.deepEqual([on.code, on.err, on.out], [0, '', off.out]);
  assert.deepEqual(JSON.parse(on.out).slice(0, 3), [['--import', REGISTER], ['x'], 'tested']);
});

test('the way a process ends is its own', async () => {
  for (const [text, code, err] of [
    ['process.exitCode = 7;', 7, /^$/],
    ['setTimeout(() => process.exit(5), 1200); setInterval(() => burn(20), 30);', 5, /^$/],
    [
      "setTimeout(() => { throw new Error('boom'); }, 1200); setInterval(() => burn(20), 30);",
      1,
      /^(?!.*pilotlight).*Error: boom/s,
    ],
    ['await burnInTurns(1200); process.exit(3)', 3, /^$/],
    ["process.on('exit', () => { console.log('bye'); process.exitCode = 9; }); await burnInTurns(1200);", 9, /^$/],
  ] as const) {
    const ended = await runApplication(`${HOT}; ${text}`, { environment: profiled() });
    assert.equal(ended.code, code, text);
    assert.match(ended.err, err);
    assert.equal(ended.out, text.includes('bye') ? 'bye\n' : '');
  }
});

test('SIGTERM: unhandled it kills, handled the last window arrives', async () => {
  const ready = `${HOT}; setInterval(() => burn(50), 51); setTimeout(() => console.log('ready'), 2500);`;
  const environment = profiled({ PYROSCOPE_UPLOAD_INTERVAL: '60s' });
  const killed = await runApplication(ready, { environment, signal: 'SIGTERM' });
  assert.deepEqual([killed.code, killed.signal, killed.err], [null, 'SIGTERM', '']);
  assert.equal(receiver.received.length, 0);
  const handled = await runApplication(`process.on('SIGTERM', () => process.exit(0)); ${ready}`, {
    environment,
    signal: 'SIGTERM',
  });
  assert.deepEqual([handled.code, handled.signal, handled.err], [0, null, '']);
  assert.equal(receiver.received.length, 1);
});

test('a server that is down, failing or hanging changes nothing but one line', async () => {
  const text = `${HOT}; await burnInTurns(1800); console.log('done');`;
  const environment = profiled({ PYROSCOPE_UPLOAD_INTERVAL: '500ms', PYROSCOPE_PROFILE_EXPORT_TIMEOUT: '60s' });
  const closed = await new Receiver().open();
  const down = { ...environment, PYROSCOPE_SERVER_ADDRESS: closed.address };
  await closed.close();
  const line = /^pilotlight agent: uploads fail, more tries follow, the application runs on: [^\n]*\n$/;
  const first = await runApplication(text, { environment: down });
  assert.deepEqual([first.code, first.out], [0, 'done\n']);
  assert.match(first.err, line);

  receiver.reply = () => ({ status: 500, body: 'out of order' });
  const second = await runApplication(text, { environment });
  assert.deepEqual([second.code, second.out], [0, 'done\n']);
  assert.match(second.err, line);
  assert.match(second.err, /the server answered 500: out of order/);

  receiver.reply = () => undefined;
  const third = await runApplication(text, { environment });
  assert.deepEqual([third.code, third.out, third.err], [0, 'done\n', '']);
  // Far from the 60 s that the agent would wait for an answer.
  assert.ok(third.millis < 30_000, `${third.millis} ms`);

  receiver.reply = () => ({ status: 401, body: '{"code": "unauthenticated", "message": "A token is needed."}' });
  receiver.received.length = 0;
  const fourth = await runApplication(text, { environment });
  assert.deepEqual([fourth.code, fourth.out], [0, 'done\n']);
  assert.equal(fourth.err, 'pilotlight agent: a profile was refused: the server answered 401: A token is needed.\n');
  assert.ok(receiver.received.length >= 2);
});

test('a bad configuration is one line, and the application runs', async () => {
  const address = await runApplication("console.log('ran')", {
    environment: profiled({ PYROSCOPE_SERVER_ADDRESS: 'http//x', PYROSCOPE_LABELS: 'bad' }),
  });
  assert.deepEqual([address.code, address.out], [0, 'ran\n']);
  assert.equal(
    address.err,
    'pilotlight agent: profiling is off: PYROSCOPE_SERVER_ADDRESS is not an http or https URL\n',
  );
  const others = await runApplication("console.log('ran')", {
    environment: profiled({ PYROSCOPE_UPLOAD_INTERVAL: '1h', PYROSCOPE_LABELS: 'bad' }),
  });
  assert.deepEqual([others.code, others.out], [0, 'ran\n']);
  assert.equal(
    others.err,
    'pilotlight agent: defaults are used: PYROSCOPE_LABELS has 1 entries that are no label k=v; they are left out; ' +
      "PYROSCOPE_UPLOAD_INTERVAL '1h' is not a duration such as 10ms, 10s or 500us\n",
  );
});

test('under the permission model, where the inspector would abort the process', async () => {
  const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
  const { code, out, err } = await runApplication("console.log('ran'); setTimeout(() => {}, 1000)", {
    environment: profiled(),
    nodeOptions: [flag, '--allow-fs-read=*', '--allow-worker', '--no-warnings', '--import', REGISTER],
  });
  assert.deepEqual([code, out], [0, 'ran\n']);
  assert.match(err, /^pilotlight agent: profiling is off: the permission model[^\n]*\n$/);
});

test('workers of the application start no agent of their own', async () => {
  // Ids of threads are given out one after the other, in all of the process.
  const text = `
    import { isMainThread, Worker } from 'node:worker_threads';
    if (isMainThread) {
      const ids = [];
      for (let i = 0; i < 3; i++) {
        const worker = new Worker(new URL(import.meta.url));
        ids.push(worker.threadId);
        await new Promise((resolve) => worker.on('exit', resolve));
      }
      console.log(ids.join(' '));
    }`;
  const off = await runApplication(text, { environment: profiled({ PYROSCOPE_AGENT_ENABLED: 'false' }) });
  assert.deepEqual([off.code, off.out], [0, '1 2 3\n']);
  const on = await runApplication(text, { environment: profiled() });
  assert.deepEqual([on.code, on.out, on.err], [0, '2 3 4\n', '']);
});

test('by NODE_OPTIONS, and with a console of its own', async () => {
  const text = `${HOT}; globalThis.console = undefined; globalThis.profile = () => { throw new Error(); }; burn(2500);`;
  const ended = await runApplication(text, {
    environment: profiled({ NODE_OPTIONS: `--import ${REGISTER}` }),
    nodeOptions: [],
    extension: 'cjs',
  });
  assert.deepEqual([ended.code, ended.err], [0, '']);
  assert.ok(receiver.received.length >= 1);
});

test('what the application logs is not kept alive', async () => {
  const text = `
    const refs = [];
    for (let i = 0; i < 50; i++) {
      const logged = { i };
      console.log(logged);
      refs.push(new WeakRef(logged));
    }
    const end = Date.now() + 8000;
    const look = () => {
      globalThis.gc();
      const alive = refs.filter((ref) => ref.deref() !== undefined).length;
      if (alive === 0 || Date.now() > end) console.error(alive);
      else setTimeout(look, 200);
    };
    setTimeout(look, 1000);`;
  const ended = await runApplication(text, {
    environment: profiled(),
    nodeOptions: ['--expose-gc', '--import', REGISTER],
  });
  assert.equal(ended.err, '0\n');
});
