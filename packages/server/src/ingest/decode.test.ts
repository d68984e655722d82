import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { mutate, Random } from '@pilotlight/profile/fuzz';
import { decodeUploadRecord } from '../store/upload-record.js';
import { type Decoded, decode, type IngestTask, type PushTask } from './decode.js';
import { drawnPprof } from './testing/drawn-profile.js';

const NOW = Date.parse('2026-03-04T05:06:07Z');
const nanos = (ms: number) => BigInt(ms) * 1_000_000n;
const PPROF = drawnPprof('main;a 5\nmain;b 7', { timeNanos: nanos(NOW) });

const shared = { tenant: 'anonymous', receivedMs: NOW, retentionAgeSeconds: 604_800, inflatedBytesMax: 1_000_000 };

function ingest(query: string, body: Uint8Array = PPROF, more: Partial<IngestTask> = {}): Promise<Decoded> {
  return decode({ ...shared, kind: 'ingest', query, contentType: '', contentEncoding: '', body, ...more });
}

function push(
  ...series: { labels?: Record<string, string> | [string, string][]; profiles?: Uint8Array[] }[]
): Promise<Decoded> {
  const task: PushTask = {
    ...shared,
    kind: 'push',
    series: series.map(({ labels = {}, profiles = [PPROF] }) => ({
      labels: (Array.isArray(labels) ? labels : Object.entries(labels)).map(([name, value]) => ({ name, value })),
      profiles,
    })),
  };
  return decode(task);
}

/** `service total` of each series, and the labels of the first. */
function stored({ uploads }: Decoded): { totals: string[]; labels: Record<string, string> } {
  const records = uploads.map(({ bytes }) => decodeUploadRecord(bytes));
  return {
    totals: records.flatMap(({ service, series }) => series.map(({ total }) => `${service} ${total}`)),
    labels: Object.fromEntries(records[0]?.series[0]?.labels.map(({ name, value }) => [name, value]) ?? []),
  };
}

const CPU = { __name__: 'process_cpu', service_name: 'shop' };

test('an ingest in full', async () => {
  const from = NOW / 1_000 - 10;
  const decoded = await ingest(
    `name=shop%7Bzone%3Deu+west%7D&from=${from}&until=${from + 10}&spyName=nodespy&sampleRate=0&units=&aggregationType=&format=PPROF`,
  );
  assert.equal(decoded.error, undefined);
  assert.deepEqual(decoded.refused, []);
  assert.equal(decoded.service, 'shop');
  const { totals, labels } = stored(decoded);
  assert.deepEqual(totals, ['shop 12']);
  assert.deepEqual([labels['zone'], labels['pyroscope_spy'], labels['service_name']], ['eu west', 'nodespy', 'shop']);
});

test('packing a body anew makes no new upload of it', async () => {
  const id = async (body: Uint8Array, query = 'name=shop') => (await ingest(query, body)).uploads[0]?.uploadId;
  const first = await id(PPROF);
  assert.equal(await id(gzipSync(PPROF, { level: 1 })), first);
  assert.equal(await id(gzipSync(PPROF, { level: 9 })), first);
  assert.notEqual(await id(PPROF, 'name=shop{a=1}'), first);
});

test('the same bytes under another type, unit or rate are another upload', async () => {
  const stacks = new TextEncoder().encode('main;work 70');
  const at = `from=${NOW / 1_000}&until=${NOW / 1_000}&format=collapsed`;
  const queries = ['name=s', 'name=s.cpu', 'name=s.alloc_space', 'name=s&units=bytes', 'name=s&sampleRate=50'];
  const ids = await Promise.all(
    queries.map(async (query) => (await ingest(`${query}&${at}`, stacks)).uploads[0]?.uploadId),
  );
  assert.equal(new Set(ids).size, queries.length);
  assert.ok(!ids.includes(undefined));
  assert.equal((await ingest(`${at}&name=s`, stacks)).uploads[0]?.uploadId, ids[0]);
});

