import assert from 'node:assert/strict';
import test from 'node:test';
import { Semaphore } from './semaphore.js';

test('never runs more at once than there are places, in order, also after a failure', async () => {
  const semaphore = new Semaphore(2);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = (index: number) =>
    semaphore.use(async () => {
      order.push(index);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      if (index === 1) throw new Error('one fails');
    });
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map(work));
  assert.equal(most, 2);
  assert.deepEqual(order, [0, 1, 2, 3, 4]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
});
