/** How an upload gets its profile types: `name:type:unit:periodType:periodUnit`, as every client of the Pyroscope API knows them. */
import { PilotlightError, type Profile, type ValueType } from '@pilotlight/profile';

export interface ProfileType {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly periodType: string;
  readonly periodUnit: string;
}

export function profileTypeId(type: ProfileType): string {
  return [type.name, type.type, type.unit, type.periodType, type.periodUnit].join(':');
}

/** One profile type a sample type. A `:` within a name would break the id apart; it becomes `_`. */
export function profileTypes(metric: string, profile: Profile): ProfileType[] {
  const clean = (text: string) => text.replaceAll(':', '_');
  return profile.sampleTypes.map(({ type, unit }) => ({
    // Wall-clock profilers of Node send thread CPU time as a third value of the wall profile; it is a CPU profile.
    name: clean(metric === 'wall' && type === 'cpu' ? 'process_cpu' : metric),
    type: clean(type),
    unit: clean(unit),
    periodType: clean(profile.periodType?.type ?? ''),
    periodUnit: clean(profile.periodType?.unit ?? ''),
  }));
}

/** The JSON part `sample_type_config` of a pprof upload; only the display name matters. */
export type SampleTypeConfig = ReadonlyMap<string, { readonly displayName: string }>;

const DEFAULT_DISPLAY_NAMES = new Map([
  ['samples', 'cpu'],
  ['goroutine', 'goroutines'],
  ['contentions', 'mutex_count'],
  ['delay', 'mutex_duration'],
]);

/** The metric of a pprof upload, told from the names of its sample types. */
export function metricOf(sampleTypes: readonly ValueType[], config: SampleTypeConfig): string {
  const names = sampleTypes.map(({ type }) => config.get(type)?.displayName ?? DEFAULT_DISPLAY_NAMES.get(type) ?? type);
  const some = (...parts: string[]) => names.some((name) => parts.some((part) => name.includes(part)));
  if (some('wall')) return 'wall';
  if (some('cpu')) return 'process_cpu';
  if (some('alloc_', 'inuse_', 'space', 'objects')) return 'memory';
  if (some('mutex_')) return 'mutex';
  if (some('block_')) return 'block';
  if (some('goroutines')) return 'goroutines';
  return names.at(-1) ?? 'unknown';
}

/** @throws PilotlightError `malformed_profile` */
export function parseSampleTypeConfig(bytes: Uint8Array | undefined): SampleTypeConfig {
  const config = new Map<string, { displayName: string }>();
  if (bytes === undefined || bytes.length === 0) return config;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(bytes).toString());
  } catch (thrown) {
    throw new PilotlightError('malformed_profile', 'sample_type_config is not JSON', { cause: thrown });
  }
  if (typeof parsed !== 'object' || parsed === null) return config;
  for (const [type, settings] of Object.entries(parsed)) {
    const displayName = (settings as { 'display-name'?: unknown } | null)?.['display-name'];
    if (typeof displayName === 'string' && displayName !== '') config.set(type, { displayName });
  }
  return config;
}

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
