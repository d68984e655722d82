import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { callTree } from '../call-tree.js';
import type { Profile } from '../model.js';
import { arbitrarySamples, profileOf } from '../testing/arbitrary-profile.js';
import { profileFromStacks, stacksOf, totalsOf } from '../testing/stack-drawing.js';
import { readPprof } from './decode.js';
import { writePprof } from './encode.js';

const readBack = (profile: Profile) => {
  const { profiles, refusals } = readPprof(writePprof(profile));
  assert.deepEqual(refusals, []);
  return profiles[0]?.profile as Profile;
};

describe('writePprof', () => {
  it('gives back everything the format has a place for', () => {
    const profile: Profile = {
      ...profileFromStacks('a;b {t=1,u=é} 5 -7\na;c:3 2 0', [
        { type: 'live', unit: 'count' },
        { type: 'inuse_space', unit: 'bytes' },
      ]),
      periodType: { type: 'space', unit: 'bytes' },
      period: 524_288,
      timeNanos: 1_716_289_943_109_000_001n,
      durationNanos: Number.MAX_SAFE_INTEGER,
    };
    const back = readBack(profile);
    assert.deepEqual(stacksOf(back), stacksOf(profile));
    const { sampleTypes, periodType, period, timeNanos, durationNanos, labelSets } = profile;
    assert.deepEqual(
      [back.sampleTypes, back.periodType, back.period, back.timeNanos, back.durationNanos, back.labelSets],
      [sampleTypes, periodType, period, timeNanos, durationNanos, labelSets],
    );
    assert.deepEqual([...back.stacks.frames.line].sort(), [0, 0, 3]);
  });

  it('writes only what the samples use', () => {
    const shared = profileFromStacks('a;b 5\nunused;too 1');
    const one = { ...shared, samples: { ...shared.samples, length: 1 } };
    assert.deepEqual(readBack(one).stacks.strings, ['', 'a', 'b']);
    assert.ok(!new TextDecoder('latin1').decode(writePprof(one)).includes('unused'));
  });

  it('takes names longer than a length byte, and 3,000 frames', () => {
    const name = 'n'.repeat(300);
    assert.deepEqual(stacksOf(readBack(profileFromStacks(`${name};é${name} 1`))), [`${name};é${name} 1`]);
    const deep = `${Array(3000).fill('f').join(';')} 7`;
    assert.deepEqual(stacksOf(readBack(profileFromStacks(deep))), [deep]);
  });

  it('loses nothing: write, read, compare', () => {
    fc.assert(
      fc.property(arbitrarySamples, (samples) => {
        const profile = profileOf(samples);
        const back = readBack(profile);
        assert.deepEqual(stacksOf(back), stacksOf(profile));
        assert.deepEqual(totalsOf(back), totalsOf(profile));
        assert.deepEqual(callTree(back, 1), callTree(profile, 1));
        assert.deepEqual(framesOf(back), framesOf(profile));
        assert.deepEqual(writePprof(readBack(back)), writePprof(back));
      }),
      { numRuns: 80 },
    );
  });
});

/** The frames of each sample with line and kind, sorted. */
function framesOf({ stacks, samples }: Profile): string[] {
  const lines: string[] = [];
  for (let i = 0; i < samples.length; i++) {
    const frames: string[] = [];
    for (let node = samples.node[i] as number; node !== -1; node = stacks.nodes.parent[node] as number) {
      const frame = stacks.nodes.frame[node] as number;
      const name = stacks.strings[stacks.frames.name[frame] as number];
      frames.push(JSON.stringify([name, stacks.frames.line[frame], stacks.frames.kind[frame]]));
    }
    lines.push(frames.join());
  }
  return lines.sort();
}
