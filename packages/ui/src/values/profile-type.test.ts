import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostTelling, profileTypeText, rateOf } from './profile-type.js';

test('a profile type in words', () => {
  const title = (id: string) => profileTypeText(id).title;
  assert.equal(title('process_cpu:cpu:nanoseconds:cpu:nanoseconds'), 'CPU time');
  assert.equal(title('memory:alloc_in_new_tlab_bytes:bytes:space:bytes'), 'Allocated memory (new TLAB)');
  assert.equal(title('off_cpu:off_cpu:nanoseconds::'), 'off cpu');
  assert.equal(title('my_thing:some_type:count::'), 'my thing: some type');
  assert.equal(title('nonsense'), 'nonsense');
});

test('over time, CPU is cores, wall time is threads, and what is a level stays as it is', () => {
  const rate = (id: string, value: number) => rateOf(value, 10, profileTypeText(id));
  assert.equal(rate('process_cpu:cpu:nanoseconds:cpu:nanoseconds', 25e9), 2.5);
  assert.equal(rate('wall:wall:nanoseconds:cpu:nanoseconds', 40e9), 4);
  assert.equal(rate('memory:alloc_space:bytes:space:bytes', 1_000), 100);
  assert.equal(rate('memory:inuse_space:bytes:space:bytes', 1_000), 1_000);
});

test('one opens with where time goes, then with what is allocated', () => {
  assert.equal(mostTelling(['wall:wall:n', 'memory:alloc_space:b', 'process_cpu:cpu:n']), 'process_cpu:cpu:n');
  assert.equal(mostTelling(['mutex:delay:n', 'memory:inuse_space:b', 'memory:alloc_space:b']), 'memory:alloc_space:b');
  assert.equal(mostTelling(['x:y:z']), 'x:y:z');
  assert.equal(mostTelling([]), '');
});
