import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallTree } from '@pilotlight/profile';
import { signal } from '@preact/signals';
import { type ProfileData, profileData } from '../data/profile-data.js';
import { TestAddressBar } from '../testing/address-bar.js';
import { collapsedTree, nameOf, nodeNamed } from '../testing/collapsed-tree.js';
import { View } from '../view/view.js';
import { FlameState } from './flame-state.js';

function dataOf(tree: CallTree): ProfileData {
  return profileData(tree, 'process_cpu:cpu:nanoseconds::');
}

function stateOf(...lines: string[]) {
  const profile = signal<ProfileData | undefined>(dataOf(collapsedTree(...lines)));
  const bar = new TestAddressBar();
  const flame = new FlameState(new View(bar), profile);
  const tree = () => (profile.value as ProfileData).tree;
  return {
    flame,
    bar,
    node: (name: string) => nodeNamed(tree(), name),
    selected: () => nameOf(tree(), flame.selected),
    zoomed: () => nameOf(tree(), flame.zoomed),
    refresh: (...fresh: string[]) => {
      profile.value = dataOf(collapsedTree(...fresh));
    },
  };
}

test('zooming shows the frame in full width, and steps back', () => {
  const { flame, bar, node, selected, zoomed } = stateOf('a;b 30', 'a;c 30', 'd 40');
  assert.deepEqual(flame.horizontal, { start: 0, end: 1 });
  flame.zoomTo(node('a'));
  assert.deepEqual([zoomed(), selected(), flame.horizontal], ['a', 'a', { start: 0, end: 0.6 }]);
  flame.zoomTo(node('c'));
  assert.deepEqual(flame.horizontal, { start: 0.3, end: 0.6 });
  flame.zoomBack();
  assert.equal(zoomed(), 'a');
  bar.back();
  assert.equal(zoomed(), 'c', 'each step is one of the browser, too');
  flame.resetZoom();
  assert.deepEqual([zoomed(), flame.isZoomed, selected()], ['total', false, 'c']);
});

test('a refresh moves neither the selection nor the zoom', () => {
  const { flame, node, selected, zoomed, refresh } = stateOf('a;b 30', 'd 40');
  flame.zoomTo(node('a'));
  flame.select(node('b'));
  refresh('0 10', 'a;a 5', 'a;b 30', 'd 55');
  assert.deepEqual([selected(), zoomed(), flame.notice], ['b', 'a', undefined]);
  assert.deepEqual(flame.horizontal, { start: 0.1, end: 0.45 });
});

test('a frame that is gone for a while comes back', () => {
  const { flame, node, selected, refresh } = stateOf('a;b;c 30', 'd 40');
  flame.select(node('c'));
  assert.equal(selected(), 'c');
  refresh('a;b 1', 'd 40');
  assert.equal(selected(), 'b');
  assert.match(flame.notice ?? '', /^c is not here now; its nearest caller is selected/);
  refresh('d 40');
  assert.equal(selected(), undefined);
  assert.equal(flame.notice, 'c is not in this profile.');
  refresh('a;b;c 3', 'd 40');
  assert.deepEqual([selected(), flame.notice], ['c', undefined]);
});

test('by hand one comes closer to a place, never beyond the ends', () => {
  const { flame } = stateOf('a 50', 'b 50');
  flame.scale(0.5, 1);
  assert.deepEqual(flame.horizontal, { start: 0.5, end: 1 });
  flame.pan(0.5);
  assert.deepEqual(flame.horizontal, { start: 0.5, end: 1 });
  flame.pan(-0.5);
  assert.deepEqual(flame.horizontal, { start: 0.25, end: 0.75 });
  flame.scale(100, 0.5);
  assert.deepEqual(flame.horizontal, { start: 0, end: 1 });
});

test('what is revealed is wide enough to be seen, and its surroundings too', () => {
  const { flame, node, selected, zoomed } = stateOf('a;b;thin 1', 'a;b;wide 99', 'a;other 900', 'z 9000');
  flame.reveal(node('thin'), 0.005);
  assert.deepEqual([selected(), zoomed()], ['thin', 'b'], '1 of 100 is wide enough, 1 of 1,000 is not');
  flame.reveal(node('z'), 0.005);
  assert.deepEqual([selected(), zoomed()], ['z', 'total'], 'what lies outside the zoom ends it');
  flame.reveal(node('other'), 0.005);
  assert.deepEqual([selected(), zoomed()], ['other', 'total'], 'what can be seen moves nothing');
});
