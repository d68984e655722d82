import {
  type CallTree,
  callTree,
  DEFAULT_READ_LIMITS,
  type NamedProfile,
  PilotlightError,
  type Reading,
  readCollapsed,
  readJfr,
  readPprof,
} from '@pilotlight/profile';

export type FileFormat = 'jfr' | 'pprof' | 'collapsed';

/** One profile type of a file, merged over all of it. */
export interface FileProfile {
  /** A profile type id, see `profileTypeText`. */
  readonly type: string;
  readonly tree: CallTree;
}

/** What a file holds. */
export interface FileContent {
  readonly format: FileFormat;
  /** Those with samples. */
  readonly profiles: readonly FileProfile[];
  /** Milliseconds since the epoch; 0: the file does not say. */
  readonly start: number;
  readonly durationMillis: number;
  /** Elements that were left out, and why the first ones were. */
  readonly leftOut: number;
  readonly reasons: readonly string[];
}

/** More than this, packed, a page does not take into memory. */
export const FILE_BYTES_MAX = 256 * 2 ** 20;
export const INFLATED_BYTES_MAX = 512 * 2 ** 20;
/** A file of one's own may hold more than an upload. */
const LIMITS = { ...DEFAULT_READ_LIMITS, samplesMax: 2_000_000 };

/** Reads the inflated bytes of a file. @throws PilotlightError */
export function readFileContent(bytes: Uint8Array): FileContent {
  if (bytes.length === 0) throw new PilotlightError('malformed_profile', 'the file is empty');
  const format = formatOf(bytes);
  const reading = READERS[format](bytes);
  const profiles = reading.profiles.flatMap((named) => fileProfiles(named, format));
  const starts = reading.profiles
    .map(({ profile }) => Number(profile.timeNanos / 1_000_000n))
    .filter((millis) => millis > 0);
  const durations = reading.profiles.map(({ profile }) => profile.durationNanos);
  return {
    format,
    profiles,
    start: starts.length === 0 ? 0 : Math.min(...starts),
    durationMillis: Math.max(0, ...durations) / 1e6,
    leftOut: reading.refusals.reduce((sum, { count }) => sum + count, 0),
    reasons: reading.refusals.slice(0, 3).map(({ first }) => first),
  };
}

const READERS: Readonly<Record<FileFormat, (bytes: Uint8Array) => Reading>> = {
  jfr: (bytes) => readJfr(bytes, { limits: LIMITS }),
  pprof: (bytes) => readPprof(bytes, { limits: LIMITS }),
  collapsed: (bytes) => readCollapsed(bytes, { limits: LIMITS }),
};

/** As the server tells them apart. */
export function formatOf(bytes: Uint8Array): FileFormat {
  if (bytes[0] === 0x46 && bytes[1] === 0x4c && bytes[2] === 0x52 && bytes[3] === 0) return 'jfr';
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return 'collapsed';
  // A pprof begins with the tag of a field; no text does, and text holds no zero byte.
  return bytes.subarray(0, 4_096).includes(0) || bytes[0] === 0x0a ? 'pprof' : 'collapsed';
}

function fileProfiles({ metric, profile }: NamedProfile, format: FileFormat): FileProfile[] {
  return profile.sampleTypes.flatMap(({ type, unit }, index) => {
    const tree = callTree(profile, index);
    const name = metric || (format === 'collapsed' ? type : metricOf(type));
    return tree.length <= 1 ? [] : [{ type: `${name}:${type}:${unit}::`, tree }];
  });
}

/** A pprof does not name its metric; its types do. */
function metricOf(type: string): string {
  if (/^(cpu|samples)$/.test(type)) return 'process_cpu';
  if (/^(alloc|inuse)_/.test(type)) return 'memory';
  if (/^(contentions|delay)$/.test(type)) return 'mutex';
  return type;
}
