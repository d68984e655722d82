/**
 * Brings a clone to where it can run: dependencies installed, packages built. Every `npm run …` begins with it, so that a
 * fresh clone needs no other command; when nothing has changed it only compares file times (a few milliseconds).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedBelowMillis, changedMillis } from './changed.mjs';
import { removeOrphans } from './orphans.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const NODE_MIN = [20, 19];
const PACKAGES = join(ROOT, 'packages');
const BUILT_STAMP = join(ROOT, '.stamps', 'built');
/** npm writes this copy of the lock file at the end of every install. */
const INSTALLED_LOCK = 'node_modules/.package-lock.json';

/** Installs and builds what is out of date. Ends the process with a sentence when it cannot. */
export function setUp() {
  install();
  if (changedMillis(BUILT_STAMP) < newestSourceMillis()) build();
}

/** Compiles every package and bundles the page. */
export function build() {
  // Taken before the compiler reads: a file saved while it runs is newer than the stamp and built the next time.
  const started = new Date();
  say('building …');
  removeOrphans(PACKAGES);
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b']);
  const ui = join(PACKAGES, 'ui');
  if (existsSync(join(ui, 'vite.config.ts'))) {
    run(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], ui);
  }
  mkdirSync(join(ROOT, '.stamps'), { recursive: true });
  writeFileSync(BUILT_STAMP, '');
  utimesSync(BUILT_STAMP, started, started);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [majorMin, minorMin] = NODE_MIN;
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return;
  fail(`Pilotlight needs Node.js ${majorMin}.${minorMin} or newer; this is ${process.versions.node}.`);
}

/** Installs what the lock file names, unless that is what is installed. */
export function install() {
  checkNode();
  if (changedMillis(join(ROOT, INSTALLED_LOCK)) >= changedMillis(join(ROOT, 'package-lock.json'))) return;
  say('installing dependencies (the embedded ClickHouse is large: half a minute or so) …');
  // The build needs the development dependencies, also where NODE_ENV says production.
  const command = ['ci', '--include=dev'];
  // Through npm's own script where npm started us: the name `npm` is not always on the path.
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('npm-cli.js')) run(process.execPath, [npm, ...command]);
  else run('npm', command);
}

/** The newest change of anything a build reads, in milliseconds since the epoch. */
function newestSourceMillis() {
  const roots = ['tsconfig.json', 'tsconfig.base.json', INSTALLED_LOCK];
  return Math.max(
    ...roots.map((name) => changedMillis(join(ROOT, name))),
    ...readdirSync(PACKAGES).map((name) => changedBelowMillis(join(PACKAGES, name))),
  );
}

function run(command, args, cwd = ROOT) {
  // On Windows npm is a batch file, which only a shell can start.
  const result = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (result.error) fail(`${command} could not be started: ${result.error.message}`);
  if (result.status !== 0) fail(`${command} ${args.join(' ')} ended with ${result.status ?? result.signal}`);
}

function say(text) {
  process.stderr.write(`pilotlight: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
