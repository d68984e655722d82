import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffCallTrees } from '@pilotlight/profile';
import type { DiffSelection } from '@pilotlight/protocol';
import { Clock } from '../page/clock.js';
import { PageStore } from '../page/page-store.js';
import { ExpressionSearch } from '../search/expression-search.js';
import { TestAddressBar } from '../testing/address-bar.js';
import { collapsedTree } from '../testing/collapsed-tree.js';
import { settled, testClient } from '../testing/test-client.js';
import { View } from '../view/view.js';
import { CompareStore } from './compare-store.js';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;

function storeOf(compare: Record<string, string> | string[][]) {
  const asked: DiffSelection[] = [];
  const client = testClient({
    series: async () => [{ service_name: 'shop', __profile_type__: CPU }],
    status: async () => ({ series: 1, retention: { ageSeconds: 86_400, bytes: 0 } }) as never,
    flameGraph: async () => assert.fail('a comparison asks for no single graph'),
    diff: async (selection) => {
      asked.push(selection);
      return diffCallTrees(collapsedTree('a;b 7', 'a 3'), collapsedTree('a;b 10'));
    },
    selectSeries: async () => [],
  });
  const query = new URLSearchParams([['service', 'shop'], ['type', CPU], ...new URLSearchParams(compare)]);
  const bar = new TestAddressBar(query.toString());
  const noThread = () => new ExpressionSearch(() => assert.fail('no search thread is needed here'));
  const page = new PageStore(client, new View(bar), new Clock(() => NOW), noThread());
  return { store: new CompareStore(page, noThread()), asked, bar };
}

test('both sides are asked for at once: labels and ranges of each', async () => {
  const { asked } = storeOf([
    ['compare', '1d-before'],
    ['compare.label', 'pod=a'],
    ['label', 'pod=b'],
  ]);
  await settled();
  assert.deepEqual(asked, [
    {
      profileType: CPU,
      left: {
        profileType: CPU,
        selector: '{service_name="shop", pod="a"}',
        start: NOW - 25 * HOUR,
        end: NOW - 24 * HOUR,
      },
      right: { profileType: CPU, selector: '{service_name="shop", pod="b"}', start: NOW - HOUR, end: NOW },
    },
  ]);
});

test('how it is compared, sorted and searched asks nothing anew', async () => {
  const { store, asked, bar } = storeOf({ compare: 'before' });
  await settled();
  store.change({ basis: 'value' });
  store.change({ of: 'self', sort: { column: 'name', descending: false } }, 'replace');
  store.view.change({ search: 'b' });
  await settled();
  assert.equal(asked.length, 1);
  assert.equal(store.profile.data.value?.basis, 'value');
  assert.match(bar.read(), /compare=before&compare\.by=value&compare\.of=self&compare\.sort=name$/);
  const { result } = store.search;
  assert.ok(result.kind === 'found' && result.summary.frameCount === 1);
});

test('swapped sides ask for the other way round, and the browser goes back', async () => {
  const { store, asked, bar } = storeOf({ compare: 'before' });
  await settled();
  store.swap();
  await settled();
  const [first, second] = asked as [DiffSelection, DiffSelection];
  assert.deepEqual([second.left, second.right], [first.right, first.left]);
  bar.back();
  await settled();
  assert.deepEqual(asked[2], first);
});

test('a frame keeps its link from the single view to the comparison', async () => {
  const { store } = storeOf({ compare: 'before' });
  await settled();
  store.flame.select(2);
  assert.equal(store.view.peek().frame?.name, 'b');
  assert.equal(store.flame.selected, 2);
});
