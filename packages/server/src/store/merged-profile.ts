import {
  mergeProfiles,
  type Profile,
  SAMPLE_VALUE_MAX,
  SampleTableBuilder,
  type StackTable,
  StackTableBuilder,
} from '@pilotlight/profile';
import { type ServiceStacks, UNKNOWN_FRAME } from './service-stacks.js';

/** Sums by node of one service. */
export interface NodeSums {
  readonly stacks: ServiceStacks;
  /** Rows of the nodes, each once. */
  readonly rows: Int32Array;
  readonly sums: Float64Array;
  /** The sum of what has no node: none that should be. */
  readonly lost: number;
}

/** What a profile has besides its samples. */
export type ProfileHead = Pick<Profile, 'sampleTypes' | 'periodType' | 'period' | 'timeNanos' | 'durationNanos'>;

/** One profile of sums by node, with files and lines. Equal stacks of several services become one. @throws PilotlightError `profile_size_limit` */
export function mergedProfile(services: readonly NodeSums[], head: ProfileHead): Profile {
  const parts = services.flatMap(({ stacks, rows, sums, lost }) => {
    const part = { ...samplesOf(stacks, rows, sums), ...head };
    return lost === 0 ? [part] : [part, { ...unknownStack(lost), ...head }];
  });
  if (parts.length === 1) return parts[0] as Profile;
  return parts.length === 0 ? { ...unknownStack(0), ...head } : { ...mergeProfiles(parts), ...head };
}

type Samples = Omit<Profile, keyof ProfileHead>;

/** The columns of the stacks cut down to what the rows lead to: nothing is hashed, no text is touched. */
function samplesOf(stacks: ServiceStacks, rows: Int32Array, sums: Float64Array): Samples {
  const node = new Int32Array(stacks.nodes.length);
  for (const row of rows) node[row] = 1;
  for (let row = node.length - 1; row >= 0; row--) {
    const parent = stacks.nodeParent[row] as number;
    if (node[row] === 1 && parent >= 0) node[parent] = 1;
  }
  const nodes = numbered(node, 0);
  const frame = new Int32Array(stacks.frames.length);
  for (const row of nodes) frame[stacks.nodeFrame[row] as number] = 1;
  const frames = numbered(frame, 0);
  const string = new Int32Array(stacks.strings.length);
  const texts = [stacks.frameName, stacks.frameSystemName, stacks.frameFile] as const;
  for (const text of texts) for (const row of frames) string[text[row] as number] = 1;
  string[0] = 0;
  const strings = ['', ...Array.from(numbered(string, 1), (row) => stacks.strings[row] as string)];
  const [name, systemName, file] = texts.map((text) => frames.map((row) => string[text[row] as number] as number)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const table: StackTable = {
    strings,
    frames: {
      length: frames.length,
      name,
      systemName,
      file,
      startLine: frames.map((row) => stacks.frameStartLine[row] as number),
      line: frames.map((row) => stacks.frameLine[row] as number),
      kind: Uint8Array.from(frames, (row) => stacks.frameKind[row] as number),
    },
    nodes: {
      length: nodes.length,
      parent: nodes.map((row) => {
        const parent = stacks.nodeParent[row] as number;
        return parent < 0 ? -1 : (node[parent] as number);
      }),
      frame: nodes.map((row) => frame[stacks.nodeFrame[row] as number] as number),
    },
  };
  const samples = {
    length: rows.length,
    node: rows.map((row) => node[row] as number),
    labelSet: new Int32Array(rows.length),
    values: [sums.map(clamped)],
  };
  return { stacks: table, samples, labelSets: [[]] };
}

/** The rows marked with 1; each mark becomes the row's number, counted from `first`. */
function numbered(marks: Int32Array, first: number): Int32Array {
  let count = 0;
  for (const mark of marks) count += mark;
  const rows = new Int32Array(count);
  for (let row = 0, at = 0; row < marks.length; row++) {
    if (marks[row] !== 1) continue;
    marks[row] = at + first;
    rows[at++] = row;
  }
  return rows;
}

/** A profile's values are exact; a sum over many that no longer is stands at the limit rather than at 0. */
function clamped(sum: number): number {
  return Math.max(-SAMPLE_VALUE_MAX, Math.min(SAMPLE_VALUE_MAX, sum));
}

function unknownStack(value: number): Samples {
  const table = new StackTableBuilder();
  const samples = new SampleTableBuilder(1);
  if (value !== 0) samples.add(table.stack([table.frame(table.string(UNKNOWN_FRAME))]), 0, clamped(value));
  return { stacks: table.finish(), ...samples.finish() };
}
