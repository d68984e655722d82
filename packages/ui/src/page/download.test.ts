import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downloadName } from './download.js';

test('a download is named after what is in it, and nothing in the name is a path', () => {
  assert.equal(downloadName('shop', 'process_cpu:cpu:nanoseconds:cpu:nanoseconds', 'pb'), 'shop-process_cpu-cpu.pb');
  assert.equal(downloadName('shop', 'wall:wall:nanoseconds::', 'pb'), 'shop-wall.pb');
  assert.equal(downloadName('../../etc/passwd', 'a:b', 'pb'), '_etc_passwd-a-b.pb');
  assert.equal(downloadName('', '', 'pb'), 'profile.pb');
});
