import assert from 'node:assert/strict';
import test from 'node:test';
import { REMEMBER_SECONDS, UploadIds } from './upload-ids.js';

test('remembers for an hour, and never more than the limit', () => {
  const ids = new UploadIds(3);
  ids.add('a', 100);
  ids.add('b', 101);
  assert.ok(ids.has('a'));
  ids.add('c', 101 + REMEMBER_SECONDS);
  assert.deepEqual([ids.has('a'), ids.has('b'), ids.has('c')], [false, true, true]);
  ids.add('d', 5_000);
  ids.add('e', 5_000);
  assert.equal(ids.size, 3);
  assert.ok(!ids.has('b'));
  ids.remove('e');
  assert.ok(!ids.has('e'));
});
