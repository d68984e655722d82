import type { SettingsInForce } from './period.js';
import type { ProfileKindName } from './profile-kinds.js';

/**
 * How events become samples.
 *
 * | measure | values of the sample |
 * | --- | --- |
 * | `samples` | the field's number of samples, 1 without a field, × the period in force |
 * | `duration` | the field |
 * | `count` | 1 |
 * | `count and field` | 1 and the field |
 */
export interface EventRule {
  readonly event: string;
  readonly measure: 'samples' | 'duration' | 'count' | 'count and field';
  /** The field that is measured; '' when none is. */
  readonly field: string;
  /** The field is a span of time, in ticks unless it says otherwise, and becomes nanoseconds. */
  readonly isTimespan: boolean;
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
  { ...rule('jdk.ExecutionSample', 'samples', '', 'cpu'), kinds: executionSampleKinds },
  { ...rule('profiler.WallClockSample', 'samples', 'samples', 'wall'), kinds: wallClockSampleKinds },
  // JDK 25: each sample says for how long it stands.
  { ...rule('jdk.CPUTimeSample', 'duration', 'samplingPeriod', 'cpu'), isTimespan: true },
  rule('jdk.ObjectAllocationInNewTLAB', 'count and field', 'tlabSize', 'allocInNewTlab'),
  rule('jdk.ObjectAllocationOutsideTLAB', 'count and field', 'allocationSize', 'allocOutsideTlab'),
  rule('jdk.ObjectAllocationSample', 'count and field', 'weight', 'allocSample'),
  rule('profiler.LiveObject', 'count', '', 'live'),
  rule('profiler.Malloc', 'count and field', 'size', 'malloc'),
  { ...rule('jdk.JavaMonitorEnter', 'count and field', 'duration', 'mutex'), isTimespan: true },
  { ...rule('jdk.ThreadPark', 'count and field', 'duration', 'block'), isTimespan: true },
];

function rule(event: string, measure: EventRule['measure'], field: string, kind: ProfileKindName): EventRule {
  const kinds = [kind];
  return { event, measure, field, isTimespan: false, kinds: () => kinds };
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
