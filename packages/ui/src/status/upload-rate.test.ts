import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uploadRate } from './upload-rate.js';

test('the rate is that between two answers; a start in between begins anew', () => {
  const at = (uploads: number, startedAt = 'a') => ({ uploads, startedAt });
  assert.equal(uploadRate({ latest: at(130), earlier: at(100), seconds: 10 }), '3.0 a second');
  assert.equal(uploadRate({ latest: at(5), earlier: at(100, 'before'), seconds: 5 }), '1.0 a second');
  assert.equal(uploadRate({ latest: at(9_100), earlier: at(100), seconds: 1 }), '9,000 a second');
  assert.equal(uploadRate({ latest: at(9), earlier: at(9), seconds: 0.2 }), 'counting …');
});
