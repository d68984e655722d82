import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { callTree } from './call-tree.js';
import { checkProfile } from './check.js';
import { PilotlightError } from './errors.js';
import { mergeProfiles } from './merge.js';
import { SAMPLE_VALUE_MAX } from './model.js';
import { arbitrarySamples, profileOf } from './testing/arbitrary-profile.js';
import { profileFromStacks, stacksOf } from './testing/stack-drawing.js';

const NANOS = { type: 'cpu', unit: 'nanoseconds' };

describe('mergeProfiles', () => {
  it('adds equal stacks with equal labels, and keeps lines apart', () => {
    const merged = mergeProfiles([
      profileFromStacks('a;b:1 5\na;b:2 1\na;b {t=1} 7'),
      profileFromStacks('x 1\na;b:1 2\na;b {t=1} 1\na;b {t=2} 3'),
    ]);
    assert.deepEqual(stacksOf(merged), ['a;b 1', 'a;b 7', 'a;b {t=1} 8', 'a;b {t=2} 3', 'x 1']);
    checkProfile(merged);
  });

  it('leaves out nodes that no sample uses', () => {
    const shared = profileFromStacks('a;b 5\nx;y;z 1');
    const one = { ...shared, samples: { ...shared.samples, length: 1 } };
    const merged = mergeProfiles([one, one]);
    assert.deepEqual(merged.stacks.strings, ['', 'a', 'b']);
    assert.deepEqual(stacksOf(merged), ['a;b 10']);
  });

  it('takes the earliest time, the sum of durations, and the period where all agree', () => {
    const base = { ...profileFromStacks('a 1'), periodType: NANOS, period: 10 };
    const one = { ...base, timeNanos: 0n, durationNanos: 5 };
    const two = { ...base, timeNanos: 9n, durationNanos: 6 };
    const three = { ...base, timeNanos: 7n, durationNanos: 0 };
    const merged = mergeProfiles([one, two, three, two]);
    assert.equal(merged.timeNanos, 7n);
    assert.equal(merged.durationNanos, 17);
    assert.deepEqual([merged.periodType, merged.period], [NANOS, 10]);
    const mixed = mergeProfiles([one, { ...two, period: 20 }]);
    assert.deepEqual([mixed.periodType, mixed.period], [undefined, 0]);
  });

  it('refuses no profiles, other sample types, and sums that are not exact', () => {
    const refusal = (code: string, message: RegExp) => (error: unknown) =>
      error instanceof PilotlightError && error.code === code && message.test(error.message);
    const a = profileFromStacks('a 1');
    assert.throws(() => mergeProfiles([]), refusal('malformed_profile', /no profiles/));
    assert.throws(
      () => mergeProfiles([a, profileFromStacks('a 1', [NANOS])]),
      refusal('malformed_profile', /profile 1 has the sample types cpu\/nanoseconds, the first has samples\/count/),
    );
    assert.throws(
      () => mergeProfiles([a, profileFromStacks(`a ${SAMPLE_VALUE_MAX}`)]),
      refusal('profile_size_limit', /sample 0 of profile 1/),
    );
  });

  it('gives the profile of all samples together, in any order', () => {
    fc.assert(
      fc.property(fc.array(arbitrarySamples, { minLength: 1, maxLength: 4 }), (parts) => {
        const whole = profileOf(parts.flat());
        const profiles = parts.map(profileOf);
        for (const merged of [mergeProfiles(profiles), mergeProfiles(profiles.reverse())]) {
          checkProfile(merged);
          assert.deepEqual(stacksOf(merged), stacksOf(whole));
          assert.deepEqual(callTree(merged, 1), callTree(whole, 1));
        }
      }),
      { numRuns: 40 },
    );
  });
});
