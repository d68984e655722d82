import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Profile, type Reading, RefusalTally, readPprof, SAMPLE_VALUE_MAX } from '@pilotlight/profile';
import { decodeUploadRecord, type UploadRecord } from '../store/upload-record.js';
import { CPU, drawnPprof, drawnProfile, readingOf } from './testing/drawn-profile.js';
import { LABEL_SETS_MAX, type UploadContext, uploadsOf } from './upload.js';

const NOW = Date.parse('2026-03-04T05:06:07Z');
const HOUR = 3_600_000;
const WEEK_SECONDS = 7 * 86_400;
const nanos = (ms: number) => BigInt(ms) * 1_000_000n;

function context(more: Partial<UploadContext> = {}): UploadContext {
  return {
    tenant: 'anonymous',
    labels: new Map([['service_name', 'shop']]),
    fromMs: undefined,
    untilMs: undefined,
    receivedMs: NOW,
    retentionAgeSeconds: WEEK_SECONDS,
    content: [new Uint8Array([1, 2, 3])],
    identity: '',
    ...more,
  };
}

function recordsOf(reading: Reading, more: Partial<UploadContext> = {}, tally = new RefusalTally()): UploadRecord[] {
  return uploadsOf(reading, context(more), tally).map(({ bytes }) => decodeUploadRecord(bytes));
}

function onlyRecord(profile: Profile, more: Partial<UploadContext> = {}): UploadRecord {
  const records = recordsOf(readingOf(profile), more);
  assert.equal(records.length, 1);
  return records[0] as UploadRecord;
}

/** The stack traces of a series as text, with their values. */
function stacksOf({ strings, frames, nodes, series }: UploadRecord, index = 0): string[] {
  const one = series[index];
  assert.ok(one !== undefined);
  return Array.from(one.nodes, (leaf, row) => {
    const names: string[] = [];
    for (let node = leaf; node >= 0; node = nodes.parent[node] as number) {
      names.unshift(strings[frames.name[nodes.frame[node] as number] as number] as string);
    }
    return `${names.join(';')} ${one.values[row]}`;
  }).sort();
}

test('a record holds what the profile held', () => {
  const profile = drawnProfile('main;a 5\nmain;b 7\nmain 1', { timeNanos: nanos(NOW), durationNanos: 10e9 });
  const record = onlyRecord(profile);
  assert.deepEqual(stacksOf(record), ['main 1', 'main;a 5', 'main;b 7']);
  assert.equal(record.service, 'shop');
  assert.equal(record.tenant, 'anonymous');
  assert.equal(record.timeMs, NOW);
  assert.equal(record.durationMs, 10_000);
  assert.equal(record.ingestSeconds, NOW / 1_000);
  assert.equal(record.series[0]?.total, 13);
  assert.equal(record.series[0]?.profileType, 'process_cpu:cpu:nanoseconds:cpu:nanoseconds');
  const ids = Array.from(record.series[0]?.nodes ?? [], (node) => record.nodes.id[node] as number);
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => a - b),
  );
});

test('the time: of the profile, unless the window says otherwise, or else of the arrival', () => {
  const minute = 60_000;
  const chosen: [own: number, from: number | undefined, until: number | undefined, time: number][] = [
    [0, undefined, undefined, NOW],
    [NOW - HOUR, undefined, undefined, NOW - HOUR],
    [0, NOW - HOUR, NOW, NOW - HOUR],
    [NOW - 5_000, NOW - 10_000, NOW, NOW - 5_000],
    // Within the slack of a minute the profile is believed …
    [NOW - 10_000 - minute, NOW - 10_000, NOW, NOW - 10_000 - minute],
    [NOW + minute, NOW - 10_000, NOW, NOW + minute],
    // … beyond it the client's window: the recording is old, or its clock is another.
    [NOW - 10_001 - minute, NOW - 10_000, NOW, NOW - 10_000],
    [NOW + 1 + minute, NOW - 10_000, NOW, NOW - 10_000],
    [1_000, NOW - 10_000, NOW, NOW - 10_000],
    [NOW, NOW - HOUR, undefined, NOW - HOUR],
    // A window that ends before it starts is one of no length.
    [0, NOW, NOW - HOUR, NOW],
    [0, undefined, NOW - HOUR, NOW],
  ];
  for (const [own, fromMs, untilMs, time] of chosen) {
    const profile = drawnProfile('main 1', { timeNanos: nanos(own) });
    assert.equal(onlyRecord(profile, { fromMs, untilMs }).timeMs, time, JSON.stringify({ own, fromMs, untilMs }));
  }
});

test('the duration: of the profile, or else of the window', () => {
  const duration = (durationNanos: number, fromMs?: number, untilMs?: number) =>
    onlyRecord(drawnProfile('main 1', { durationNanos }), { fromMs, untilMs }).durationMs;
  assert.equal(duration(10e9, NOW - 15_000, NOW), 10_000);
  assert.equal(duration(0, NOW - 15_000, NOW), 15_000);
  assert.equal(duration(0, NOW, NOW - 15_000), 0);
  assert.equal(duration(0), 0);
});

