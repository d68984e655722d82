import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stackFrameCount } from './stack-frame-count.js';
import { profileFromStacks } from './testing/stack-drawing.js';

it('counts the frames of every stack, shared or not', () => {
  assert.equal(stackFrameCount(profileFromStacks('a;b;c 5\na;b;d 1\na 7\ne;f 1')), 3 + 3 + 1 + 2);
  assert.equal(stackFrameCount(profileFromStacks('')), 0);
});
