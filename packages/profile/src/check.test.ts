import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkProfile } from './check.js';
import { PilotlightError } from './errors.js';
import type { Profile } from './model.js';
import { profileFromStacks } from './testing/stack-drawing.js';

const good = profileFromStacks('a;b {t=1} 5\na;c 2');
const { stacks, samples } = good;
const { frames, nodes } = stacks;

const withFrames = (change: Partial<typeof frames>): Profile => ({
  ...good,
  stacks: { ...stacks, frames: { ...frames, ...change } },
});
const withNodes = (change: Partial<typeof nodes>): Profile => ({
  ...good,
  stacks: { ...stacks, nodes: { ...nodes, ...change } },
});
const withSamples = (change: Partial<typeof samples>): Profile => ({ ...good, samples: { ...samples, ...change } });

const BROKEN: [RegExp, Profile][] = [
  [/string 0 is not empty/, { ...good, stacks: { ...stacks, strings: ['x', 'a', 'b', 'c'] } }],
  [/a string occurs twice/, { ...good, stacks: { ...stacks, strings: ['', 'a', 'a', 'c'] } }],
  [/frame name 2 is 4, outside \[0, 4\)/, withFrames({ name: Int32Array.of(1, 2, 4) })],
  [/frame systemName 0 is -1/, withFrames({ systemName: Int32Array.of(-1, 0, 0) })],
  [/frame file 1 is 9/, withFrames({ file: Int32Array.of(0, 9, 0) })],
  [/frame line 0 is -3/, withFrames({ line: Int32Array.of(-3, 0, 0) })],
  [/frame startLine 0 is -3/, withFrames({ startLine: Int32Array.of(-3, 0, 0) })],
  [/frame kind 1 is 200/, withFrames({ kind: Uint8Array.of(0, 200, 0) })],
  [/column frame kind has 1 of 3/, withFrames({ kind: Uint8Array.of(0) })],
  [/node frame 0 is 3/, withNodes({ frame: Int32Array.of(3, 1, 2) })],
  [/node parent 0 is -2/, withNodes({ parent: Int32Array.of(-2, 0, 0) })],
  [/node 1 comes before its parent 2/, withNodes({ parent: Int32Array.of(-1, 2, 0) })],
  [/node 0 comes before its parent 0/, withNodes({ parent: Int32Array.of(0, 0, 0) })],
  [/node 2 occurs twice/, withNodes({ frame: Int32Array.of(0, 1, 1) })],
  [/no sample type/, { ...good, sampleTypes: [] }],
  [/1 values and 2 sample types/, { ...good, sampleTypes: [...good.sampleTypes, ...good.sampleTypes] }],
  [/sample node 0 is 3/, withSamples({ node: Int32Array.of(3, 2) })],
  [/sample node 0 is -1/, withSamples({ node: Int32Array.of(-1, 2) })],
  [/sample label set 1 is 2/, withSamples({ labelSet: Int32Array.of(1, 2) })],
  [/sample 1 occurs twice/, withSamples({ node: Int32Array.of(1, 1), labelSet: Int32Array.of(1, 1) })],
  [/a value of sample 1 is 0.5/, withSamples({ values: [Float64Array.of(1, 0.5)] })],
  [/a value of sample 0 is NaN/, withSamples({ values: [Float64Array.of(Number.NaN, 0)] })],
  [/a value of sample 0 is 9007199254740992/, withSamples({ values: [Float64Array.of(2 ** 53, 0)] })],
  [/a value column has 1 of 2/, withSamples({ values: [Float64Array.of(1)] })],
  [/label set 0 is not empty/, { ...good, labelSets: [[{ name: 'a', value: 'b' }], []] }],
  [
    /labels of set 1 are not sorted/,
    {
      ...good,
      labelSets: [
        [],
        [
          { name: 'b', value: '' },
          { name: 'a', value: '' },
        ],
      ],
    },
  ],
  [
    /labels of set 1 are not sorted/,
    {
      ...good,
      labelSets: [
        [],
        [
          { name: 'a', value: '' },
          { name: 'a', value: '' },
        ],
      ],
    },
  ],
  [/period is -1/, { ...good, period: -1 }],
  [/duration is NaN/, { ...good, durationNanos: Number.NaN }],
  [/time is -1 ns/, { ...good, timeNanos: -1n }],
];

describe('checkProfile', () => {
  it('takes a good profile, and columns longer than the table', () => {
    checkProfile(good);
    checkProfile(withNodes({ parent: Int32Array.of(-1, 0, 0, 99), frame: Int32Array.of(0, 1, 2, -7) }));
  });

  for (const [message, profile] of BROKEN) {
    it(`refuses: ${message.source}`, () => {
      assert.throws(
        () => checkProfile(profile),
        (error) =>
          error instanceof PilotlightError && error.code === 'malformed_profile' && message.test(error.message),
      );
    });
  }
});
