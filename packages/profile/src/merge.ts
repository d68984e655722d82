import { SampleTableBuilder, StackTableBuilder } from './builder.js';
import { PilotlightError } from './errors.js';
import { FRAME_KINDS, NO_PARENT, type Profile, SAMPLE_VALUE_MAX, type StackTable, type ValueType } from './model.js';

/**
 * The sum of profiles: samples of equal stack and label set are added up. Nodes that no sample uses are left out.
 *
 * The time is the earliest one known, the duration the sum of all; period and period type stay where all agree and are
 * unknown otherwise. No profiles, or other sample types in one than in the first, are a `malformed_profile`; a sum
 * over 2^53 − 1 is a `profile_size_limit`.
 */
export function mergeProfiles(profiles: readonly Profile[]): Profile {
  const first = profiles[0];
  if (first === undefined) throw new PilotlightError('malformed_profile', 'no profiles to merge');
  const stacks = new StackTableBuilder();
  const samples = new SampleTableBuilder(first.sampleTypes.length);
  // Profiles of one recording share a stack table, and each merges it once.
  const importers = new Map<StackTable, StackImporter>();
  profiles.forEach((profile, index) => {
    if (!sameTypes(profile.sampleTypes, first.sampleTypes)) {
      throw new PilotlightError(
        'malformed_profile',
        `profile ${index} has the sample types ${typesText(profile)}, the first has ${typesText(first)}`,
        { element: index },
      );
    }
    let importer = importers.get(profile.stacks);
    if (importer === undefined) {
      importer = new StackImporter(profile.stacks, stacks);
      importers.set(profile.stacks, importer);
    }
    addSamples(profile, index, importer, samples);
  });
  const duration = profiles.reduce((sum, { durationNanos }) => sum + durationNanos, 0);
  const isAgreed = profiles.every(
    ({ period, periodType }) => period === first.period && sameType(periodType, first.periodType),
  );
  return {
    stacks: stacks.finish(),
    ...samples.finish(),
    sampleTypes: first.sampleTypes,
    periodType: isAgreed ? first.periodType : undefined,
    period: isAgreed ? first.period : 0,
    timeNanos: earliestTime(profiles),
    durationNanos: Math.min(duration, SAMPLE_VALUE_MAX),
  };
}

function addSamples(profile: Profile, profileIndex: number, importer: StackImporter, into: SampleTableBuilder): void {
  const { samples } = profile;
  const labelSets = profile.labelSets.map((labels) => into.labelSet(labels));
  const values = new Float64Array(samples.values.length);
  for (let i = 0; i < samples.length; i++) {
    for (let v = 0; v < values.length; v++) values[v] = samples.values[v]?.[i] as number;
    const node = importer.node(samples.node[i] as number);
    if (!into.addAll(node, labelSets[samples.labelSet[i] as number] as number, values)) {
      throw new PilotlightError(
        'profile_size_limit',
        `sample ${i} of profile ${profileIndex} brings a sum over 2^53 − 1`,
        { element: i, limit: SAMPLE_VALUE_MAX },
      );
    }
  }
}

/** Carries nodes of one stack table over into another, each at its first use. */
class StackImporter {
  private readonly from: StackTable;
  private readonly into: StackTableBuilder;
  private readonly strings: Int32Array;
  private readonly frames: Int32Array;
  private readonly nodes: Int32Array;

  constructor(from: StackTable, into: StackTableBuilder) {
    this.from = from;
    this.into = into;
    this.strings = new Int32Array(from.strings.length).fill(-1);
    this.frames = new Int32Array(from.frames.length).fill(-1);
    this.nodes = new Int32Array(from.nodes.length).fill(-1);
  }

  node(leaf: number): number {
    const { parent, frame } = this.from.nodes;
    const path: number[] = [];
    let at = leaf;
    while (at !== NO_PARENT && this.nodes[at] === -1) {
      path.push(at);
      at = parent[at] as number;
    }
    let node = at === NO_PARENT ? NO_PARENT : (this.nodes[at] as number);
    for (let i = path.length - 1; i >= 0; i--) {
      const old = path[i] as number;
      node = this.into.node(node, this.frame(frame[old] as number));
      this.nodes[old] = node;
    }
    return node;
  }

  private frame(old: number): number {
    let frame = this.frames[old] as number;
    if (frame === -1) {
      const { name, systemName, file, startLine, line, kind } = this.from.frames;
      frame = this.into.frame(
        this.string(name[old] as number),
        this.string(systemName[old] as number),
        this.string(file[old] as number),
        startLine[old],
        line[old],
        FRAME_KINDS[kind[old] as number],
      );
      this.frames[old] = frame;
    }
    return frame;
  }

  private string(old: number): number {
    let string = this.strings[old] as number;
    if (string === -1) {
      string = this.into.string(this.from.strings[old] as string);
      this.strings[old] = string;
    }
    return string;
  }
}

function earliestTime(profiles: readonly Profile[]): bigint {
  let earliest = 0n;
  for (const { timeNanos } of profiles) {
    if (timeNanos !== 0n && (earliest === 0n || timeNanos < earliest)) earliest = timeNanos;
  }
  return earliest;
}

function sameType(a: ValueType | undefined, b: ValueType | undefined): boolean {
  return a?.type === b?.type && a?.unit === b?.unit;
}

function sameTypes(a: readonly ValueType[], b: readonly ValueType[]): boolean {
  return a.length === b.length && a.every((type, index) => sameType(type, b[index]));
}

function typesText(profile: Profile): string {
  return profile.sampleTypes.map(({ type, unit }) => `${type}/${unit}`).join(', ');
}
