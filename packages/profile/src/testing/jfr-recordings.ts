import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { NamedProfile, Reading } from '../model.js';
import { testData } from './test-data.js';

/** A file of the shared test data, inflated when it is packed; undefined, with the test skipped, when there is none. */
export function inflatedTestData(t: TestContext, path: string): Uint8Array | undefined {
  const bytes = testData(t, path);
  if (bytes === undefined) return undefined;
  return new Uint8Array(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);
}

/** The profile of a metric and its first sample type, as in `memory live`. */
export function profileNamed({ profiles }: Reading, name: string): NamedProfile {
  const names = profiles.map(({ metric, profile }) => `${metric} ${profile.sampleTypes[0]?.type}`);
  const found = profiles[names.indexOf(name)];
  if (found === undefined) throw new Error(`no profile ${name} among ${names.join(', ')}`);
  return found;
}

/**
 * Values by stack trace, root first, each frame with its line, as in `a.b:1;c.d:0`. Samples that differ only in labels
 * or kinds of frames are added up.
 */
export function valuesByStack({ profile }: NamedProfile): Map<string, number[]> {
  const { stacks, samples } = profile;
  const { strings, frames, nodes } = stacks;
  const sums = new Map<string, number[]>();
  for (let i = 0; i < samples.length; i++) {
    const path: string[] = [];
    for (let node = samples.node[i] as number; node !== -1; node = nodes.parent[node] as number) {
      const frame = nodes.frame[node] as number;
      path.push(`${strings[frames.name[frame] as number]}:${frames.line[frame]}`);
    }
    const key = path.reverse().join(';');
    const before = sums.get(key) ?? samples.values.map(() => 0);
    sums.set(
      key,
      before.map((value, column) => value + (samples.values[column]?.[i] as number)),
    );
  }
  return sums;
}
