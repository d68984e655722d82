import { SampleTableBuilder, StackTableBuilder } from '../builder.js';
import type { LabelSet, Profile, ValueType } from '../model.js';

const SAMPLES: readonly ValueType[] = [{ type: 'samples', unit: 'count' }];

/**
 * A profile drawn as text, a line a sample: `a;b;c 5`, root first. With several sample types a line ends in as many
 * numbers; labels stand before them in braces, `a;b {thread=main} 5`; a frame may say its line, `a:12`.
 */
export function profileFromStacks(drawing: string, sampleTypes: readonly ValueType[] = SAMPLES): Profile {
  const stacks = new StackTableBuilder();
  const samples = new SampleTableBuilder(sampleTypes.length);
  for (const line of drawing.split('\n')) {
    if (line.trim() === '') continue;
    const words = line.trim().split(' ');
    const values = words.splice(words.length - sampleTypes.length).map(Number);
    const [path, labels] = splitLabels(words.join(' '));
    const leaf = stacks.stack(path.split(';').map((frame) => drawnFrame(stacks, frame)));
    samples.addAll(leaf, samples.labelSet(labels), values);
  }
  return {
    stacks: stacks.finish(),
    ...samples.finish(),
    sampleTypes,
    periodType: undefined,
    period: 0,
    timeNanos: 0n,
    durationNanos: 0,
  };
}

/** The samples of a profile as such lines, sorted, values of all types; names only. */
export function stacksOf(profile: Profile): string[] {
  const { stacks, samples, labelSets } = profile;
  const lines: string[] = [];
  for (let i = 0; i < samples.length; i++) {
    const frames: string[] = [];
    for (let node = samples.node[i] as number; node !== -1; node = stacks.nodes.parent[node] as number) {
      frames.push(stacks.strings[stacks.frames.name[stacks.nodes.frame[node] as number] as number] as string);
    }
    const labels = (labelSets[samples.labelSet[i] as number] ?? []).map(({ name, value }) => `${name}=${value}`);
    const words = [frames.reverse().join(';'), ...(labels.length > 0 ? [`{${labels.join(',')}}`] : [])];
    lines.push([...words, ...samples.values.map((column) => column[i])].join(' '));
  }
  return lines.sort();
}

/** The sum of each sample type. */
export function totalsOf(profile: Profile): number[] {
  return profile.samples.values.map((column) => column.subarray(0, profile.samples.length).reduce((a, b) => a + b, 0));
}

function drawnFrame(stacks: StackTableBuilder, frame: string): number {
  const [, name, line] = /^(.*?)(?::(\d+))?$/.exec(frame) as unknown as [string, string, string | undefined];
  return stacks.frame(stacks.string(name), 0, 0, 0, line === undefined ? 0 : Number(line));
}

function splitLabels(text: string): [string, LabelSet] {
  const [, path, labels] = /^(.*?)(?: \{(.*)\})?$/.exec(text) as unknown as [string, string, string | undefined];
  if (labels === undefined) return [path, []];
  return [
    path,
    labels.split(',').map((label) => ({ name: label.split('=')[0] ?? '', value: label.split('=')[1] ?? '' })),
  ];
}
