import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals';
import { settled } from '../testing/test-client.js';
import { resource } from './resource.js';

/** Requests that wait until the test answers them. */
function openRequests() {
  const open: { request: string; abort: AbortSignal; answer(text: string): void; fail(error: Error): void }[] = [];
  const load = (request: string, abort: AbortSignal) =>
    new Promise<string>((answer, fail) => {
      open.push({ request, abort, answer, fail });
    });
  return { open, load };
}

test('the answer to the last request counts, whatever the order they come in', async () => {
  const { open, load } = openRequests();
  const request = signal<string | undefined>('a');
  const asked = resource(request, load);
  request.value = 'b';
  assert.equal(open[0]?.abort.aborted, true);
  open[1]?.answer('B');
  await settled();
  open[0]?.answer('A');
  await settled();
  assert.deepEqual([asked.data.value, asked.loading.value], ['B', false]);
  asked.stop();
});

test('what was there stays until something newer is, also when that fails', async () => {
  const { open, load } = openRequests();
  const request = signal<string | undefined>('a');
  const asked = resource(request, load);
  open[0]?.answer('A');
  await settled();
  request.value = 'b';
  assert.deepEqual([asked.data.value, asked.loading.value], ['A', true]);
  open[1]?.fail(new Error('away'));
  await settled();
  assert.deepEqual([asked.data.value, asked.error.value?.message, asked.loading.value], ['A', 'away', false]);
  request.value = 'c';
  open[2]?.answer('C');
  await settled();
  assert.deepEqual([asked.data.value, asked.error.value], ['C', undefined]);
  asked.stop();
});

test('what was there goes when the answer about another thing does not come', async () => {
  const { open, load } = openRequests();
  const request = signal<string | undefined>('shop 1');
  const asked = resource(request, load, (a, b) => a.split(' ')[0] === b.split(' ')[0]);
  open[0]?.answer('SHOP');
  await settled();
  request.value = 'shop 2';
  open[1]?.fail(new Error('away'));
  await settled();
  assert.equal(asked.data.value, 'SHOP', 'the same, at another time');
  request.value = 'till 2';
  assert.equal(asked.data.value, 'SHOP', 'until it is known');
  open[2]?.fail(new Error('away'));
  await settled();
  assert.equal(asked.data.value, undefined);
  asked.stop();
});

test('no request asks for nothing', () => {
  const { open, load } = openRequests();
  const asked = resource(signal<string | undefined>(undefined), load);
  assert.deepEqual([open.length, asked.loading.value], [0, false]);
  asked.stop();
});
