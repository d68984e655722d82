/** Finds test files and runs them with Node's test runner. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './setup.mjs';

/** Paths below ROOT of the `*.test.mjs` files in a folder, sorted. */
export function testsIn(folder) {
  return filesBelow(folder).filter((file) => file.endsWith('.test.mjs'));
}

/** The compiled tests of all packages. */
export function builtTests() {
  return readdirSync(join(ROOT, 'packages')).flatMap((name) =>
    filesBelow(`packages/${name}/dist`).filter((file) => file.endsWith('.test.js')),
  );
}

/**
 * Runs test files and ends the process with their result; the runner's summary is the last thing printed.
 *
 * @param {string} cwd
 * @param {string[]} files
 * @param {{ parts: string[], timeoutSeconds: number, concurrency?: number }} options `parts`: run only files whose path
 *   contains one of them. `timeoutSeconds`: for one test and for one file, so that a leaked handle fails instead of hanging.
 */
export function runTests(cwd, files, { parts, timeoutSeconds, concurrency = availableParallelism() }) {
  const chosen = parts.length === 0 ? files : files.filter((file) => parts.some((part) => file.includes(part)));
  if (chosen.length === 0) {
    process.stderr.write('pilotlight: there is no such test file\n');
    process.exit(1);
  }
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      '--test-reporter=spec',
      `--test-timeout=${timeoutSeconds * 1000}`,
      `--test-concurrency=${concurrency}`,
      ...chosen,
    ],
    { cwd, stdio: 'inherit', env: testEnvironment() },
  );
  process.exit(status ?? 1);
}

function testEnvironment() {
  const env = { ...process.env };
  const shared = join(ROOT, '..', 'shared', 'data');
  if (env.PILOTLIGHT_TESTDATA === undefined && existsSync(shared)) env.PILOTLIGHT_TESTDATA = shared;
  return env;
}

function filesBelow(folder) {
  if (!existsSync(join(ROOT, folder))) return [];
  const files = [];
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== 'node_modules') files.push(...filesBelow(path));
    else if (entry.isFile()) files.push(path);
  }
  return files.sort();
}
