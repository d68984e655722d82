import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collapsedTree, treeOfLines } from '../testing/collapsed-tree.js';
import { testClient } from '../testing/test-client.js';
import { profileTypeText } from '../values/profile-type.js';
import { loadCatalog, sortLabels } from './catalog.js';
import { loadProfile, NODES_MAX, profileData } from './profile-data.js';
import { loadTimeline, summarizeTimeline, timelineStep } from './timeline-data.js';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const abort = new AbortController().signal;

test('the catalog: services in order, their types, and nothing without either', async () => {
  const client = testClient({
    series: async () => [
      { service_name: 'b', __profile_type__: 'y' },
      { service_name: 'a', __profile_type__: 'x' },
      { service_name: 'b', __profile_type__: 'x' },
      { service_name: 'b', __profile_type__: 'x' },
      { __profile_type__: 'x' },
      { service_name: '__proto__', __profile_type__: 'x' },
    ],
  });
  const catalog = await loadCatalog(client, { start: 0, end: 1 }, abort);
  assert.deepEqual(
    [...catalog],
    [
      ['__proto__', ['x']],
      ['a', ['x']],
      ['b', ['x', 'y']],
    ],
  );
});

test('labels to filter by: the pod first, nothing internal', () => {
  assert.deepEqual(sortLabels(['zone', '__name__', 'service_name', 'hostname', 'app', 'pod']), [
    'pod',
    'hostname',
    'app',
    'zone',
  ]);
});

test('steps of the timeline are round and never shorter than an upload', () => {
  const minutes = (count: number) => count * 60_000;
  assert.deepEqual(
    [minutes(5), minutes(60), minutes(360), minutes(1_440), minutes(10_080)].map(timelineStep),
    [30, 30, 120, 600, 3_600],
  );
  assert.equal(timelineStep(minutes(60 * 24 * 400)), 2 * 86_400);
});

const CPU_SELECTION = { profileType: CPU, selector: '{}', start: 20_000, end: 100_000 };

test('a timeline has a place for each step and cores for CPU time', async () => {
  const asked: unknown[] = [];
  const client = testClient({
    selectSeries: async (selection, step, groupBy, _, aggregation) => {
      asked.push([selection.start, selection.end, step, groupBy, aggregation]);
      return [
        { labels: {}, points: [{ timestamp: 30_000, value: 60e9 }] },
        {
          labels: {},
          points: [
            { timestamp: 30_000, value: 30e9 },
            { timestamp: 90_000, value: 15e9 },
          ],
        },
      ];
    },
  });
  const timeline = await loadTimeline(client, CPU_SELECTION, profileTypeText(CPU), 200_000, abort);
  assert.deepEqual(asked, [[30_000, 120_000, 30, [], undefined]]);
  assert.deepEqual(timeline.times, [30, 60, 90, 120]);
  assert.deepEqual(timeline.values, [3, null, 0.5, null]);
  assert.equal(timeline.openFrom, 4);
  assert.deepEqual(summarizeTimeline(timeline), {
    peak: 3,
    peakTime: 30_000,
    mean: 1.75,
    coveredSeconds: 60,
    hasGaps: true,
  });
  assert.equal(summarizeTimeline({ ...timeline, values: [null] }), undefined);
});

test('steps whose last uploads are still on the way are open, and are not counted unless there are no others', async () => {
  const points = [30_000, 60_000, 90_000, 120_000].map((timestamp) => ({ timestamp, value: timestamp * 1e6 }));
  const client = testClient({ selectSeries: async () => [{ labels: {}, points }] });
  const at = (now: number) => loadTimeline(client, CPU_SELECTION, profileTypeText(CPU), now, abort);
  const timeline = await at(76_000);
  assert.deepEqual([timeline.openFrom, timeline.values], [2, [1, 2, 3, 4]]);
  assert.deepEqual(summarizeTimeline(timeline)?.peak, 2);
  assert.deepEqual(summarizeTimeline(await at(40_000))?.peak, 4, 'all of them are open');
});

