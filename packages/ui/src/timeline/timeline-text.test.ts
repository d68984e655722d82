import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TimelineData } from '../data/timeline-data.js';
import { profileTypeText } from '../values/profile-type.js';
import { formatTime } from '../view/time-range.js';
import { captionText, pointText, sentence } from './timeline-text.js';

const plain = (text: string) => text.replaceAll('\u00a0', ' ');

const CPU: TimelineData = {
  start: 0,
  end: 60_000,
  type: profileTypeText('process_cpu:cpu:nanoseconds:cpu:nanoseconds'),
  stepSeconds: 15,
  times: [15, 30, 45, 60],
  values: [0.016, null, 0.5, 0.1],
  openFrom: 3,
  seriesCount: 1,
};

test('a caption tells which time the mean is of', () => {
  const caption = captionText(CPU);
  assert.equal(plain(caption?.mean ?? ''), 'mean 0.26 cores');
  assert.equal(plain(caption?.note ?? ''), 'over the 30.0 s with data');
  assert.equal(plain(caption?.peak ?? ''), `peak 0.50 cores at ${formatTime(45_000).slice(11)}`);
  assert.equal(captionText({ ...CPU, values: [1, 1, 1, 1] })?.note, '', 'no gap, nothing to tell');
  assert.equal(captionText({ ...CPU, values: [] }), undefined);
  assert.match(plain(sentence(CPU)), /^CPU time from .*: mean 0\.26 cores \(over the 30\.0 s with data\), peak/);
  assert.match(sentence({ ...CPU, values: [] }), /: no data$/);
});

test('a caption tells how many series stand on each other in a level, and its unit alone', () => {
  const type = profileTypeText('memory:inuse_space:bytes:space:bytes');
  const caption = captionText({ ...CPU, type, values: [2048, 2048, 2048, null], seriesCount: 3 });
  assert.deepEqual([plain(caption?.mean ?? ''), caption?.note], ['mean 2.00 KiB', '3 series together']);
});

test('a point has its value and whether more is to come', () => {
  assert.equal(plain(pointText(CPU, 0)), `${formatTime(15_000)}  0.016 cores`);
  assert.equal(pointText(CPU, 1), '');
  assert.match(pointText(CPU, 3), /, not complete yet$/);
  const rate = { ...CPU, type: profileTypeText('memory:alloc_space:bytes:space:bytes'), values: [1024] };
  assert.match(plain(pointText(rate, 0)), /1\.00 KiB per second$/);
});
