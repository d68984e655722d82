import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { arbitrarySamples, profileOf } from '../testing/arbitrary-profile.js';
import { profileFromStacks, stacksOf, totalsOf } from '../testing/stack-drawing.js';
import { type SpeedscopeFile, writeSpeedscope } from './encode.js';

/** What speedscope's published schema asks of a file: required members, types, and no unit but its six. */
function check(file: SpeedscopeFile): void {
  assert.equal(file.$schema, 'https://www.speedscope.app/file-format-schema.json');
  for (const text of [file.name, file.exporter]) assert.equal(typeof text, 'string');
  assert.ok(Number.isInteger(file.activeProfileIndex) && file.activeProfileIndex < file.profiles.length);
  const isText = (value: unknown) => value === undefined || typeof value === 'string';
  for (const frame of file.shared.frames) {
    assert.deepEqual(
      Object.keys(frame).filter((key) => !['name', 'file', 'line', 'col'].includes(key)),
      [],
    );
    assert.ok(typeof frame.name === 'string' && isText(frame.file));
    assert.ok(frame.line === undefined || (Number.isInteger(frame.line) && frame.line > 0));
  }
  for (const profile of file.profiles) {
    assert.equal(profile.type, 'sampled');
    assert.equal(typeof profile.name, 'string');
    assert.ok(['none', 'nanoseconds', 'microseconds', 'milliseconds', 'seconds', 'bytes'].includes(profile.unit));
    assert.equal(profile.samples.length, profile.weights.length);
    assert.ok(profile.endValue >= profile.startValue);
    for (const frame of profile.samples.flat()) assert.ok(Number.isInteger(frame) && file.shared.frames[frame]);
    for (const weight of profile.weights) assert.ok(weight > 0);
  }
}

const written = (profile: Parameters<typeof writeSpeedscope>[0]): SpeedscopeFile => {
  const file = JSON.parse(writeSpeedscope(profile, 'a name')) as SpeedscopeFile;
  check(file);
  return file;
};

describe('writeSpeedscope', () => {
  it('writes functions, stacks root first, and weights', () => {
    const types = [
      { type: 'cpu', unit: 'nanoseconds' },
      { type: 'samples', unit: 'count' },
    ];
    const file = written(profileFromStacks('main;a:1 50 5\nmain;a:2 7 0\nmain;b -3 2', types));
    assert.deepEqual(file.shared.frames, [{ name: 'main' }, { name: 'a' }, { name: 'b' }]);
    assert.deepEqual(file.profiles, [
      {
        type: 'sampled',
        name: 'cpu',
        unit: 'nanoseconds',
        startValue: 0,
        endValue: 57,
        samples: [
          [0, 1],
          [0, 1],
        ],
        weights: [50, 7],
      },
      {
        type: 'sampled',
        name: 'samples',
        unit: 'none',
        startValue: 0,
        endValue: 7,
        samples: [
          [0, 1],
          [0, 2],
        ],
        weights: [5, 2],
      },
    ]);
  });

  it('keeps every stack and every total of what is not negative', () => {
    fc.assert(
      fc.property(arbitrarySamples, (drawn) => {
        const profile = profileOf(drawn);
        const { shared, profiles } = written(profile);
        profiles.forEach(({ samples, weights, endValue }, index) => {
          assert.equal(endValue, totalsOf(profile)[index]);
          const stacks = samples.map(
            (stack, i) => `${stack.map((f) => shared.frames[f]?.name).join(';')} ${weights[i]}`,
          );
          const plain = { ...profile, labelSets: profile.labelSets.map(() => []) };
          const expected = stacksOf(plain)
            .map((line) => line.split(' '))
            .map((words) => `${words.slice(0, -2).join(' ')} ${words.at(index - 2)}`);
          assert.deepEqual(stacks.sort(), expected.filter((line) => !line.endsWith(' 0')).sort());
        });
      }),
      { numRuns: 60 },
    );
  });
});
