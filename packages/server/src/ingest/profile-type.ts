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
