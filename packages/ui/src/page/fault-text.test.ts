import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultText } from './fault-text.js';

test('a server that is away is called so, whatever the browser; other faults keep their words', () => {
  for (const words of ['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed']) {
    assert.equal(faultText(new TypeError(words)), 'it cannot be reached');
  }
  assert.equal(faultText(new Error('Failed to fetch the 7th')), 'Failed to fetch the 7th');
  assert.equal(faultText(new TypeError('x is undefined')), 'x is undefined');
  assert.equal(faultText('plain'), 'plain');
});