test('somebody who says so brings in profiles of any age, but none of the future', () => {
  const profile = drawnProfile('main 1', { timeNanos: nanos(NOW - 5_000 * 86_400_000) });
  assert.equal(onlyRecord(profile, { keepsOld: true }).timeMs, NOW - 5_000 * 86_400_000);
  const future = drawnProfile('main 1', { timeNanos: nanos(NOW + 86_400_000) });
  assert.throws(() => onlyRecord(future, { keepsOld: true }), { code: 'outside_time_window' });
});

test('older than the retention and further ahead than ten minutes is refused, naming the window', () => {
  const at = (timeNanos: bigint) => onlyRecord(drawnProfile('main 1', { timeNanos })).timeMs;
  const oldest = NOW - WEEK_SECONDS * 1_000;
  const newest = NOW + 600_000;
  assert.equal(at(nanos(oldest)), oldest);
  assert.equal(at(nanos(newest)), newest);
  const refused: [bigint, RegExp][] = [
    [
      nanos(oldest - 1),
      /of 2026-02-25T05:06:06.999Z, older than the retention of 7 days takes \(from 2026-02-25T05:06:07/,
    ],
    [
      nanos(newest + 1),
      /of 2026-03-04T05:16:07.001Z, more than 600 s ahead of this server's clock \(2026-03-04T05:06:07/,
    ],
    [1_000n, /of 1970-01-01T00:00:00.000Z, older than the retention/],
    [nanos(NOW + 86_400_000), /more than 600 s ahead/],
    [2n ** 63n - 1n, /of 2262-04-11T23:47:16.854Z, more than 600 s ahead/],
  ];
  for (const [timeNanos, message] of refused) {
    assert.throws(() => at(timeNanos), { code: 'outside_time_window', message });
  }
  for (const fromMs of [0, NOW - 8 * 86_400_000, NOW + HOUR, 1e300]) {
    assert.throws(
      () => onlyRecord(drawnProfile('main 1'), { fromMs }),
      { code: 'outside_time_window' },
      String(fromMs),
    );
  }
});

test('equal content is one upload, however it was packed or written', () => {
  const profile = drawnProfile('main;a 5', { timeNanos: nanos(NOW) });
  const content = [drawnPprof('main;a 5', { timeNanos: nanos(NOW) })];
  const id = (more: Partial<UploadContext> = {}) =>
    uploadsOf(readingOf(profile), context({ content, ...more }), new RefusalTally())[0]?.uploadId;
  const first = id();
  assert.match(first ?? '', /^[0-9a-f]{32}$/);
  assert.equal(id(), first);
  assert.equal(id({ receivedMs: NOW + 5_000 }), first);
  assert.equal(
    id({
      labels: new Map([
        ['b', '2'],
        ['service_name', 'shop'],
      ]),
    }),
    id({
      labels: new Map([
        ['service_name', 'shop'],
        ['b', '2'],
      ]),
    }),
  );
  const others = [
    first,
    id({ content: [Uint8Array.of(1, 2, 3)] }),
    id({ content: [Uint8Array.of(1, 2, 4)] }),
    id({ content: [Uint8Array.of(1), Uint8Array.of(2, 3)] }),
    id({ content: [Uint8Array.of(1, 2), Uint8Array.of(3)] }),
    id({ labels: new Map([['service_name', 'till']]) }),
    id({ tenant: 'other' }),
    id({ identity: 'jfr' }),
    id({ fromMs: NOW }),
    id({ fromMs: NOW, untilMs: NOW + 1 }),
  ];
  assert.equal(new Set(others).size, others.length);
});

test('without any time two equal contents may be two profiles: their ids are random', () => {
  const id = (timeNanos: bigint, fromMs?: number) =>
    uploadsOf(readingOf(drawnProfile('main 1', { timeNanos })), context({ fromMs }), new RefusalTally())[0]?.uploadId;
  assert.notEqual(id(0n), id(0n));
  assert.equal(id(0n, NOW), id(0n, NOW));
  assert.equal(id(nanos(NOW)), id(nanos(NOW)));
});

test('a series for each sample type and each set of labels', () => {
  const profile = drawnProfile('main {pod=1} 1 10\nmain {pod=2} 2 20\nmain 3 30\nmain {pod=1,span_id=x} 4 40', {
    types: [{ type: 'samples', unit: 'count' }, CPU],
  });
  const { series } = onlyRecord(profile);
  const said = series.map(({ profileType, labels, total }) => {
    const pod = labels.find(({ name }) => name === 'pod')?.value ?? '-';
    return `${profileType.split(':')[1]} ${pod} ${total}`;
  });
  // A span makes no series: its sample is with its pod's.
  assert.deepEqual(said.sort(), ['cpu - 30', 'cpu 1 50', 'cpu 2 20', 'samples - 3', 'samples 1 5', 'samples 2 2']);
  assert.equal(new Set(series.map(({ seriesId }) => seriesId)).size, 6);
});

test('a value of 0 makes no row, a series of nothing none, a profile of nothing no upload', () => {
  const record = onlyRecord(drawnProfile('main 1 0\nmain;a 0 0', { types: [{ type: 'samples', unit: 'count' }, CPU] }));
  assert.deepEqual(
    record.series.map(({ profileType, nodes }) => [profileType.split(':')[1], nodes.length]),
    [['samples', 1]],
  );
  assert.deepEqual(recordsOf(readingOf(drawnProfile('main 0'))), []);
});

test('negative values of a difference are kept', () => {
  const record = onlyRecord(
    drawnProfile('main;a 100\nmain;b -40', { types: [{ type: 'inuse_space', unit: 'bytes' }] }),
  );
  assert.deepEqual(stacksOf(record), ['main;a 100', 'main;b -40']);
  assert.equal(record.series[0]?.total, 60);
});

test('samples of more label sets than make series are kept without those labels, and counted', () => {
  const sets = LABEL_SETS_MAX + 50;
  const drawing = Array.from({ length: sets }, (_, i) => `main {request=${i}} 1`).join('\n');
  const tally = new RefusalTally();
  const [record] = recordsOf(readingOf(drawnProfile(`${drawing}\nmain 1000`)), {}, tally);
  assert.equal(record?.series.length, LABEL_SETS_MAX + 1);
  assert.equal(
    record?.series.reduce((sum, { total }) => sum + total, 0),
    sets + 1_000,
  );
  const unlabelled = record?.series.find(({ labels }) => !labels.some(({ name }) => name === 'request'));
  assert.equal(unlabelled?.total, 1_000 + 50);
  assert.deepEqual(tally.list(), [
    { reason: 'label_sets_limit', count: 50, first: `more than ${LABEL_SETS_MAX} sets of sample labels in one upload` },
  ]);
});

test('a series never sums to more than a number holds exactly', () => {
  const tally = new RefusalTally();
  const drawing = `main;a ${SAMPLE_VALUE_MAX}\nmain;b ${SAMPLE_VALUE_MAX}\nmain;c 1`;
  const [record] = recordsOf(readingOf(drawnProfile(drawing)), {}, tally);
  assert.ok((record?.series[0]?.total ?? 0) <= SAMPLE_VALUE_MAX);
  assert.equal(
    record?.series[0]?.total,
    record?.series[0]?.values.reduce((sum, value) => sum + value, 0),
  );
  assert.deepEqual(
    tally.list().map(({ reason }) => reason),
    ['value_over_limit'],
  );
});

test('profiles that share their stacks are one upload, others are several with ids of their own', () => {
  const profile = drawnProfile('main;a 5', { timeNanos: nanos(NOW) });
  const wall = { metric: 'block', profile, labels: [{ name: 'jfr_event', value: 'wall' }], periodSource: '' };
  const shared = recordsOf({ ...readingOf(profile), profiles: [...readingOf(profile).profiles, wall] });
  assert.deepEqual(
    shared.map(({ series }) => series.map((one) => one.profileType.split(':', 1)[0])),
    [['process_cpu', 'block']],
  );
  assert.deepEqual(shared[0]?.series[1]?.labels.find(({ name }) => name === 'jfr_event')?.value, 'wall');
  const apart = recordsOf(readingOf(profile, drawnProfile('main;b 6', { timeNanos: nanos(NOW) })));
  assert.equal(apart.length, 2);
  assert.notEqual(apart[0]?.uploadId, apart[1]?.uploadId);
});

test('equal stacks have equal ids in every upload', () => {
  const ids = (drawing: string) => {
    const record = onlyRecord(drawnProfile(drawing));
    const stacks = Array.from(record.series[0]?.nodes ?? [], (node) => record.nodes.id[node] as number);
    return new Set(stacks);
  };
  const [first, second] = [ids('main;a 5\nmain;b 7'), ids('other;x 1\nmain;b 9\nmain;a 1')];
  assert.equal([...first].filter((id) => second.has(id)).length, 2);
});

test('a pprof that was written and read gives the record of the profile it was written from', () => {
  const profile = drawnProfile('main;a {pod=1} 5\nmain;b 7', { timeNanos: nanos(NOW) });
  const [named] = readPprof(drawnPprof('main;a {pod=1} 5\nmain;b 7', { timeNanos: nanos(NOW) })).profiles;
  assert.ok(named !== undefined);
  const series = (one: Profile) => onlyRecord(one).series.map(({ seriesId, total }) => [seriesId, total]);
  assert.deepEqual(series(named.profile), series(profile));
});
