import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProfileTypeInfo } from '@pilotlight/protocol';
import { chooseProfileType } from './profile-type.js';

const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const WALL = 'wall:wall:nanoseconds:cpu:nanoseconds';
const OBJECTS = 'memory:alloc_objects:count:space:bytes';
const SPACE = 'memory:alloc_space:bytes:space:bytes';

function types(...ids: string[]): ProfileTypeInfo[] {
  return ids.map((id) => {
    const [name = '', sampleType = '', sampleUnit = '', periodType = '', periodUnit = ''] = id.split(':');
    return { id, name, sampleType, sampleUnit, periodType, periodUnit };
  });
}

test('a whole id, a sample type, a name, or both', () => {
  const all = types(CPU, WALL, OBJECTS, SPACE);
  assert.equal(chooseProfileType(all, WALL), WALL);
  assert.equal(chooseProfileType(all, 'cpu'), CPU);
  assert.equal(chooseProfileType(all, 'process_cpu'), CPU);
  assert.equal(chooseProfileType(all, 'memory:alloc_space'), SPACE);
});

test('without a wish: CPU time, or the only one', () => {
  assert.equal(chooseProfileType(types(SPACE, CPU), undefined), CPU);
  assert.equal(chooseProfileType(types(SPACE), undefined), SPACE);
});

test('what is not clear is refused with the choice there is', () => {
  const all = types(OBJECTS, SPACE);
  const choice = { code: 'unknown_profile_type', message: new RegExp(`there are ${OBJECTS}, ${SPACE}`) };
  assert.throws(() => chooseProfileType(all, 'memory'), choice);
  assert.throws(() => chooseProfileType(all, 'heap'), choice);
  assert.throws(() => chooseProfileType(all, undefined), choice);
});

test('nothing stored in the range', () => {
  assert.throws(() => chooseProfileType([], 'cpu'), { code: 'not_found' });
});
