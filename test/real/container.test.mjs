/** The container image: built from the Dockerfile as it is, and run as a server with a token and a volume. */
import assert from 'node:assert/strict';
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@pilotlight/protocol';
import { buildah, buildahCommand, imageFolder, machineBase, NPM_CACHE, removeImages } from './harness/image.mjs';
import { NotInstalled, orSkip, output } from './harness/install.mjs';
import { start } from './harness/processes.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CLI = join(ROOT, 'packages/cli/bin/pilotlight.cjs');
const TOKEN = 'a-token-of-the-container-test';
const USER = 1000;
const READY_MILLIS_MAX = 60_000;

after(removeImages);

test('the image starts as a user without rights, only with a token, and keeps what it was sent', async (t) => {
  const image = orSkip(t, build);
  if (image === undefined) return;
  const container = buildah(['from', '--pull=never', image]);
  const { Docker } = JSON.parse(buildah(['inspect', container]));
  const { Entrypoint, Cmd, Healthcheck, User, Volumes } = Docker.config;
  assert.deepEqual([User, Object.keys(Volumes)], [`${USER}:${USER}`, ['/data']]);

  // A new volume takes the owner of the folder it is put on.
  assert.equal(statSync(join(buildah(['mount', container]), 'data')).uid, USER);

  const inside = (command, environment = {}) => {
    const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const volumes = ['--volume', `${data}:/data`, '--volume', `${token}:/run/secrets/token:ro`];
    return ['run', '--isolation', 'chroot', ...volumes, ...variables, container, '--', ...command];
  };
  const data = join(imageFolder(), 'data');
  mkdirSync(data);
  chownSync(data, USER, USER);
  const token = join(imageFolder(), 'token');
  writeFileSync(token, TOKEN, { mode: 0o444 });

  await t.test('without a token it says what is missing', () => {
    assert.throws(
      () => buildah(inside([...Entrypoint, ...Cmd])),
      /PILOTLIGHT_LISTEN=0\.0\.0\.0:4040 can be reached from elsewhere/,
    );
  });

  const port = await freePort();
  const settings = {
    PILOTLIGHT_LISTEN: `0.0.0.0:${port}`,
    PILOTLIGHT_TOKEN_FILE: '/run/secrets/token',
    PYROSCOPE_AGENT_ENABLED: 'false',
  };
  const server = `http://127.0.0.1:${port}`;
  const client = createClient({ baseUrl: server, token: TOKEN });
  const total = async () => {
    const range = { start: Date.now() - 3_600_000, end: Date.now() + 60_000 };
    const profileType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
    const graph = await client.selectMergeStacktraces({ profileType, selector: '{service_name="boxed"}', ...range });
    return Number(graph.total);
  };
  const run = async () => {
    const { command, args } = buildahCommand(inside([...Entrypoint, ...Cmd], settings));
    const program = start(t, { command, args, environment: {} });
    for (const end = Date.now() + READY_MILLIS_MAX; !program.printed().includes('is ready'); await sleep(100)) {
      assert.ok(Date.now() < end && program.child.exitCode === null, `the server did not start: ${program.printed()}`);
    }
    return program;
  };
  const stop = async (program) => {
    process.kill(processWith(`PILOTLIGHT_LISTEN=${settings.PILOTLIGHT_LISTEN}`), 'SIGTERM');
    await program.ended;
    assert.equal(program.child.exitCode, 0, program.printed());
  };

  const marker = join(imageFolder(), 'marker');
  writeFileSync(marker, '');
  const first = await run();
  await t.test('it asks for the token, is healthy, and shows the page', async () => {
    assert.equal((await fetch(`${server}/api/v1/status`)).status, 401);
    assert.equal((await fetch(`${server}/ready`)).status, 200);
    assert.match(
      await (await fetch(server, { headers: { authorization: `Bearer ${TOKEN}` } })).text(),
      /<title>Pilotlight/,
    );
    assert.equal(Healthcheck.Test[0], 'CMD');
    buildah(inside(Healthcheck.Test.slice(1), settings));
    const elsewhere = { ...settings, PILOTLIGHT_LISTEN: `0.0.0.0:${await freePort()}` };
    assert.throws(() => buildah(inside(Healthcheck.Test.slice(1), elsewhere)));
  });

  await t.test('a profile that is pushed is there', async () => {
    const stacks = join(imageFolder(), 'boxed.txt');
    writeFileSync(stacks, 'main;work 70\nmain;wait 30\n');
    output(process.execPath, [CLI, 'push', '--server', server, '--token-file', token, '--name', 'boxed', stacks]);
    assert.equal(await total(), 100 * 10_000_000);
  });

  await t.test('nothing was written but the volume, by the user of the image', () => {
    const root = buildah(['mount', container]);
    const written = output('find', [root, '-newer', marker, '-type', 'f', '-not', '-path', `${root}/data/*`]);
    // What buildah itself lays into a container.
    assert.deepEqual(
      written.split('\n').filter((path) => path !== '' && !/\/(?:etc|run)\/[\w.]+$/.test(path)),
      [],
    );
    for (const path of output('find', [data, '-mindepth', '1']).trim().split('\n')) {
      const { uid, mode } = statSync(path);
      assert.deepEqual([path, uid, mode & 0o077], [path, USER, 0]);
    }
  });

  await t.test('it ends in order, and another one on the same volume has the profile', async () => {
    await stop(first);
    const second = await run();
    assert.equal(await total(), 100 * 10_000_000);
    await stop(second);
  });
});

/** @returns {string} The name of the image. */
function build() {
  if (process.getuid?.() !== 0) throw new NotInstalled('images are built as root only');
  buildah(['--version']);
  const base = machineBase();
  const cache = output('npm', ['config', 'get', 'cache']).trim();
  mkdirSync(cache, { recursive: true });
  const volume = ['--volume', `${cache}:${NPM_CACHE}`];
  const options = [
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--pull=never',
    ...volume,
    '--build-arg',
    `BASE=${base}`,
  ];
  buildah(['bud', ...options, '--tag', 'pilotlight', ROOT], { timeoutSeconds: 480 });
  return 'localhost/pilotlight';
}

/** The server itself: buildah, which started it, passes no signal on. */
function processWith(variable) {
  const isIt = (pid) => {
    try {
      return (
        statSync(`/proc/${pid}`).uid === USER &&
        readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${variable}\0`)
      );
    } catch {
      // It has ended since the folder was read.
      return false;
    }
  };
  const found = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isIt(name));
  assert.equal(found.length, 1, `processes with ${variable}: ${found}`);
  return Number(found[0]);
}

async function freePort() {
  const listener = createServer();
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
