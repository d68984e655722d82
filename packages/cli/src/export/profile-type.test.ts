import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseProfileType } from './profile-type.js';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const SAMPLES = 'process_cpu:samples:count:cpu:nanoseconds';
const WALL = 'wall:wall:nanoseconds:cpu:nanoseconds';
const OBJECTS = 'memory:alloc_objects:count:space:bytes';
const SPACE = 'memory:alloc_space:bytes:space:bytes';

test('a whole id, a sample type, a name, or both', () => {
  const all = [CPU, WALL, OBJECTS, SPACE];
  assert.equal(chooseProfileType(all, WALL), WALL);
  assert.equal(chooseProfileType(all, 'cpu'), CPU);
  assert.equal(chooseProfileType(all, 'process_cpu'), CPU);
  assert.equal(chooseProfileType(all, 'memory:alloc_space'), SPACE);
});

test('without a wish: CPU time, or the only one', () => {
  assert.equal(chooseProfileType([SPACE, SAMPLES, CPU], undefined), CPU);
  assert.equal(chooseProfileType([SPACE], undefined), SPACE);
});

test('what is not clear is refused with the choice there is', () => {
  const choice = { code: 'unknown_profile_type', message: new RegExp(`there are ${OBJECTS}, ${SPACE}$`) };
  for (const wanted of ['memory', 'heap', undefined]) {
    assert.throws(() => chooseProfileType([SPACE, OBJECTS], wanted), choice, wanted);
  }
});
