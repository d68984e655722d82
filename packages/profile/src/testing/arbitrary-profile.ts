import fc from 'fast-check';
import { SampleTableBuilder, StackTableBuilder } from '../builder.js';
import type { Profile, ValueType } from '../model.js';

/** Few names, so that stacks meet; among them every sign that a format gives a meaning. */
const NAMES = [
  'main',
  'a',
  'b',
  'other',
  'total',
  '',
  ' x',
  'y ',
  'a;b',
  'c\nd',
  'e 7',
  '#f',
  '\u241b',
  '\u241b3B',
  'é',
  '🙂',
  '\r',
  '\t',
  'p\\q',
  '__proto__',
];

export const TWO_TYPES: readonly ValueType[] = [
  { type: 'samples', unit: 'count' },
  { type: 'cpu', unit: 'nanoseconds' },
];

/** One sample as drawn by chance: stack root first, labels, one value a type. */
export interface ArbitrarySample {
  readonly stack: readonly { readonly name: string; readonly line: number; readonly isInlined: boolean }[];
  readonly thread: string;
  readonly values: readonly number[];
}

export const arbitrarySamples: fc.Arbitrary<ArbitrarySample[]> = fc.array(
  fc.record({
    stack: fc.array(fc.record({ name: fc.constantFrom(...NAMES), line: fc.nat(3), isInlined: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    }),
    thread: fc.constantFrom('', 'one', 'two'),
    values: fc.tuple(
      fc.nat(1000),
      fc.maxSafeNat().map((value) => Math.floor(value / 1_000_000)),
    ),
  }),
  { maxLength: 40 },
);

export function profileOf(samplesDrawn: readonly ArbitrarySample[]): Profile {
  const stacks = new StackTableBuilder();
  const samples = new SampleTableBuilder(TWO_TYPES.length);
  for (const { stack, thread, values } of samplesDrawn) {
    const leaf = stacks.stack(
      stack.map(({ name, line, isInlined }, depth) => {
        const kind = isInlined && depth > 0 ? 'inlined' : 'unknown';
        return stacks.frame(stacks.string(name), 0, 0, 0, line, kind);
      }),
    );
    samples.addAll(leaf, samples.labelSet(thread === '' ? [] : [{ name: 'thread', value: thread }]), values);
  }
  return {
    stacks: stacks.finish(),
    ...samples.finish(),
    sampleTypes: TWO_TYPES,
    periodType: undefined,
    period: 0,
    timeNanos: 0n,
    durationNanos: 0,
  };
}
