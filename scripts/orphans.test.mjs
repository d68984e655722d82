import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { removeOrphans } from './orphans.mjs';

const folder = mkdtempSync(join(tmpdir(), 'pilotlight-orphans-'));
after(() => rmSync(folder, { recursive: true }));

test('what has no source goes, what has one stays', () => {
  const kept = ['a.js', 'a.d.ts', 'a.js.map', 'page.js', 'deep/b.test.js', 'bin.cjs', 'bin.d.cts', 'notes.txt'];
  const gone = ['old.js', 'old.d.ts', 'old.js.map', 'deep/old.test.js', 'lost/c.js', 'a.cjs'];
  for (const source of ['a.ts', 'page.tsx', 'deep/b.test.ts', 'bin.cts']) write(join(folder, 'one/src', source));
  for (const output of [...kept, ...gone]) write(join(folder, 'one/dist', output));

  removeOrphans(folder);

  const exists = (output) => existsSync(join(folder, 'one/dist', output));
  assert.deepEqual([...kept, ...gone].filter(exists), kept);
});

function write(path) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
}
