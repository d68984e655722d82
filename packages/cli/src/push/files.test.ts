import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { writePprof } from '@pilotlight/profile';
import { profileOf } from '../testing/recordings.js';
import { findFiles } from './files.js';

const folder = mkdtempSync(join(tmpdir(), 'pilotlight-files-'));
after(() => rmSync(folder, { recursive: true }));

function file(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

test('profiles in folders are told by their ending, others by their first bytes', async () => {
  const pprof = writePprof(profileOf('main;a 5'));
  const stacks = 'main;a 5\n'.repeat(10_000);
  for (const [path, content] of [
    ['b/2.jfr', 'anything'],
    ['b/1.pb.gz', 'anything'],
    ['b/deep/er/stacks.txt', '# a comment\nmain;größe 5\n'],
    ['a/heap.out', pprof],
    ['a/packed', gzipSync(Uint8Array.of(0x46, 0x4c, 0x52, 0, 0, 2))],
    ['a/stacks.gz', gzipSync(stacks)],
  ] as const) {
    file(path, content);
  }
  for (const [path, content] of [
    ['a/README.txt', 'Profiles of 2026\n'],
    ['a/notes.md', 'a;b c\n'],
    ['a/trace.json', '{"a;b":\n 5}'],
    ['a/picture.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
    ['a/empty', ''],
    ['a/damaged.tar.gz', Uint8Array.of(0x1f, 0x8b, 9, 9)],
  ] as const) {
    file(path, content);
  }
  file('.hidden/x.jfr', 'anything');
  symlinkSync(folder, join(folder, 'b', 'loop'));
  const found = await findFiles([folder, join(folder, 'a/README.txt'), join(folder, 'none')]);
  assert.deepEqual(
    found.files.map(({ path }) => relative(folder, path)),
    ['a/heap.out', 'a/packed', 'a/stacks.gz', 'b/1.pb.gz', 'b/2.jfr', 'b/deep/er/stacks.txt', 'a/README.txt', 'none'],
  );
  // The link, too.
  assert.equal(found.leftOut, 7);
  assert.deepEqual(found.faults, []);
});

test('a file that is reached by several ways is sent once', async () => {
  file('twice/one.jfr', 'anything');
  symlinkSync(join(folder, 'twice/one.jfr'), join(folder, 'twice/two.jfr'));
  const one = join(folder, 'twice/one.jfr');
  const found = await findFiles([one, join(folder, 'twice'), join(folder, 'b/../twice/two.jfr')]);
  assert.deepEqual(
    found.files.map(({ path }) => path),
    [one],
  );
  assert.equal(found.leftOut, 0);
});