test('what is wrong with an ingest comes back as its error, with the service as far as it was read', async () => {
  const wrong: [string, Uint8Array, string, string, RegExp][] = [
    ['', PPROF, '', 'malformed_name', /the query parameter name is missing/],
    ['name=', PPROF, '', 'malformed_name', /character 1/],
    ['name=%FF', PPROF, '', 'malformed_request', /UTF-8/],
    ['name=shop&from=x', PPROF, 'shop', 'malformed_request', /^from: "x" is not a time/],
    ['name=shop&until=x', PPROF, 'shop', 'malformed_request', /^until: "x"/],
    ['name=shop', new Uint8Array(), 'shop', 'malformed_profile', /the body is empty/],
    ['name=shop&from=1', PPROF, 'shop', 'outside_time_window', /older than the retention/],
    ['name=shop&format=x', PPROF, 'shop', 'unsupported_format', /^format=x/],
    [`name=shop{a=${'x'.repeat(2_049)}}`, PPROF, 'shop', 'label_size_limit', /2048/],
    ['name=shop&units=x', Buffer.from('a 1'), 'shop', 'unknown_profile_type', /^units="x"/],
    [
      'name=shop',
      Buffer.from('not a profile'),
      'shop',
      'malformed_profile',
      /^nothing of the upload could be kept: line 1/,
    ],
  ];
  for (const [query, body, service, code, message] of wrong) {
    const decoded = await ingest(query, body);
    assert.deepEqual([decoded.error?.code, decoded.service, decoded.uploads], [code, service, []], query);
    assert.match(decoded.error?.message ?? '', message);
  }
});

test('a bad element costs that element: the rest is kept, with a count and a reason', async () => {
  const decoded = await ingest('name=shop', Buffer.from('main;a 5\nno number\nmain;b 7\n'));
  assert.deepEqual(stored(decoded).totals, ['shop 120000000']);
  assert.deepEqual(
    decoded.refused.map(({ service, reason, count }) => [service, reason, count]),
    [['shop', 'invalid_line', 1]],
  );
});

test('a profile that never had a sample is no error, one whose samples were all bad is', async () => {
  const empty = await ingest('name=shop', drawnPprof('main 0'));
  assert.deepEqual([empty.uploads, empty.error], [[], undefined]);
  const negative = await ingest('name=shop', drawnPprof('main -5'));
  assert.equal(negative.error?.code, 'malformed_profile');
  assert.match(negative.error?.message ?? '', /could be kept: sample 0 has -5 of type cpu/);
  assert.deepEqual(
    negative.refused.map(({ reason }) => reason),
    ['negative_value'],
  );
});

test('a label the name gives wins over one of a sample', async () => {
  const body = drawnPprof('main {service_name=b,zone=sample} 5', { timeNanos: nanos(NOW) });
  const { totals, labels } = stored(await ingest('name=a{zone=named}', body));
  assert.deepEqual(totals, ['a 5']);
  assert.deepEqual([labels['service_name'], labels['zone']], ['a', 'named']);
});

test('a push keeps what is good and tells of each thing that is bad', async () => {
  const decoded = await push(
    { labels: CPU },
    { labels: { ...CPU, service_name: 'till' }, profiles: [Buffer.from([1, 2, 3]), gzipSync(PPROF)] },
    { labels: { service_name: 'nameless' } },
  );
  assert.equal(decoded.error, undefined);
  assert.deepEqual(stored(decoded).totals, ['shop 12', 'till 12']);
  assert.deepEqual(
    decoded.refused.map(({ service, reason }) => [service, reason]),
    [
      ['till', 'malformed_profile'],
      ['nameless', 'malformed_name'],
    ],
  );
  assert.match(decoded.refused[0]?.message ?? '', /^series 1, profile 0: pprof: /);
  assert.match(decoded.refused[1]?.message ?? '', /^series 2, profile 0: the label __name__ is missing/);
});

