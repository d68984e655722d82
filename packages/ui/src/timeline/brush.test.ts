import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileTypeText } from '../values/profile-type.js';
import { brushedRange, moveBrush, NO_BRUSH } from './brush.js';

test('keys walk over the steps and stay among them; with shift they mark', () => {
  assert.deepEqual(moveBrush(NO_BRUSH, 'ArrowLeft', false, 30), { anchor: 29, at: 29 });
  assert.deepEqual(moveBrush({ anchor: 29, at: 29 }, 'ArrowRight', false, 30), { anchor: 29, at: 29 });
  assert.deepEqual(moveBrush({ anchor: 5, at: 5 }, 'ArrowLeft', true, 30), { anchor: 5, at: 4 });
  assert.deepEqual(moveBrush({ anchor: 5, at: 4 }, 'PageDown', true, 30), { anchor: 5, at: 7 });
  assert.deepEqual(moveBrush({ anchor: 5, at: 4 }, 'Home', false, 30), { anchor: 0, at: 0 });
  assert.equal(moveBrush(NO_BRUSH, 'x', false, 30), undefined);
  assert.equal(moveBrush(NO_BRUSH, 'End', false, 0), undefined);
});

test('what is marked are whole steps, whichever way it was marked', () => {
  const data = {
    start: 0,
    end: 1,
    type: profileTypeText('process_cpu:cpu:nanoseconds::'),
    stepSeconds: 30,
    times: [30, 60, 90, 120],
    values: [1, 1, 1, 1],
    openFrom: 4,
    seriesCount: 1,
  };
  assert.deepEqual(brushedRange(data, { anchor: 2, at: 1 }), [30_000, 90_000]);
  assert.deepEqual(brushedRange(data, { anchor: 3, at: 3 }), [90_000, 120_000]);
});
