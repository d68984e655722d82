import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { changedBelowMillis, changedMillis } from './changed.mjs';

const folder = mkdtempSync(join(tmpdir(), 'pilotlight-changed-'));
const built = new Date('2026-11-30T12:00:00Z');
const later = new Date('2026-11-30T12:00:01Z');
after(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  for (const file of ['src/deep/a.ts', 'package.json', 'dist/a.js', 'site/index.html', 'tsconfig.tsbuildinfo']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  for (const path of ['src/deep/a.ts', 'src/deep', 'src', 'package.json']) utimesSync(join(folder, path), built, built);
});

test('what a build writes is no change', () => {
  // dist, site and the build information are of this moment.
  assert.equal(changedBelowMillis(folder), built.getTime());
});

test('a saved file is a change', () => {
  utimesSync(join(folder, 'src/deep/a.ts'), later, later);
  assert.equal(changedBelowMillis(folder), later.getTime());
});

test('a removed file is a change', () => {
  rmSync(join(folder, 'src/deep/a.ts'));
  assert.ok(changedBelowMillis(folder) > built.getTime());
});

test('what does not exist never changed', () => {
  assert.equal(changedMillis(join(folder, 'none')), 0);
});
