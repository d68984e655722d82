import type { SettingsInForce } from './period.js';
import type { ProfileKindName } from './profile-kinds.js';

/**
 * How events become samples.
 *
 * | measure | values of the sample |
 * | --- | --- |
 * | `period` | the field's number of samples (1 without a field) × the period in force |
 * | `timespan` | the field, in nanoseconds |
 * | `count` | 1 |
 * | `count and value` | 1 and the field |
 * | `count and timespan` | 1 and the field, in nanoseconds |
 */
export interface EventRule {
  readonly event: string;
  readonly measure: 'period' | 'timespan' | 'count' | 'count and value' | 'count and timespan';
  /** The field that is measured; '' when none is. */
  readonly field: string;
  /** The profiles the event belongs to, given the state of the thread (as in `STATE_RUNNABLE`, '' when unknown). */
  readonly kinds: (state: string, settings: SettingsInForce) => readonly ProfileKindName[];
}

const SLEEPING = 'STATE_SLEEPING';
const RUNNABLE = 'STATE_RUNNABLE';

const NONE: readonly ProfileKindName[] = [];
const CPU: readonly ProfileKindName[] = ['cpu'];
const WALL: readonly ProfileKindName[] = ['wall'];
const CPU_AND_WALL: readonly ProfileKindName[] = ['cpu', 'wall'];

export const EVENT_RULES: readonly EventRule[] = [
  { event: 'jdk.ExecutionSample', measure: 'period', field: '', kinds: executionSampleKinds },
  { event: 'profiler.WallClockSample', measure: 'period', field: 'samples', kinds: wallClockSampleKinds },
  // JDK 25: each sample says for how long it stands.
  { event: 'jdk.CPUTimeSample', measure: 'timespan', field: 'samplingPeriod', kinds: () => CPU },
  always('jdk.ObjectAllocationInNewTLAB', 'count and value', 'tlabSize', 'allocInNewTlab'),
  always('jdk.ObjectAllocationOutsideTLAB', 'count and value', 'allocationSize', 'allocOutsideTlab'),
  always('jdk.ObjectAllocationSample', 'count and value', 'weight', 'allocSample'),
  always('profiler.LiveObject', 'count', '', 'live'),
  always('profiler.Malloc', 'count and value', 'size', 'malloc'),
  always('jdk.JavaMonitorEnter', 'count and timespan', 'duration', 'mutex'),
  always('jdk.ThreadPark', 'count and timespan', 'duration', 'block'),
];

function always(event: string, measure: EventRule['measure'], field: string, kind: ProfileKindName): EventRule {
  const kinds = [kind];
  return { event, measure, field, kinds: () => kinds };
}

/** One event for samples of running threads and, when wall-clock samples are not batched, for those too. */
function executionSampleKinds(state: string, settings: SettingsInForce): readonly ProfileKindName[] {
  if (settings.cpuTime) return NONE;
  if (settings.event === 'wall') return state === SLEEPING ? WALL : CPU_AND_WALL;
  // Beside a CPU engine, which leaves the state at STATE_DEFAULT, only the wall-clock engine tells states apart.
  if (settings.mixed && (state === RUNNABLE || state === SLEEPING)) return WALL;
  return state === SLEEPING ? NONE : CPU;
}

function wallClockSampleKinds(state: string, settings: SettingsInForce): readonly ProfileKindName[] {
  return settings.event === 'wall' && state === RUNNABLE ? CPU_AND_WALL : WALL;
}
