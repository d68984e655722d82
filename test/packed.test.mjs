/**
 * What somebody gets who installs Pilotlight: the packages are packed, unpacked in an empty folder as npm would lay them out,
 * and used from there. Third parties are linked from this repository, so that neither a network nor their 500 MB are needed;
 * only those a package declares, so that an undeclared one fails.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'pilotlight-packed-'));
const modules = join(folder, 'node_modules');
const npmEnvironment = {
  ...process.env,
  npm_config_offline: 'true',
  npm_config_yes: 'false',
  npm_config_update_notifier: 'false',
};

before(async () => {
  await run('npm', ['pack', '--workspaces', '--pack-destination', folder], { cwd: ROOT, env: npmEnvironment });
  for (const name of readdirSync(join(ROOT, 'packages'))) {
    const source = join(ROOT, 'packages', name);
    const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
    const place = join(modules, manifest.name);
    mkdirSync(place, { recursive: true });
    const tarball = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
    await run('tar', ['-xzf', join(folder, tarball), '-C', place, '--strip-components=1']);
    for (const dependency of Object.keys(manifest.dependencies ?? {})) linkThirdParty(dependency, source, place);
    for (const [program, path] of Object.entries(manifest.bin ?? {})) linkProgram(program, join(place, path));
  }
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
});

after(() => rmSync(folder, { recursive: true }));

test('the packages hold no tests and no source maps', () => {
  const ours = ['pilotlight', ...readdirSync(join(modules, '@pilotlight')).map((name) => `@pilotlight/${name}`)];
  const files = ours.flatMap((name) => filesOf(join(modules, name)).map((file) => `${name}/${file}`));
  assert.ok(files.includes('pilotlight/bin/pilotlight.cjs'));
  assert.deepEqual(
    files.filter((file) => /\.test\.|\.map$|tsbuildinfo|\/testing\//.test(file)),
    [],
  );
});

test('npx pilotlight --help', async () => {
  const { stdout } = await pilotlight('--help');
  for (const command of ['serve', 'push', 'export']) assert.match(stdout, new RegExp(`^  ${command} `, 'm'));
});

test('serve, push and export', async () => {
  const server = spawn(
    join(modules, '.bin/pilotlight'),
    ['serve', '--listen', '127.0.0.1:0', '--data', join(folder, 'data')],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise((resolve) => server.on('exit', (code, signal) => resolve(code ?? signal)));
  try {
    const address = await readyAddress(server.stdout);
    const page = await fetch(address);
    assert.match(await page.text(), /<title>Pilotlight/i);

    writeFileSync(join(folder, 'stacks.txt'), 'main;work 70\nmain;rest 30\n');
    const at = ['--server', address];
    const pushed = await pilotlight('push', ...at, '--name', 'shop', 'stacks.txt');
    assert.match(pushed.stdout, /stored as shop: .*2 stacks/);
    const { stdout } = await pilotlight('export', ...at, '--service', 'shop', '--format', 'collapsed');
    // Each sample stands for a hundredth of a second.
    assert.deepEqual(stdout.trim().split('\n').sort(), ['main;rest 300000000', 'main;work 700000000']);
  } finally {
    server.kill('SIGTERM');
  }
  assert.equal(await ended, 0);
});

function filesOf(place) {
  return readdirSync(place, { recursive: true }).filter((file) => !file.startsWith('node_modules'));
}

function pilotlight(...args) {
  return run('npx', ['pilotlight', ...args], { cwd: folder, env: npmEnvironment });
}

/** Links a package from where npm has put it for `source`: beside it, or with all the others. */
function linkThirdParty(name, source, place) {
  if (/^@?pilotlight/.test(name)) return;
  const found = [source, ROOT].map((base) => join(base, 'node_modules', name)).find(existsSync);
  const link = join(place, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(found, link);
}

function linkProgram(name, path) {
  chmodSync(path, 0o755);
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(path, join(modules, '.bin', name));
}

/** The address a starting server prints. */
async function readyAddress(output) {
  let text = '';
  for await (const chunk of output.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk;
    const address = /ready on (http:\S+)/.exec(text)?.[1];
    if (address !== undefined) {
      output.resume();
      return address;
    }
  }
  throw new Error(`the server ended before it was ready: ${text}`);
}
