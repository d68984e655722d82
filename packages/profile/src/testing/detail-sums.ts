import assert from 'node:assert/strict';
import type { NamedProfile } from '../model.js';

/** Fails unless the details of a profile have good indexes and, summed by node and label set, are its samples. */
export function assertDetailsSumUp({ profile, details }: NamedProfile): void {
  assert.ok(details);
  for (const column of [details.thread, details.spanName, details.traceId]) {
    assert.equal(column.length, details.length);
    assert.ok(column.every((index) => index >= 0 && index < details.strings.length));
  }
  assert.equal(details.strings[0], '');
  assert.ok(details.timeOffsetMs.every((time) => time >= 0));
  const { samples, labelSets } = profile;
  const key = (node: number, labelSet: number) => node * labelSets.length + labelSet;
  samples.values.forEach((column, i) => {
    const bySample = new Map<number, number>();
    const byDetails = new Map<number, number>();
    const add = (sums: Map<number, number>, at: number, value: number) => {
      if (value !== 0) sums.set(at, (sums.get(at) ?? 0) + value);
    };
    for (let row = 0; row < samples.length; row++) {
      add(bySample, key(samples.node[row] as number, samples.labelSet[row] as number), column[row] as number);
    }
    for (let row = 0; row < details.length; row++) {
      const value = details.values[i]?.[row] as number;
      add(byDetails, key(details.node[row] as number, details.labelSet[row] as number), value);
    }
    assert.deepEqual([...byDetails].sort(), [...bySample].sort());
  });
}
