import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { toFlamebearer } from '@pilotlight/profile';
import { type Matcher, parseSelector } from '@pilotlight/protocol';
import { PARTITION_SECONDS, SCHEMA_VERSION } from './schema.js';
import { type Selection, selectCallTree, selectProfile, selectSeries, selectTimeSeries } from './select.js';
import { STORE_DEFAULTS, Store, type StoreOptions } from './store.js';
import { CPU, exampleUpload } from './testing/example-upload.js';
import { temporaryFolder } from './testing/temporary-folder.js';

const NOW = 1_796_000_000_000;

async function openStore(t: TestContext, folder: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await Store.open({
    folder,
    retentionAgeSeconds: 7 * 86_400,
    retentionBytes: 1e12,
    ...STORE_DEFAULTS,
    onTrouble: (message) => t.diagnostic(message),
    now: () => NOW,
    ...options,
  });
  return store;
}

function selection(selector: string, startMs = 0, endMs = NOW + 1): Selection {
  const matchers: Matcher[] = parseSelector(selector);
  return { tenant: 'anonymous', profileType: CPU, matchers, startMs, endMs };
}

async function total(store: Store, selector = '{}', startMs = 0, endMs = NOW + 1): Promise<number> {
  return (await selectCallTree(store, selection(selector, startMs, endMs))).total[0] as number;
}

test('what is appended is found at once: tree, profile, series, labels', async (t) => {
  const store = await openStore(t, temporaryFolder(t));
  t.after(() => store.close());
  await store.append([
    exampleUpload({ stacks: 'main;a;b 5\nmain;c 2', timeMs: NOW - 60_000, labels: { pod: 'p1' } }),
    exampleUpload({ stacks: 'main;a;b 10', timeMs: NOW - 30_000, labels: { pod: 'p2' } }),
  ]);
  await store.append([exampleUpload({ stacks: 'main;a 1', timeMs: NOW - 1_000, service: 'other' })]);

  const { names, levels } = toFlamebearer(await selectCallTree(store, selection('{service_name="shop"}')));
  assert.deepEqual(names, ['total', 'main', 'c', 'a', 'b']);
  assert.deepEqual(levels, [
    [0, 17, 0, 0],
    [0, 17, 0, 1],
    [0, 15, 0, 3, 0, 2, 2, 2],
    [0, 15, 15, 4],
  ]);
  assert.equal(await total(store), 18);
  assert.equal(await total(store, '{pod=~"p[2-9]"}'), 10);
  assert.equal(await total(store, '{pod!~"p.*",service_name!="other"}'), 0);
  assert.equal(await total(store, '{}', NOW - 60_000, NOW - 30_000), 7);
  assert.equal((await selectCallTree(store, { ...selection('{}'), callSite: ['main', 'a'] })).total[0], 16);
  const profile = await selectProfile(store, selection('{service_name="shop"}'));
  assert.equal(
    profile.samples.values[0]?.reduce((sum, value) => sum + value, 0),
    17,
  );

  const series = await selectTimeSeries(store, selection('{}', NOW - 60_000, NOW), 30_000, ['pod'], 'sum');
  assert.deepEqual(
    series.map(({ labels, points }) => [
      labels.get('pod'),
      ...points.map(({ timeMs, value }) => [timeMs - NOW, value]),
    ]),
    [
      ['p2', [-30_000, 10]],
      ['p1', [-60_000, 7]],
      [undefined, [0, 1]],
    ],
  );
  const below = { ...selection('{}', NOW - 60_000, NOW), callSite: ['main', 'c'] };
  assert.equal((await selectTimeSeries(store, below, 30_000, [], 'sum'))[0]?.points[0]?.value, 2);
  assert.deepEqual(
    (await selectSeries(store, selection('{service_name="shop"}'))).map(({ labels }) => labels.get('pod')).sort(),
    ['p1', 'p2'],
  );
});

test('a profile longer than a step is spread over the steps it covers, to the last unit', async (t) => {
  const store = await openStore(t, temporaryFolder(t));
  t.after(() => store.close());
  await store.append([
    exampleUpload({ stacks: 'main;a 100', timeMs: NOW - 60_000, durationMs: 60_000 }),
    exampleUpload({ stacks: 'main;b 7', timeMs: NOW - 10_000, durationMs: 10_000 }),
  ]);
  const points = async (aggregation: 'sum' | 'average', stepMs: number) => {
    const [series] = await selectTimeSeries(store, selection('{}', NOW - 60_000, NOW), stepMs, [], aggregation);
    return series?.points.map(({ timeMs, value }) => [timeMs - NOW, value]);
  };
  assert.deepEqual(await points('sum', 20_000), [
    [-60_000, 33],
    [-40_000, 33],
    [-20_000, 34],
    [0, 7],
  ]);
  // A minute covers two steps of 50 s, evenly as far as is known.
  assert.deepEqual(await points('sum', 50_000), [
    [-60_000, 50],
    [-10_000, 57],
  ]);
  assert.deepEqual(await points('average', 20_000), [
    [-60_000, 100],
    [0, 7],
  ]);
});

