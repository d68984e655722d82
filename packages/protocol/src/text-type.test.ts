import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textType } from './text-type.js';

test('the type of a text upload, from the end of its name', () => {
  const named: [string, string, string][] = [
    ['shop.cpu', 'shop', 'process_cpu:cpu:nanoseconds:cpu:nanoseconds'],
    ['shop.itimer', 'shop', 'process_cpu:cpu:nanoseconds:cpu:nanoseconds'],
    ['shop.wall', 'shop', 'wall:wall:nanoseconds:cpu:nanoseconds'],
    ['my.shop.alloc_objects', 'my.shop', 'memory:alloc_objects:count::'],
    ['shop.inuse_space', 'shop', 'memory:inuse_space:bytes::'],
    ['shop.alloc_in_new_tlab_bytes', 'shop', 'memory:alloc_in_new_tlab_bytes:bytes::'],
    ['shop.live', 'shop', 'memory:live:count::'],
    ['shop.goroutines', 'shop', 'goroutine:goroutines:count::'],
    ['shop.mutex_count', 'shop', 'mutex:contentions:count::'],
    ['shop.mutex_duration', 'shop', 'mutex:delay:nanoseconds::'],
    ['shop.lock_count', 'shop', 'block:contentions:count::'],
    ['shop.block_duration', 'shop', 'block:delay:nanoseconds::'],
    ['shop.exceptions', 'shop', 'exceptions:samples:count::'],
    // A dot in a name is just a dot.
    ['my.service', 'my.service', 'process_cpu:cpu:nanoseconds:cpu:nanoseconds'],
    ['.cpu', '.cpu', 'process_cpu:cpu:nanoseconds:cpu:nanoseconds'],
    ['shop.', 'shop.', 'process_cpu:cpu:nanoseconds:cpu:nanoseconds'],
    ['shop.toString', 'shop.toString', 'process_cpu:cpu:nanoseconds:cpu:nanoseconds'],
  ];
  for (const [name, service, id] of named) {
    const type = textType(name, 'samples');
    assert.equal(type.service, service);
    assert.equal(
      [type.metric, type.sampleType.type, type.sampleType.unit, type.periodType?.type, type.periodType?.unit].join(':'),
      id,
      name,
    );
    assert.equal(type.timesPeriod, /^(process_cpu|wall)/.test(id), name);
  }
});

test('… or from its units', () => {
  const metrics = ['', 'samples', 'objects', 'bytes', 'goroutines', 'lock_samples', 'lock_nanoseconds'].map(
    (units) => textType('shop', units).metric,
  );
  assert.deepEqual(metrics, ['process_cpu', 'process_cpu', 'memory', 'memory', 'goroutine', 'mutex', 'mutex']);
  assert.throws(() => textType('shop', 'furlongs'), {
    code: 'unknown_profile_type',
    message: /^units="furlongs" is not one of samples, objects, /,
  });
});