test('each bad time of a push is refused by name, the good profiles are kept', async () => {
  const at = (timeNanos: bigint) => drawnPprof('main 5', { timeNanos });
  const decoded = await push({
    labels: CPU,
    profiles: [at(1_000n), at(nanos(NOW + 86_400_000)), at(2n ** 63n - 1n), at(0n), at(nanos(NOW))],
  });
  assert.deepEqual(stored(decoded).totals, ['shop 5', 'shop 5']);
  assert.deepEqual(
    decoded.refused.map(({ reason, message }) => [reason, /profile \d/.exec(message)?.[0]]),
    [
      ['outside_time_window', 'profile 0'],
      ['outside_time_window', 'profile 1'],
      ['outside_time_window', 'profile 2'],
    ],
  );
});

test('a push of nothing good is an error, and each reason is told', async () => {
  const decoded = await push({
    labels: CPU,
    profiles: [Buffer.from([1]), drawnPprof('main 5', { timeNanos: 1_000n })],
  });
  assert.equal(decoded.error?.code, 'malformed_profile');
  assert.deepEqual(
    decoded.refused.map(({ reason }) => reason),
    ['malformed_profile', 'outside_time_window'],
  );
});

test('the labels of a push', async () => {
  const { labels, totals } = stored(await push({ labels: { __name__: 'godeltaprof_memory', zone: 'eu' } }));
  assert.deepEqual(totals, ['unknown_service 12']);
  assert.deepEqual([labels['__name__'], labels['zone']], ['memory', 'eu']);
  // Of one name given twice the last counts, for the service as for every other label.
  const twice = stored(
    await push({
      labels: [
        ['__name__', 'process_cpu'],
        ['service_name', 'a'],
        ['service_name', 'b'],
        ['zone', '1'],
        ['zone', '2'],
      ],
    }),
  );
  assert.deepEqual(twice.totals, ['b 12']);
  assert.deepEqual(
    [twice.labels['service_name'], twice.labels['zone'], twice.labels['app_name']],
    ['b', '2', undefined],
  );
});

test('all profiles of a push inflate within one budget', async () => {
  const big = gzipSync(Buffer.alloc(600_000));
  const decoded = await push({ labels: CPU, profiles: [big, big] });
  assert.deepEqual(
    decoded.refused.map(({ reason }) => reason),
    ['malformed_profile', 'body_size_limit'],
  );
});

test('damaged bodies are decoded or refused, never an internal error', async () => {
  const random = new Random(20260304);
  const bodies = [PPROF, gzipSync(PPROF), Buffer.from('main;a 5\nmain;b 7\n')];
  let kept = 0;
  const runs = 600;
  for (let run = 0; run < runs; run++) {
    const body = mutate(random.pick(bodies), random);
    const { error, uploads } = await ingest('name=shop', body);
    assert.notEqual(error?.code, 'internal', `run ${run}: ${error?.message}`);
    if (uploads.length > 0) kept++;
  }
  assert.ok(kept > 0 && kept < runs);
});

test('what is told of single samples is read unless it is not wanted, and makes no series', async () => {
  const body = drawnPprof('main;a {thread=t1} 5\nmain;a {thread=t2} 7', { timeNanos: nanos(NOW) });
  const seriesOf = async (more: Partial<IngestTask>) => {
    const { uploads } = await ingest('name=shop', body, more);
    return uploads.flatMap(({ bytes }) => decodeUploadRecord(bytes).series);
  };
  const [wanted, ...others] = await seriesOf({});
  assert.deepEqual([wanted?.total, wanted?.details?.values.length, others.length], [12, 2, 0]);
  const [unwanted] = await seriesOf({ withDetails: false });
  assert.deepEqual([unwanted?.total, unwanted?.details], [12, undefined]);
});
