import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DetailTable } from '../details.js';
import { DEFAULT_READ_LIMITS } from '../limits.js';
import type { Reading } from '../model.js';
import { assertDetailsSumUp } from '../testing/detail-sums.js';
import { type DrawnValue, jfrChunk } from '../testing/jfr-drawing.js';
import { labelsSnapshot } from '../testing/jfr-labels.js';
import { inflatedTestData, profileNamed } from '../testing/jfr-recordings.js';
import { joinedBytes } from '../testing/pprof-drawing.js';
import { reasonsOf } from '../testing/reading.js';
import { readJfr } from './read.js';

const START = 1_700_000_000_000_000_000n;
const SECOND = 1_000_000_000;
const TYPES = { 'java.lang.Thread': 'osName: java.lang.String, osThreadId: long, javaName: java.lang.String' };
const THREADS = {
  type: 'java.lang.Thread',
  entries: [
    [5, ['java', 4711, 'worker-1']],
    [6, ['GC Thread#0', 4712, '']],
  ],
} as const;

function chunk(events: readonly Record<string, DrawnValue>[], start = START): Uint8Array {
  return jfrChunk({
    start,
    types: TYPES,
    stacks: ['a;b', 'a;c'],
    events: events.map((fields) => ['jdk.ExecutionSample', { stackTrace: 1, ...fields }] as const),
    checkpoints: [[THREADS]],
  });
}

/** `leaf thread second span value`, each row as words. */
function rows({ profiles }: Reading): string[] {
  const [{ profile, details }] = profiles as [(typeof profiles)[0]];
  const { length, node, thread, timeOffsetMs, spanName, spanId, traceId, values, strings } = details as DetailTable;
  const { frames, nodes, strings: names } = profile.stacks;
  const leaf = (row: number) => names[frames.name[nodes.frame[node[row] as number] as number] as number];
  return Array.from({ length }, (_, row) =>
    [
      leaf(row),
      strings[thread[row] as number] || '-',
      `${timeOffsetMs[row]} ms`,
      `${spanId[row]}:${strings[spanName[row] as number]}`,
      strings[traceId[row] as number] || '-',
      (values[0]?.[row] as number) / 10_000_000,
    ].join(' '),
  );
}

describe('the details of a recording', () => {
  it('are there only when asked for', () => {
    assert.equal(readJfr(chunk([{}])).profiles[0]?.details, undefined);
  });

  it("name threads as Java does, else as the system does; those that are not in the pool don't have a name", () => {
    const events = [5, 6, 7].map((sampledThread) => ({ sampledThread }));
    assert.deepEqual(rows(readJfr(chunk(events), { details: true })), [
      'b worker-1 0 ms 0: - 1',
      'b GC Thread#0 0 ms 0: - 1',
      'b - 0 ms 0: - 1',
    ]);
  });

  it('are merged where nothing but the time differs, and that within one second', () => {
    const events = [0, 0.9, 0.5, 1, 1.999].map((seconds) => ({ sampledThread: 5, startTime: seconds * SECOND }));
    const reading = readJfr(chunk([...events, { stackTrace: 2, sampledThread: 5 }]), { details: true });
    assert.deepEqual(rows(reading), ['b worker-1 0 ms 0: - 3', 'b worker-1 1000 ms 0: - 2', 'c worker-1 0 ms 0: - 1']);
  });

  it('count time from the start of the earliest chunk, by the clock of each', () => {
    const late = chunk([{ startTime: 1_500_000_000 }], START + 4_000_000_000n);
    const early = jfrChunk({
      start: START,
      ticksPerSecond: 1000n,
      stacks: ['a;b'],
      events: [
        ['jdk.ExecutionSample', { stackTrace: 1, startTime: 10_250 }],
        ['jdk.ExecutionSample', { stackTrace: 1, startTime: 9_000 }],
      ],
      header: (view) => view.setBigUint64(48, 10_000n),
    });
    const reading = readJfr(joinedBytes(late, early), { details: true });
    // What was before the start is at the start.
    assert.deepEqual(rows(reading), ['b - 5500 ms 0: - 1', 'b - 0 ms 0: - 2']);
  });

  it('have span and trace of the event itself, not of its context', () => {
    const labels = labelsSnapshot({ 7: { span_id: 'mine', thread: 'one' } }, ['GET /']);
    const traced = { traceIdHi: 1n << 63n, traceIdLo: 2 };
    const events = [{ contextId: 7 }, { contextId: 7, spanId: 2n ** 64n - 1n, spanName: 1 }, traced, { spanName: 99 }];
    assert.deepEqual(rows(readJfr(chunk(events), { labels, details: true })), [
      'b - 0 ms 0: - 1',
      `b - 0 ms ${2n ** 64n - 1n}:GET / - 1`,
      'b - 0 ms 0: 80000000000000000000000000000002 1',
      'b - 0 ms 0: - 1',
    ]);
  });

  it('are left out and counted over the limit of a table, while the samples are kept', () => {
    const events = Array.from({ length: 40 }, (_, i) => ({ startTime: i * SECOND }));
    const reading = readJfr(chunk(events), { details: true, limits: { ...DEFAULT_READ_LIMITS, tableRowsMax: 30 } });
    assert.equal(rows(reading).length, 30);
    assert.deepEqual(reasonsOf(reading), { details_over_limit: 10 });
    assert.equal(reading.profiles[0]?.profile.samples.values[0]?.[0], 40 * 10_000_000);
  });
});

