import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effect } from '@preact/signals';
import { TestAddressBar } from '../testing/address-bar.js';
import { View } from './view.js';

test('a change is written to the address, and the back button takes it away', () => {
  const bar = new TestAddressBar('service=shop');
  const view = new View(bar);
  view.change({ service: 'mail' });
  view.change({ search: 'x' }, 'replace');
  assert.equal(bar.read(), 'service=mail&search=x');
  bar.back();
  assert.deepEqual([view.get('service'), view.get('search')], ['shop', '']);
});

test('who reads one part is woken by that part alone', () => {
  const view = new View(new TestAddressBar());
  const seen: string[] = [];
  const stop = effect(() => {
    seen.push(view.get('search'));
  });
  view.change({ panes: 'graph' });
  view.change({ search: 'a' });
  view.change({ search: 'a' });
  assert.deepEqual(seen, ['', 'a']);
  stop();
});