const LEVEL = 'memory:inuse_space:bytes:space:bytes';
const LEVEL_SELECTION = { profileType: LEVEL, selector: '{service_name="a"}', start: 0, end: 300_000 };

test('levels: the mean of each series, held until its next snapshot, added up over the series', async () => {
  const asked: unknown[] = [];
  const client = testClient({
    labelNames: async (range, matchers) => {
      asked.push([range, matchers]);
      return ['pod', 'zone'];
    },
    selectSeries: async (selection, step, groupBy, _, aggregation) => {
      asked.push([selection.start, step, groupBy, aggregation]);
      const points = (...all: [number, number][]) =>
        all.map(([seconds, value]) => ({ timestamp: seconds * 1e3, value }));
      return [
        { labels: { pod: 'a' }, points: points([30, 100], [60, 100], [90, 110], [150, 100], [180, 100]) },
        // Every minute, and then no more.
        { labels: { pod: 'b' }, points: points([30, 7], [90, 8], [150, 9]) },
      ];
    },
  });
  const timeline = await loadTimeline(client, LEVEL_SELECTION, profileTypeText(LEVEL), 1e6, abort);
  assert.deepEqual(asked, [
    [{ start: 0, end: 300_000 }, ['{service_name="a"}']],
    [30_000, 30, ['pod', 'zone'], 'average'],
  ]);
  assert.deepEqual(timeline.values, [107, 107, 118, 118, 109, 109, 109, 9, null, null]);
  assert.equal(timeline.seriesCount, 2);
});

test('of a level the mean of its snapshots is shown, and called so', async () => {
  const asked: unknown[] = [];
  const load = (mean: number | undefined) => {
    const client = testClient({
      flameGraph: async () => collapsedTree('a 300', 'b 100'),
      selectSeries: async (selection, step, _, __, aggregation) => {
        asked.push([selection.start, selection.end, step, aggregation]);
        return mean === undefined ? [] : [{ labels: {}, points: [{ timestamp: selection.end, value: mean }] }];
      },
    });
    return loadProfile(client, LEVEL_SELECTION, abort);
  };
  const four = await load(100);
  assert.deepEqual(asked, [[299_999, 299_999, 300, 'average']], 'one step, which ends before the end');
  assert.deepEqual(four.snapshots, { divisor: 4, note: 'mean of 4 snapshots', prefix: 'Mean ' });
  assert.equal(four.tree.total[0], 400, 'the tree keeps whole numbers');
  assert.deepEqual((await load(400)).snapshots, { divisor: 1, note: 'one snapshot', prefix: '' });
  assert.equal((await load(99)).snapshots.note, 'mean of 4 snapshots', 'one came in between the questions');
  assert.deepEqual((await load(undefined)).snapshots, { divisor: 1, note: 'sum of all snapshots', prefix: '' });
});

test('a profile is asked for whole; an "other" in a whole tree is a function', async () => {
  const tree = collapsedTree('a;other 3', 'b 1');
  const client = testClient({
    flameGraph: async (_, maxNodes) => {
      assert.equal(maxNodes, NODES_MAX);
      return tree;
    },
  });
  const profile = await loadProfile(client, { profileType: CPU, selector: '{}', start: 0, end: 1 }, abort);
  assert.equal(profile.tree.total[0], 4);
  assert.deepEqual(profile.cut, { name: -1, value: 0 });
});

test('in a tree as large as was asked for, "other" is what was cut off', () => {
  const lines = Array.from({ length: NODES_MAX + 1 }, (_, i) => `f${i} 2`);
  const profile = profileData(treeOfLines([...lines, 'other 7']), CPU);
  assert.equal(profile.tree.names[profile.cut.name], 'other');
  assert.equal(profile.cut.value, 7);
});
