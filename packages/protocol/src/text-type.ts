/** What an upload of a text format holds: collapsed stacks name neither their service nor their type, so the name of the upload does. */
import { PilotlightError, type ValueType } from '@pilotlight/profile';

export interface TextType {
  readonly service: string;
  readonly metric: string;
  readonly sampleType: ValueType;
  readonly periodType: ValueType | undefined;
  /** Whether a line's number counts samples, each worth a period. */
  readonly timesPeriod: boolean;
}

const NANOSECONDS = { type: 'cpu', unit: 'nanoseconds' };
const cpu = { metric: 'process_cpu', sampleType: NANOSECONDS, periodType: NANOSECONDS, timesPeriod: true };
const wall = { ...cpu, metric: 'wall', sampleType: { type: 'wall', unit: 'nanoseconds' } };
const plain = (metric: string, type: string, unit: string) => ({
  metric,
  sampleType: { type, unit },
  periodType: undefined,
  timesPeriod: false,
});

/** What the part of an application name after its last dot says of the values of a text format. */
const SUFFIXES = new Map<string, Omit<TextType, 'service'>>([
  ['cpu', cpu],
  ['itimer', cpu],
  ['wall', wall],
  ['alloc_objects', plain('memory', 'alloc_objects', 'count')],
  ['inuse_objects', plain('memory', 'inuse_objects', 'count')],
  ['alloc_space', plain('memory', 'alloc_space', 'bytes')],
  ['inuse_space', plain('memory', 'inuse_space', 'bytes')],
  ['alloc_in_new_tlab_objects', plain('memory', 'alloc_in_new_tlab_objects', 'count')],
  ['alloc_in_new_tlab_bytes', plain('memory', 'alloc_in_new_tlab_bytes', 'bytes')],
  ['alloc_outside_tlab_objects', plain('memory', 'alloc_outside_tlab_objects', 'count')],
  ['alloc_outside_tlab_bytes', plain('memory', 'alloc_outside_tlab_bytes', 'bytes')],
  ['live', plain('memory', 'live', 'count')],
  ['goroutines', plain('goroutine', 'goroutines', 'count')],
  ['mutex_count', plain('mutex', 'contentions', 'count')],
  ['mutex_duration', plain('mutex', 'delay', 'nanoseconds')],
  ['block_count', plain('block', 'contentions', 'count')],
  ['lock_count', plain('block', 'contentions', 'count')],
  ['block_duration', plain('block', 'delay', 'nanoseconds')],
  ['lock_duration', plain('block', 'delay', 'nanoseconds')],
  ['exceptions', plain('exceptions', 'samples', 'count')],
]);

/** What `units` says where the name says nothing. */
const UNITS = new Map<string, Omit<TextType, 'service'>>([
  ['', cpu],
  ['samples', cpu],
  ['objects', plain('memory', 'alloc_objects', 'count')],
  ['bytes', plain('memory', 'alloc_space', 'bytes')],
  ['goroutines', plain('goroutine', 'goroutines', 'count')],
  ['lock_samples', plain('mutex', 'contentions', 'count')],
  ['lock_nanoseconds', plain('mutex', 'delay', 'nanoseconds')],
]);

/**
 * The type of a text upload: from the known suffix of its name, else from `units`, else CPU. A dot in a service name is just a dot.
 *
 * @throws PilotlightError `unknown_profile_type`
 */
export function textType(appName: string, units: string): TextType {
  const dot = appName.lastIndexOf('.');
  const suffix = dot > 0 ? SUFFIXES.get(appName.slice(dot + 1)) : undefined;
  if (suffix !== undefined) return { service: appName.slice(0, dot), ...suffix };
  const type = UNITS.get(units);
  if (type === undefined) {
    throw new PilotlightError(
      'unknown_profile_type',
      `units=${JSON.stringify(units.slice(0, 100))} is not one of ${[...UNITS.keys()].filter((unit) => unit !== '').join(', ')}`,
    );
  }
  return { service: appName, ...type };
}
