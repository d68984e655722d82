import assert from 'node:assert/strict';
import test from 'node:test';
import { CommitLog } from './commit-log.js';
import { temporaryFolder } from './testing/temporary-folder.js';

test('records come back in order after a restart, with their sizes and positions', async (t) => {
  const folder = temporaryFolder(t);
  let log = new CommitLog({ folder, bytesMax: 1_000 });
  await log.append([Uint8Array.of(1, 1), Uint8Array.of(2)]);
  await log.append([Uint8Array.of(3, 3, 3)]);
  assert.deepEqual([log.length, log.bytes, log.head], [3, 6, 3]);
  await log.close();

  log = new CommitLog({ folder, bytesMax: 1_000 });
  t.after(() => log.close());
  assert.deepEqual([log.length, log.bytes, log.head], [3, 6, 3]);
  const entries = log.read(1_000, 10);
  assert.deepEqual(
    entries.map(({ position, bytes }) => [position, ...bytes]),
    [
      [1, 1, 1],
      [2, 2],
      [3, 3, 3, 3],
    ],
  );
  assert.equal(log.read(3, 10).length, 2);
  assert.equal(log.read(0, 10).length, 1);
  assert.deepEqual(
    log.read(1_000, 10, 2).map(({ position }) => position),
    [3],
  );
  await log.remove(entries.slice(0, 1));
  await log.setAside(entries[1] as (typeof entries)[number]);
  assert.deepEqual([log.length, log.bytes, log.quarantined], [1, 3, 1]);
});

test('a full log refuses, names the limit, and takes again when there is room', async (t) => {
  const log = new CommitLog({ folder: temporaryFolder(t), bytesMax: 10 });
  t.after(() => log.close());
  await log.append([new Uint8Array(8)]);
  await assert.rejects(log.append([new Uint8Array(3)]), { code: 'store_full', message: /limit is 10/ });
  assert.equal(log.length, 1);
  await log.remove(log.read(100, 10));
  await log.append([new Uint8Array(3)]);
  assert.equal(log.length, 1);
});

test('a position set aside is never given out again', async (t) => {
  const folder = temporaryFolder(t);
  let log = new CommitLog({ folder, bytesMax: 1_000 });
  await log.append([Uint8Array.of(1), Uint8Array.of(2)]);
  for (const entry of log.read(100, 10)) await log.setAside(entry);
  await log.close();
  log = new CommitLog({ folder, bytesMax: 1_000 });
  t.after(() => log.close());
  assert.equal(log.head, 2);
  await log.append([Uint8Array.of(3)]);
  assert.equal(log.read(100, 10)[0]?.position, 3);
  assert.equal(log.quarantined, 2);
});
