/** The checks of the house as tests, so that one summary tells of everything. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './setup.mjs';
import { tidyRepository } from './tidy.mjs';

test('tidy: the walls stand', () => {
  assert.equal(tidyRepository(ROOT).join('\n'), '');
});

test('biome: format and lint', () => passes('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'));

test('knip: nothing is unused', () => passes('knip/bin/knip.js', '--no-progress'));

for (const name of readdirSync(join(ROOT, 'packages'))) {
  test(`publint: ${name} can be published`, () =>
    passes('publint/src/cli.js', 'run', join(ROOT, 'packages', name), '--strict', '--pack', 'npm'));
}

/** Runs a tool of node_modules in the root; fails with what it printed. */
async function passes(program, ...args) {
  const result = await new Promise((resolve) => {
    execFile(process.execPath, [join(ROOT, 'node_modules', program), ...args], { cwd: ROOT }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
  if (result.failed) assert.fail(result.output);
}