test('an upload sent again counts once, also after a restart, and snapshots tell what the engine would', async (t) => {
  const folder = temporaryFolder(t);
  const upload = () => exampleUpload({ stacks: 'main;a 5\nmain;b;c 3', timeMs: NOW - 5_000 });
  let store = await openStore(t, folder);
  assert.equal((await store.append([upload(), upload()])).known, 1);
  assert.equal((await store.append([upload()])).known, 1);
  assert.equal(await total(store), 8);
  await store.close();

  store = await openStore(t, folder);
  assert.equal((await store.append([upload()])).known, 1);
  assert.equal(await total(store), 8);
  // New stacks on top of those of the snapshot.
  await store.append([exampleUpload({ stacks: 'main;b;c;d 4', timeMs: NOW - 4_000 })]);
  assert.equal(await total(store), 12);
  await store.close();

  store = await openStore(t, folder);
  t.after(() => store.close());
  const { names, levels } = toFlamebearer(await selectCallTree(store, selection('{}')));
  assert.deepEqual(names, ['total', 'main', 'b', 'c', 'd', 'a']);
  assert.equal(levels.length, 5);
});

test('a damaged snapshot is ignored', async (t) => {
  const folder = temporaryFolder(t);
  let store = await openStore(t, folder);
  await store.append([exampleUpload({ stacks: 'main;a 5', timeMs: NOW - 5_000 })]);
  await store.close();
  const { readdirSync } = await import('node:fs');
  const [file] = readdirSync(join(folder, 'snapshots'));
  const path = join(folder, 'snapshots', file as string);
  const bytes = readFileSync(path);
  bytes[bytes.length - 9] = (bytes[bytes.length - 9] as number) ^ 1;
  writeFileSync(path, bytes);
  store = await openStore(t, folder);
  t.after(() => store.close());
  assert.equal(await total(store), 5);
});

test('a failed insert is tried again, and nothing is there twice', async (t) => {
  const store = await openStore(t, temporaryFolder(t));
  t.after(() => store.close());
  const { insert } = store.engine;
  // The part is written and the answer lost; then the insert fails before it writes; then all is well.
  const faults = ['after', 'before'];
  store.engine.insert = async (what) => {
    const fault = what.table.endsWith('profiles') ? faults.shift() : undefined;
    if (fault === 'before') throw new Error('the disk is full');
    await insert(what);
    if (fault === 'after') throw new Error('the answer was lost');
  };
  await store.append([exampleUpload({ stacks: 'main;a 5', timeMs: NOW - 5_000 })]);
  await assert.rejects(store.caughtUp(), /answer was lost/);
  await store.append([exampleUpload({ stacks: 'main;a 7', timeMs: NOW - 4_000 })]);
  await assert.rejects(store.caughtUp(), /disk is full/);
  assert.equal(await total(store), 12);
  assert.deepEqual(faults, []);
  assert.equal(store.status().logRecords, 0);
});

test('a record the engine always refuses is set aside, those behind it go on', async (t) => {
  const store = await openStore(t, temporaryFolder(t));
  t.after(() => store.close());
  const { insert } = store.engine;
  store.engine.insert = async (what) => {
    if (Buffer.from(what.rows).includes('poison')) throw new Error('no such row');
    await insert(what);
  };
  await store.append([exampleUpload({ stacks: 'main;x 1', timeMs: NOW - 5_000, service: 'poison' })]);
  await store.append([exampleUpload({ stacks: 'main;a 7', timeMs: NOW - 4_000 })]);
  for (let tries = 0; tries < 20 && store.status().setAside === 0; tries++) await store.caughtUp().catch(() => {});
  assert.equal(store.status().setAside, 1);
  assert.equal(await total(store, '{service_name="shop"}'), 7);
});

test('retention by age drops what arrived long ago, keeps imports and what is young, and forgets empty series', async (t) => {
  const folder = temporaryFolder(t);
  let now = NOW;
  const store = await openStore(t, folder, { now: () => now });
  t.after(() => store.close());
  await store.append([exampleUpload({ stacks: 'main;old 1', timeMs: NOW - 1_000, receivedMs: NOW, service: 'old' })]);
  await store.caughtUp();
  now = NOW + 6 * 86_400_000;
  // Of the same age as the other, but arrived today.
  await store.append([
    exampleUpload({ stacks: 'main;import 2', timeMs: NOW - 2_000, receivedMs: now, service: 'imported' }),
  ]);
  await store.caughtUp();
  assert.equal(await store.retain(), 0);
  assert.equal(await total(store), 3);
  now = NOW + 7 * 86_400_000 + 2 * PARTITION_SECONDS * 1_000;
  assert.equal(await store.retain(), 1);
  assert.equal(await total(store), 2);
  assert.equal(await total(store, '{service_name="imported"}'), 2);
  assert.equal(store.status().series, 1);
});

