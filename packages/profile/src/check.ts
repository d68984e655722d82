import { childLinks } from './child-links.js';
import { PilotlightError } from './errors.js';
import {
  FRAME_KINDS,
  type FrameTable,
  type LabelSet,
  NO_PARENT,
  type NodeTable,
  type Profile,
  SAMPLE_VALUE_MAX,
  type StackTable,
} from './model.js';
import { PairIndex } from './pair-index.js';

/** The one check of the invariants in `model.ts`; what breaks one is a `malformed_profile`. Afterwards nobody doubts the profile again. */
export function checkProfile(profile: Profile): void {
  checkStacks(profile.stacks);
  checkSamples(profile);
  profile.labelSets.forEach(checkLabelSet);
  if (profile.labelSets[0]?.length !== 0) fail('label set 0 is not empty');
  if (!(profile.period >= 0 && profile.period <= SAMPLE_VALUE_MAX)) fail(`period is ${profile.period}`);
  if (!(profile.durationNanos >= 0 && profile.durationNanos <= SAMPLE_VALUE_MAX)) {
    fail(`duration is ${profile.durationNanos} ns`);
  }
  if (profile.timeNanos < 0n) fail(`time is ${profile.timeNanos} ns`);
}

function checkStacks({ strings, frames, nodes }: StackTable): void {
  if (strings[0] !== '') fail('string 0 is not empty');
  if (new Set(strings).size !== strings.length) fail('a string occurs twice');
  checkFrames(frames, strings.length);
  checkNodes(nodes, frames.length);
}

function checkFrames(frames: FrameTable, stringCount: number): void {
  const { length } = frames;
  for (const column of ['name', 'systemName', 'file'] as const) {
    checkIndexes(`frame ${column}`, frames[column], length, 0, stringCount);
  }
  for (const column of ['startLine', 'line'] as const) {
    checkIndexes(`frame ${column}`, frames[column], length, 0, Number.POSITIVE_INFINITY);
  }
  checkIndexes('frame kind', frames.kind, length, 0, FRAME_KINDS.length);
}

function checkNodes({ length, parent, frame }: NodeTable, frameCount: number): void {
  checkIndexes('node frame', frame, length, 0, frameCount);
  checkIndexes('node parent', parent, length, NO_PARENT, length);
  for (let i = 0; i < length; i++) {
    if ((parent[i] as number) >= i) fail(`node ${i} comes before its parent ${parent[i]}`, i);
  }
  // Siblings differ in frame: going parent by parent, each frame remembers the last parent it was seen below.
  const { root, first, next } = childLinks(parent, length);
  const seenBelow = new Int32Array(frameCount).fill(NO_PARENT - 1);
  for (let above = NO_PARENT; above < length; above++) {
    for (let i = above === NO_PARENT ? root : (first[above] as number); i !== -1; i = next[i] as number) {
      if (seenBelow[frame[i] as number] === above) fail(`node ${i} occurs twice`, i);
      seenBelow[frame[i] as number] = above;
    }
  }
}

function checkSamples({ samples, sampleTypes, labelSets, stacks }: Profile): void {
  const { length, node, labelSet, values } = samples;
  if (sampleTypes.length === 0) fail('no sample type');
  if (values.length !== sampleTypes.length) fail(`${values.length} values and ${sampleTypes.length} sample types`);
  checkIndexes('sample node', node, length, 0, stacks.nodes.length);
  checkIndexes('sample label set', labelSet, length, 0, labelSets.length);
  const seen = PairIndex.sizedFor(length);
  for (let i = 0; i < length; i++) {
    if (seen.put(node[i] as number, labelSet[i] as number) >= 0) fail(`sample ${i} occurs twice`, i);
  }
  for (const column of values) {
    if (column.length < length) fail(`a value column has ${column.length} of ${length} entries`);
    for (let i = 0; i < length; i++) {
      if (!Number.isSafeInteger(column[i])) fail(`a value of sample ${i} is ${column[i]}`, i);
    }
  }
}

function checkLabelSet(labels: LabelSet, index: number): void {
  for (let i = 1; i < labels.length; i++) {
    if (!((labels[i - 1]?.name as string) < (labels[i]?.name as string))) {
      fail(`labels of set ${index} are not sorted by distinct names`, index);
    }
  }
}

/** Every entry in use lies in [min, end). */
function checkIndexes(what: string, column: Int32Array | Uint8Array, length: number, min: number, end: number): void {
  if (column.length < length) fail(`column ${what} has ${column.length} of ${length} entries`);
  for (let i = 0; i < length; i++) {
    const value = column[i] as number;
    if (value < min || value >= end) fail(`${what} ${i} is ${value}, outside [${min}, ${end})`, i);
  }
}

function fail(message: string, element?: number): never {
  throw new PilotlightError('malformed_profile', message, element === undefined ? {} : { element });
}
