/** What retention leaves must be found after a restart as before it. */
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { selectCallTree } from './select.js';
import { STORE_DEFAULTS, Store } from './store.js';
import { CPU, exampleUpload } from './testing/example-upload.js';
import { temporaryFolder } from './testing/temporary-folder.js';

const DAY_MS = 86_400_000;
const START = 1_796_000_000_000;

/** A store whose clock is `clock.now`. */
function openStore(folder: string, clock: { now: number }): Promise<Store> {
  return Store.open({
    folder,
    retentionAgeSeconds: 7 * 86_400,
    retentionBytes: 1e12,
    ...STORE_DEFAULTS,
    onTrouble: (message) => assert.fail(message),
    now: () => clock.now,
  });
}

async function namesOf(store: Store, service: string): Promise<string[]> {
  const matchers = [{ name: 'service_name', operator: '=' as const, value: service }];
  const tree = await selectCallTree(store, {
    tenant: 'anonymous',
    profileType: CPU,
    matchers,
    startMs: 0,
    endMs: 9e12,
  });
  return Array.from(tree.name.subarray(0, tree.length), (name, row) => [tree.names[name] as string, tree.self[row]])
    .filter(([, self]) => self !== 0)
    .map(([name]) => name as string)
    .sort();
}

async function append(store: Store, upload: Parameters<typeof exampleUpload>[0]): Promise<void> {
  await store.append([exampleUpload(upload)]);
  await store.caughtUp();
}

test('a snapshot older than a dropped batch does not hide the stacks that came after it', async (t) => {
  const folder = temporaryFolder(t);
  const clock = { now: START };
  let store = await openStore(folder, clock);
  // Several batches, so that the snapshot is of a late one.
  for (let i = 0; i < 4; i++) await append(store, { stacks: `main;old${i} 1`, timeMs: clock.now });
  await store.close();

  // Long after, everything is dropped: the engine no longer tells which batches there were.
  clock.now = START + 20 * DAY_MS;
  store = await openStore(folder, clock);
  await store.retain();
  await store.close();

  store = await openStore(folder, clock);
  // The first drain writes snapshots; the service meant here is not among them.
  await append(store, { stacks: 'main;other 1', timeMs: clock.now, service: 'other' });
  await append(store, { stacks: 'main;fresh 1', timeMs: clock.now });
  const before = join(folder, '..', 'before');
  cpSync(join(folder, 'snapshots'), before, { recursive: true });
  t.after(() => rmSync(before, { recursive: true, force: true }));
  await store.close();
  // As after a kill: an end would have written the snapshot anew.
  cpSync(before, join(folder, 'snapshots'), { recursive: true });

  store = await openStore(folder, clock);
  t.after(() => store.close());
  assert.deepEqual(await namesOf(store, 'shop'), ['fresh']);
});

test('a series stays known while it is sent to, also with profiles that are older than its newest', async (t) => {
  const folder = temporaryFolder(t);
  const clock = { now: START };
  let store = await openStore(folder, clock);
  await append(store, { stacks: 'main;gone 1', timeMs: clock.now, receivedMs: clock.now, service: 'gone' });
  for (const timeMs of [START - 10_000, START])
    await append(store, { stacks: 'main;old 1', timeMs, receivedMs: START });
  // A recording of between is brought in a week later: the series gets no earlier and no later profile.
  clock.now = START + 7 * DAY_MS;
  await append(store, { stacks: 'main;imported 1', timeMs: START - 1_000, receivedMs: clock.now });
  clock.now = START + 8 * DAY_MS;
  await store.retain();
  assert.deepEqual(await namesOf(store, 'shop'), ['imported']);
  await store.close();

  store = await openStore(folder, clock);
  t.after(() => store.close());
  assert.deepEqual(await namesOf(store, 'shop'), ['imported']);
  assert.deepEqual(await namesOf(store, 'gone'), []);
});
