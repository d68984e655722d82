import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Selection } from '@pilotlight/protocol';
import { ExpressionSearch } from '../search/expression-search.js';
import { TestAddressBar } from '../testing/address-bar.js';
import { collapsedTree } from '../testing/collapsed-tree.js';
import { settled, testClient } from '../testing/test-client.js';
import { View } from '../view/view.js';
import { Clock } from './clock.js';
import { PageStore } from './page-store.js';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const MEMORY = 'memory:alloc_space:bytes:space:bytes';

function storeOf(query: string, series: Record<string, string>[]) {
  const asked: Selection[] = [];
  const time = { now: 10_000_000 };
  const client = testClient({
    series: async () => series,
    status: async () => ({ series: series.length }) as never,
    flameGraph: async (selection) => {
      asked.push(selection);
      return collapsedTree('a;b 7');
    },
    selectSeries: async () => [],
  });
  const bar = new TestAddressBar(query);
  const clock = new Clock(() => time.now);
  const noThread = new ExpressionSearch(() => assert.fail('no search thread is needed here'));
  const store = new PageStore(client, new View(bar), clock, noThread);
  return { store, bar, asked, time, clock };
}

test('the first service and its most telling type are asked for once, and stand in the address', async () => {
  const { store, bar, asked } = storeOf('', [
    { service_name: 'shop', __profile_type__: MEMORY },
    { service_name: 'shop', __profile_type__: CPU },
  ]);
  const stop = store.start(() => true);
  await settled();
  assert.deepEqual(asked, [{ profileType: CPU, selector: '{service_name="shop"}', start: 6_400_000, end: 10_000_000 }]);
  assert.equal(bar.read(), new URLSearchParams({ service: 'shop', type: CPU }).toString());
  assert.equal(store.profile.data.value?.tree.total[0], 7);
  assert.equal(store.isEmpty, false);
  stop();
});

test('labels become a selector, and their signs stay theirs', async () => {
  const query = new URLSearchParams([
    ['service', 'a"b'],
    ['type', CPU],
    ['label', 'pod=x\\y'],
    ['label', 'process.runtime.name!=node'],
  ]);
  const { asked } = storeOf(query.toString(), []);
  await settled();
  assert.equal(asked[0]?.selector, '{service_name="a\\"b", pod="x\\\\y", "process.runtime.name"!="node"}');
});

test('nothing kept at all is another thing than nothing in this range', async () => {
  const empty = storeOf('', []);
  assert.equal(empty.store.isEmpty, undefined, 'not known yet');
  await settled();
  assert.equal(empty.store.isEmpty, true);
});

test('a refresh asks anew for a range that moves along, pauses, and rests while nobody looks', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const { store, asked, time, clock } = storeOf(`service=shop&type=${CPU}&refresh=10`, [
    { service_name: 'shop', __profile_type__: CPU },
  ]);
  let visible = true;
  const stop = store.start(() => visible);
  const later = async (seconds: number) => {
    time.now += seconds * 1_000;
    mock.timers.tick(seconds * 1_000);
    await settled();
  };
  await settled();
  assert.equal(asked.length, 1);
  await later(10);
  assert.equal(asked.at(-1)?.end, 10_010_000);
  visible = false;
  await later(10);
  assert.equal(asked.length, 2);
  visible = true;
  clock.paused.value = true;
  await later(10);
  assert.equal(asked.length, 2);
  clock.paused.value = false;
  await later(10);
  assert.equal(asked.at(-1)?.end, 10_040_000);
  store.view.change({ range: { kind: 'fixed', start: 1_000, end: 5_000 } });
  await settled();
  const before = asked.length;
  await later(30);
  assert.equal(asked.length, before, 'a fixed range does not move along');
  stop();
});