describe('the details of real recordings', () => {
  const names = [
    'example',
    'dump2',
    'FastSlow_2024_01_16_180855',
    'cassandra/stcs',
    'generated/jdk25-cputime-allocsample',
  ];
  for (const name of [...names, 'generated/agent450-itimer-wall-nativemem-3chunks']) {
    it(`sum up to the samples of ${name}, which are the same with and without`, (t) => {
      const bytes = inflatedTestData(t, `jfr/${name}.jfr.gz`);
      if (bytes === undefined) return;
      const reading = readJfr(bytes, { details: true });
      for (const named of reading.profiles) assertDetailsSumUp(named);
      const profiles = reading.profiles.map(({ details: _, ...rest }) => rest);
      assert.deepEqual({ ...reading, profiles }, readJfr(bytes));
    });
  }

  it('have the spans of the agent, thread by thread', (t) => {
    const bytes = inflatedTestData(t, 'jfr/generated/agent450-wall-alloc-lock.jfr.gz');
    const labels = inflatedTestData(t, 'jfr/generated/agent450.labels.pb');
    if (bytes === undefined || labels === undefined) return;
    const named = profileNamed(readJfr(bytes, { labels, details: true }), 'wall wall');
    assertDetailsSumUp(named);
    const { length, thread, spanName, spanId, traceId, strings, values, timeOffsetMs } = named.details as DetailTable;
    const counts = new Map<string, number>();
    for (let row = 0; row < length; row++) {
      if (spanId[row] === 0n) continue;
      const [name, span] = [strings[thread[row] as number], strings[spanName[row] as number]];
      const key = `${name} ${span} ${spanId[row]?.toString(16)} ${strings[traceId[row] as number]?.slice(-2)}`;
      counts.set(key, (counts.get(key) ?? 0) + (values[0]?.[row] as number) / named.profile.period);
    }
    assert.deepEqual(Object.fromEntries(counts), {
      'worker-0 GET /a 1122334455667700 40': 281,
      'worker-1 GET /b 1122334455667701 41': 290,
      'worker-2 GET /c 1122334455667702 42': 286,
    });
    assert.ok(Math.max(...timeOffsetMs) <= named.profile.durationNanos / 1e6 + 1000);
  });

  it('name the threads of Cassandra', (t) => {
    const bytes = inflatedTestData(t, 'jfr/cassandra/writes.jfr.gz');
    if (bytes === undefined) return;
    const named = profileNamed(readJfr(bytes, { details: true }), 'process_cpu cpu');
    assertDetailsSumUp(named);
    const { thread, strings } = named.details as DetailTable;
    const found = new Set(Array.from(thread, (index) => strings[index] as string));
    for (const name of ['Native-Transport-Requests-2', 'epollEventLoopGroup-5-1', 'C2 CompilerThre']) {
      assert.ok(found.has(name), `${name} among ${[...found].join(', ')}`);
    }
  });
});
