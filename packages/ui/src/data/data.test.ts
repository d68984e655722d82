import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFlamebearer } from '@pilotlight/profile';
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
    [15, 15, 120, 600, 3_600],
  );
  assert.equal(timelineStep(minutes(60 * 24 * 400)), 2 * 86_400);
});

test('a timeline has a place for each step and cores for CPU time', async () => {
  const asked: unknown[] = [];
  const client = testClient({
    selectSeries: async (selection, step) => {
      asked.push([selection.start, selection.end, step]);
      return [
        { labels: {}, points: [{ timestamp: 15_000, value: 30e9 }] },
        {
          labels: {},
          points: [
            { timestamp: 15_000, value: 15e9 },
            { timestamp: 45_000, value: 7.5e9 },
          ],
        },
      ];
    },
  });
  const selection = { profileType: CPU, selector: '{}', start: 10_000, end: 50_000 };
  const timeline = await loadTimeline(client, selection, profileTypeText(CPU), abort);
  assert.deepEqual(asked, [[0, 60_000, 15]]);
  assert.deepEqual(timeline.times, [0, 15, 30, 45, 60]);
  assert.deepEqual(timeline.values, [null, 3, null, 0.5, null]);
  assert.deepEqual(summarizeTimeline(timeline), { peak: 3, peakTime: 15_000, mean: 1.75 });
  assert.equal(summarizeTimeline({ ...timeline, values: [null] }), undefined);
});

test('a profile comes from a flamebearer; an "other" in a whole tree is a function', async () => {
  const tree = collapsedTree('a;other 3', 'b 1');
  const client = testClient({
    selectMergeStacktraces: async (_, maxNodes) => {
      assert.equal(maxNodes, NODES_MAX);
      return toFlamebearer(tree);
    },
  });
  const profile = await loadProfile(client, { profileType: CPU, selector: '{}', start: 0, end: 1 }, abort);
  assert.equal(profile.tree.total[0], 4);
  assert.deepEqual(profile.cut, { name: -1, value: 0 });
});

test('in a tree as large as was asked for, "other" is what was cut off', () => {
  const lines = Array.from({ length: NODES_MAX + 1 }, (_, i) => `f${i} 2`);
  const profile = profileData(treeOfLines([...lines, 'other 7']), {
    profileType: CPU,
    selector: '{}',
    start: 0,
    end: 1,
  });
  assert.equal(profile.tree.names[profile.cut.name], 'other');
  assert.equal(profile.cut.value, 7);
});
