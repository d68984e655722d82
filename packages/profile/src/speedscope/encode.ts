import type { Profile, ValueType } from '../model.js';

/**
 * The file format of speedscope: the `File`, `Frame` and `SampledProfile` of its `src/lib/file-format-spec.ts`, from which its JSON schema is made.
 */
export interface SpeedscopeFile {
  readonly $schema: 'https://www.speedscope.app/file-format-schema.json';
  readonly name: string;
  readonly exporter: string;
  readonly activeProfileIndex: number;
  readonly shared: { readonly frames: readonly SpeedscopeFrame[] };
  readonly profiles: readonly SpeedscopeProfile[];
}

export interface SpeedscopeFrame {
  readonly name: string;
  readonly file?: string;
  /** First line of the function. */
  readonly line?: number;
}

export interface SpeedscopeProfile {
  readonly type: 'sampled';
  readonly name: string;
  readonly unit: (typeof UNITS)[number] | 'none';
  readonly startValue: number;
  readonly endValue: number;
  /** Indexes into the frames, the root's first. */
  readonly samples: readonly (readonly number[])[];
  readonly weights: readonly number[];
}

const UNITS = ['nanoseconds', 'microseconds', 'milliseconds', 'seconds', 'bytes'] as const;

/**
 * A profile for speedscope, as JSON; a profile of several sample types becomes as many of its profiles. Frames are functions, since speedscope takes
 * each line for a function of its own. The format knows no order here: the samples stand side by side, each as wide as its value. It knows no negative
 * values either; they are left out, as are zeros.
 */
export function writeSpeedscope(profile: Profile, name: string): string {
  const { frames, frameOf } = functionsOf(profile);
  const file: SpeedscopeFile = {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name,
    exporter: 'pilotlight',
    activeProfileIndex: 0,
    shared: { frames },
    profiles: profile.sampleTypes.map((type, index) => sampled(profile, type, index, frameOf)),
  };
  return JSON.stringify(file);
}

function sampled(
  { stacks: { nodes }, samples }: Profile,
  { type, unit }: ValueType,
  valueIndex: number,
  frameOf: Int32Array,
): SpeedscopeProfile {
  const stacks: number[][] = [];
  const weights: number[] = [];
  let end = 0;
  for (let i = 0; i < samples.length; i++) {
    const weight = (samples.values[valueIndex] as Float64Array)[i] as number;
    if (!(weight > 0)) continue;
    const stack: number[] = [];
    for (let node = samples.node[i] as number; node !== -1; node = nodes.parent[node] as number) {
      stack.push(frameOf[nodes.frame[node] as number] as number);
    }
    stacks.push(stack.reverse());
    weights.push(weight);
    end += weight;
  }
  const known = UNITS.find((one) => one === unit) ?? 'none';
  return { type: 'sampled', name: type, unit: known, startValue: 0, endValue: end, samples: stacks, weights };
}

/** The functions of a profile, and for each frame which one it is of. */
function functionsOf({ stacks: { strings, frames: table } }: Profile): {
  frames: SpeedscopeFrame[];
  frameOf: Int32Array;
} {
  const frames: SpeedscopeFrame[] = [];
  const indexOf = new Map<string, number>();
  const frameOf = new Int32Array(table.length);
  for (let i = 0; i < table.length; i++) {
    const [name, file, line] = [table.name[i] as number, table.file[i] as number, table.startLine[i] as number];
    const key = `${name} ${file} ${line}`;
    let index = indexOf.get(key);
    if (index === undefined) {
      const frame = { name: strings[name] as string };
      index =
        frames.push({
          ...frame,
          ...(file === 0 ? {} : { file: strings[file] as string }),
          ...(line === 0 ? {} : { line }),
        }) - 1;
      indexOf.set(key, index);
    }
    frameOf[i] = index;
  }
  return { frames, frameOf };
}
