import type { ValueType } from '../model.js';

/** What a profile made from a recording is called. Names as Pyroscope has them, so that its clients find them. */
export interface ProfileKind {
  readonly metric: string;
  readonly sampleTypes: readonly [ValueType] | readonly [ValueType, ValueType];
  readonly periodType: ValueType;
}

const CPU = { type: 'cpu', unit: 'nanoseconds' };
const WALL = { type: 'wall', unit: 'nanoseconds' };
const SPACE = { type: 'space', unit: 'bytes' };

/** The order is that of the profiles of a reading. */
export const PROFILE_KINDS = {
  cpu: { metric: 'process_cpu', sampleTypes: [CPU], periodType: CPU },
  wall: { metric: 'wall', sampleTypes: [WALL], periodType: WALL },
  allocInNewTlab: space('alloc_in_new_tlab'),
  allocOutsideTlab: space('alloc_outside_tlab'),
  allocSample: space('alloc_sample'),
  live: {
    metric: 'memory',
    sampleTypes: [{ type: 'live', unit: 'count' }],
    periodType: { type: 'objects', unit: 'count' },
  },
  malloc: space('malloc'),
  mutex: delay('mutex'),
  block: delay('block'),
} as const satisfies Record<string, ProfileKind>;

export type ProfileKindName = keyof typeof PROFILE_KINDS;

function space(name: string): ProfileKind {
  return {
    metric: 'memory',
    sampleTypes: [
      { type: `${name}_objects`, unit: 'count' },
      { type: `${name}_bytes`, unit: 'bytes' },
    ],
    periodType: SPACE,
  };
}

function delay(metric: string): ProfileKind {
  return {
    metric,
    sampleTypes: [
      { type: 'contentions', unit: 'count' },
      { type: 'delay', unit: 'nanoseconds' },
    ],
    periodType: { type: metric, unit: 'count' },
  };
}
