/** Profiles for tests, drawn as text: `main;a {pod=1,zone=b} 5 7`, a line a sample, root first, a number a sample type. */
import {
  type Profile,
  type Reading,
  SampleTableBuilder,
  StackTableBuilder,
  type ValueType,
  writePprof,
} from '@pilotlight/profile';

export const CPU: ValueType = { type: 'cpu', unit: 'nanoseconds' };

export function drawnProfile(
  drawing: string,
  { types = [CPU], ...rest }: Partial<Profile> & { types?: readonly ValueType[] } = {},
): Profile {
  const stacks = new StackTableBuilder();
  const samples = new SampleTableBuilder(types.length);
  for (const line of drawing.split('\n')) {
    const [, path = '', labels = '', values = ''] = /^(\S+)(?: \{(.*)\})? ([-\d ]+)$/.exec(line.trim()) ?? [];
    const leaf = stacks.stack(path.split(';').map((name) => stacks.frame(stacks.string(name))));
    const pairs = labels === '' ? [] : labels.split(',').map((pair) => pair.split('=') as [string, string]);
    const labelSet = samples.labelSet(pairs.map(([name, value]) => ({ name, value })));
    samples.addAll(leaf, labelSet, values.split(' ').map(Number));
  }
  return {
    stacks: stacks.finish(),
    ...samples.finish(),
    sampleTypes: types,
    periodType: CPU,
    period: 10_000_000,
    timeNanos: 0n,
    durationNanos: 0,
    ...rest,
  };
}

export function drawnPprof(...parameters: Parameters<typeof drawnProfile>): Uint8Array {
  return writePprof(drawnProfile(...parameters));
}

export function readingOf(...profiles: Profile[]): Reading {
  return {
    profiles: profiles.map((profile) => ({ metric: 'process_cpu', profile, labels: [], periodSource: '' })),
    refusals: [],
  };
}
