import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { detailsOfLabels, RefusalTally } from '@pilotlight/profile';
import { drawnProfile } from '../ingest/testing/drawn-profile.js';
import { uploadsOf } from '../ingest/upload.js';
import { PARTITION_SECONDS } from './schema.js';
import { selectCallTree, selectThreads } from './select.js';
import { STORE_DEFAULTS, Store, type StoreOptions } from './store.js';
import { CPU } from './testing/example-upload.js';
import { temporaryFolder } from './testing/temporary-folder.js';
import { decodeUploadRecord } from './upload-record.js';

const NOW = 1_796_000_000_000;
const DRAWING = 'main;a {thread=t1,pod=p1} 5\nmain;a {thread=t2,pod=p1} 7\nmain;b {thread=t2,pod=p2} 11\nmain 100';

function uploadsFrom(drawing: string, timeMs = NOW, service = 'shop') {
  const profile = drawnProfile(drawing);
  const details = detailsOfLabels(profile);
  const named = { metric: 'process_cpu', profile, labels: [], periodSource: '' };
  return uploadsOf(
    { profiles: [{ ...named, ...(details === undefined ? {} : { details }) }], refusals: [] },
    {
      tenant: 'anonymous',
      labels: new Map([['service_name', service]]),
      fromMs: timeMs,
      untilMs: timeMs,
      receivedMs: timeMs,
      retentionAgeSeconds: 7 * 86_400,
      content: [Buffer.from(drawing)],
      identity: '',
    },
    new RefusalTally(),
  );
}

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
  t.after(() => store.close());
  return store;
}

const all = { tenant: 'anonymous', profileType: CPU, matchers: [], startMs: 0, endMs: NOW + 1 };
const total = async (store: Store, more = {}) => (await selectCallTree(store, { ...all, ...more })).total[0];

test('a record keeps what is told of its samples, by series and thread', () => {
  const [upload] = uploadsFrom(
    'main;a {thread=t2,trace_id=x,span_id=ff,pod=p1} 7\nmain;b {thread=t1,pod=p1} 5\nmain 1',
  );
  const { series, details, detailTexts, nodes } = decodeUploadRecord(upload?.bytes as Uint8Array);
  assert.deepEqual(
    series.map((one) => one.details && { ...one.details, values: [...one.details.values] }),
    [undefined, { table: 0, values: [7, 5] }],
  );
  const [table] = details;
  assert.ok(table?.spans !== undefined && details.length === 1);
  const texts = (column: ArrayLike<number>) => Array.from(column, (index) => detailTexts[index]);
  assert.deepEqual(texts(table.thread), ['t2', 't1']);
  assert.deepEqual(texts(table.spans.traceId), ['x', '']);
  assert.deepEqual([...table.spans.id], [255n, 0n]);
  assert.ok([...table.nodes].every((node) => node < nodes.length));
});

test('details take no more bytes than what they tell needs', () => {
  const drawing = (value: number) => `main;a {thread=t1} ${value}\nmain;b {thread=t2} 1`;
  for (const [value, width] of [
    [255, 1],
    [256, 2],
    [65_536, 4],
    [2 ** 31, 8],
  ] as const) {
    const [upload] = uploadsFrom(drawing(value));
    const { series, details } = decodeUploadRecord(upload?.bytes as Uint8Array);
    assert.equal(details[0]?.spans, undefined);
    assert.equal(series[0]?.details?.values.BYTES_PER_ELEMENT, width);
    assert.deepEqual([...(series[0]?.details?.values ?? [])], [value, 1]);
  }
});

test('threads are told with what they took, and a tree of one of them alone', async (t) => {
  const store = await openStore(t, temporaryFolder(t));
  await store.append(uploadsFrom(DRAWING, NOW - 60_000));
  await store.append(uploadsFrom('main;c {thread=t1} 1', NOW - 30_000, 'other'));
  assert.deepEqual(await selectThreads(store, all), [
    { thread: 't2', total: 18 },
    { thread: 't1', total: 6 },
  ]);
  const matchers = [{ name: 'pod', operator: '=' as const, value: 'p1' }];
  assert.deepEqual(await selectThreads(store, { ...all, matchers }), [
    { thread: 't2', total: 7 },
    { thread: 't1', total: 5 },
  ]);
  assert.deepEqual(await selectThreads(store, { ...all, endMs: NOW - 60_000 }), []);
  assert.equal(await total(store), 124);
  assert.equal(await total(store, { thread: 't2' }), 18);
  assert.equal(await total(store, { thread: 't2', matchers }), 7);
  assert.equal(await total(store, { thread: 'nobody' }), 0);
});

test('a tree of some spans, beside profiles that tell of none', async (t) => {
  const store = await openStore(t, temporaryFolder(t));
  await store.append(uploadsFrom('main;a {thread=t1,span_id=ff} 5\nmain;b {thread=t1} 7', NOW - 60_000));
  await store.append(uploadsFrom(DRAWING, NOW - 30_000));
  assert.equal(await total(store, { spans: [255n, 1n] }), 5);
  assert.equal(await total(store, { spans: [1n] }), 0);
  assert.equal(await total(store, { thread: 't1' }), 17);
});

test('details written twice, as after a kill before the profiles, count once', async (t) => {
  const store = await openStore(t, temporaryFolder(t));
  await store.append(uploadsFrom(DRAWING));
  await store.caughtUp();
  await store.engine.execute('INSERT INTO pilotlight.details SELECT * FROM pilotlight.details');
  assert.equal(await total(store, { thread: 't2' }), 18);
  assert.equal((await selectThreads(store, all))[0]?.total, 18);
});

test('uploads that tell nothing of their samples cost no row', async (t) => {
  const store = await openStore(t, temporaryFolder(t));
  await store.append(uploadsFrom('main;a {pod=p1} 5\nmain 1'));
  await store.caughtUp();
  const answer = await store.engine.query('SELECT toUInt8(count()) FROM pilotlight.details');
  assert.deepEqual([...answer], [0]);
});

test('details go before the profiles do', async (t) => {
  const clock = { now: NOW };
  const options = { now: () => clock.now, retentionDetailsSeconds: PARTITION_SECONDS };
  const store = await openStore(t, temporaryFolder(t), options);
  await store.append(uploadsFrom(DRAWING));
  await store.caughtUp();
  await store.retain();
  assert.equal(await total(store, { thread: 't2' }), 18);
  clock.now += 2 * PARTITION_SECONDS * 1_000;
  await store.retain();
  assert.deepEqual(await selectThreads(store, all), []);
  assert.equal(await total(store), 123);
  clock.now += 8 * 86_400_000;
  await store.retain();
  const answer = await store.engine.query(
    "SELECT toUInt8(count()) FROM system.parts WHERE database = 'pilotlight' AND table = 'details' AND active",
  );
  assert.deepEqual([...answer], [0]);
});