test('retention by size drops the oldest hours, never the one being written', async (t) => {
  let now = NOW;
  const store = await openStore(t, temporaryFolder(t), { now: () => now, retentionBytes: 1 });
  t.after(() => store.close());
  await store.append([exampleUpload({ stacks: 'main;a 1', timeMs: now })]);
  await store.caughtUp();
  await store.retain();
  assert.equal(await total(store, '{}', 0, now + 1), 1);
  now = NOW + 2 * PARTITION_SECONDS * 1_000;
  await store.append([exampleUpload({ stacks: 'main;b 2', timeMs: now })]);
  await store.caughtUp();
  assert.equal(await store.retain(), 1);
  assert.equal(await total(store, '{}', 0, now + 1), 2);
});

test('nodes outlive the week they were written in as long as a profile needs them', async (t) => {
  const folder = temporaryFolder(t);
  let now = NOW;
  let store = await openStore(t, folder, { now: () => now, retentionAgeSeconds: 14 * 86_400 });
  for (let week = 0; week < 4; week++) {
    now = NOW + week * 7 * 86_400_000;
    await store.append([exampleUpload({ stacks: `main;a 1\nmain;week${week} 1`, timeMs: now })]);
    await store.caughtUp();
    await store.retain();
  }
  await store.close();
  // Without snapshots: the engine alone must know every stack.
  const { rmSync } = await import('node:fs');
  rmSync(join(folder, 'snapshots'), { recursive: true });
  store = await openStore(t, folder, { now: () => now, retentionAgeSeconds: 14 * 86_400 });
  t.after(() => store.close());
  const tree = await selectCallTree(store, selection('{}', 0, now + 1));
  assert.deepEqual([...tree.names].sort(), ['a', 'main', 'total', 'week1', 'week2', 'week3']);
});

test('the snapshot of a service goes with its last series', async (t) => {
  const folder = temporaryFolder(t);
  let now = NOW;
  const clock = { now: () => now };
  let store = await openStore(t, folder, clock);
  await store.append([
    exampleUpload({ stacks: 'main;a 1', timeMs: NOW, service: 'gone' }),
    exampleUpload({ stacks: 'main;a 1', timeMs: NOW, service: 'stays' }),
  ]);
  await store.close();
  const { readdirSync } = await import('node:fs');
  assert.equal(readdirSync(join(folder, 'snapshots')).length, 2);
  now = NOW + 7 * 86_400_000;
  store = await openStore(t, folder, clock);
  await store.append([exampleUpload({ stacks: 'main;a 1', timeMs: now, service: 'stays' })]);
  now += 2 * PARTITION_SECONDS * 1_000;
  await store.retain();
  await store.close();
  assert.equal(readdirSync(join(folder, 'snapshots')).length, 1);
});

test('a pattern must be one by itself', async (t) => {
  const store = await openStore(t, temporaryFolder(t));
  t.after(() => store.close());
  await store.append([exampleUpload({ stacks: 'main 1', timeMs: NOW })]);
  for (const pattern of ['nope)|(?s:.*', '(a', 'a)', '[)](', 'a{2,1}', '*']) {
    const selector = `{service_name=~${JSON.stringify(pattern)}}`;
    await assert.rejects(total(store, selector), { code: 'malformed_query' }, pattern);
  }
  for (const pattern of ['s(h)(?:op)', '[(]?shop', '[])]?shop', '[^)]hop', '\\(?shop', '\\Q(\\E?shop']) {
    assert.equal(await total(store, `{service_name=~${JSON.stringify(pattern)}}`), 1, pattern);
  }
  assert.equal(await total(store, '{service_name=~"(?i)SHOP|x"}'), 1);
});

test('the series limit costs the new series, not the upload', async (t) => {
  const store = await openStore(t, temporaryFolder(t), { seriesMax: 2 });
  t.after(() => store.close());
  const push = (pod: string) => store.append([exampleUpload({ stacks: 'main 1', timeMs: NOW, labels: { pod } })]);
  await push('1');
  await push('2');
  const { refused } = await push('3');
  assert.equal(refused[0]?.error.code, 'series_limit');
  await store.append([exampleUpload({ stacks: 'main 5', timeMs: NOW, labels: { pod: '1' } })]);
  assert.equal(await total(store), 7);
});

test('a folder of a later version is not touched', async (t) => {
  const folder = temporaryFolder(t);
  const store = await openStore(t, folder);
  await store.close();
  const marker = join(folder, 'pilotlight.json');
  const before = readFileSync(marker, 'utf8');
  writeFileSync(marker, before.replace(`"schemaVersion":${SCHEMA_VERSION}`, '"schemaVersion":99'));
  await assert.rejects(openStore(t, folder), {
    code: 'data_folder_newer',
    message: /later version.*nothing was changed/,
  });
});
