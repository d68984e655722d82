import { StackTableBuilder } from '../builder.js';
import { detailsOfLabels } from '../details.js';
import { PilotlightError } from '../errors.js';
import { DEFAULT_READ_LIMITS, type ReadLimits } from '../limits.js';
import type { Profile, Reading, ValueType } from '../model.js';
import { RefusalTally } from '../refusal-tally.js';
import { droppedFunctions } from './drop-rule.js';
import { VALUE_TYPE } from './fields.js';
import { readFunctions } from './functions.js';
import { LabelReader } from './labels.js';
import { LocationTable } from './locations.js';
import { SampleReader } from './samples.js';
import { type Scan, scanProfile } from './scan.js';
import { StackWalk } from './stack-walk.js';
import { StringTable } from './strings.js';
import { VARINT, WireReader } from './wire.js';

/** Beyond, growing costs less than the guess can be wrong by. */
const NODES_EXPECTED_MAX = 65_536;
const FRAMES_EXPECTED_MAX = 16_384;

export interface PprofOptions {
  readonly limits?: ReadLimits;
  /** Also what labels tell of single samples: thread and span. */
  readonly details?: boolean;
}

/**
 * Reads a pprof profile (google/pprof `profile.proto`), already inflated. One profile comes back, with metric ''.
 *
 * The whole profile is refused as `malformed_profile` when its bytes are no message, when it has no sample type or an empty
 * or ill-begun string table, when two profiles are joined, or when a sample's values do not match its types; as
 * `samples_limit` or `profile_size_limit` when it is too large. What is wrong with one element costs that element, with one
 * of these reasons:
 *
 * | reason | cost |
 * | ------ | ---- |
 * | `negative_value`, `value_over_limit` | the sample |
 * | `missing_location`, `missing_function`, `location_id_zero`, `function_id_zero`, `duplicate_id` | the name: an address is shown |
 * | `string_out_of_range` | the name, file or label that refers to it |
 * | `depth_over_limit`, `name_over_limit`, `invalid_utf8` | what is past the limit; bytes that are no text |
 * | `label_without_name`, `duplicate_label`, `label_names_limit`, `label_size_limit` | the label |
 * | `period_out_of_range`, `duration_out_of_range`, `time_out_of_range` | it counts as unknown |
 * | `drop_frames` | the pattern is not applied |
 */
export function readPprof(bytes: Uint8Array, options: PprofOptions = {}): Reading {
  const limits = options.limits ?? DEFAULT_READ_LIMITS;
  const tally = new RefusalTally();
  const reader = new WireReader(bytes);
  const scan = scanProfile(reader, limits);
  const stacks = new StackTableBuilder(nodesExpected(scan), framesExpected(scan));
  const strings = new StringTable(bytes, scan.strings, limits, tally, stacks);
  if (strings.length > 0 && strings.byteLength(0) !== 0) {
    throw new PilotlightError('malformed_profile', 'pprof: entry 0 of the string table is not empty');
  }
  const sampleTypes = readSampleTypes(reader, scan, strings);
  const periodType = readPeriodType(reader, scan, strings, tally);
  const functions = readFunctions(reader, scan.functions, strings, tally);
  const locations = new LocationTable(scan.locations.length, functions, strings, stacks, limits);
  locations.read(reader, scan.locations, tally);
  const dropped = droppedFunctions(scan, functions, strings, tally);
  const samples = new SampleReader({
    reader,
    sampleTypes,
    locations,
    walk: new StackWalk(stacks, locations, dropped, limits),
    labels: new LabelReader(strings, limits, tally),
    limits,
    tally,
  });
  samples.read(scan.samples);
  const profile: Profile = {
    stacks: stacks.finish(),
    ...samples.samples.finish(),
    sampleTypes,
    periodType,
    period: amount('period', scan.period, tally),
    timeNanos: timeOf(scan, tally),
    durationNanos: amount('duration', scan.durationNanos, tally),
  };
  // Not checked as what comes from elsewhere is: the builders can make nothing else, and the fuzzer checks what they made.
  const details = options.details === true ? detailsOfLabels(profile) : undefined;
  const named = { metric: '', profile, labels: [], periodSource: '', ...(details === undefined ? {} : { details }) };
  return { profiles: [named], refusals: tally.list() };
}

/** A guess, so that the tree seldom grows: about one location in three, of a byte or two each, makes a new node. */
function nodesExpected({ samples }: Scan): number {
  const bytes = samples.length === 0 ? 0 : (samples.end[samples.length - 1] as number) - (samples.start[0] as number);
  return Math.min(bytes / 4, NODES_EXPECTED_MAX);
}

/** More texts and locations stand in most profiles than its samples use, seldom fewer. */
function framesExpected({ locations, strings }: Scan): number {
  return Math.min(Math.max(locations.length, strings.length) + 4, FRAMES_EXPECTED_MAX);
}

function readSampleTypes(reader: WireReader, scan: Scan, strings: StringTable): ValueType[] {
  const { length, start, end } = scan.sampleTypes;
  if (length === 0) throw new PilotlightError('malformed_profile', 'pprof: the profile has no sample type');
  const types: ValueType[] = [];
  for (let i = 0; i < length; i++) {
    const type = readValueType(reader, start[i] as number, end[i] as number, strings);
    if (type === undefined) {
      throw new PilotlightError('malformed_profile', `pprof: sample type ${i} names a missing string`, { element: i });
    }
    types.push(type);
  }
  return types;
}

function readPeriodType(
  reader: WireReader,
  scan: Scan,
  strings: StringTable,
  tally: RefusalTally,
): ValueType | undefined {
  if (scan.periodType === undefined) return undefined;
  const type = readValueType(reader, scan.periodType.start, scan.periodType.end, strings);
  if (type === undefined) tally.add('string_out_of_range', () => 'the period type names a missing string');
  // Writers without a period still write an empty message.
  return type === undefined || (type.type === '' && type.unit === '') ? undefined : type;
}

function readValueType(reader: WireReader, start: number, end: number, strings: StringTable): ValueType | undefined {
  let type = 0;
  let unit = 0;
  reader.enter(start, end);
  while (reader.more) {
    const tag = reader.tag();
    const field = tag >>> 3;
    if (field !== VALUE_TYPE.type && field !== VALUE_TYPE.unit) {
      reader.skip(tag);
      continue;
    }
    reader.expect(tag, VARINT);
    reader.varint();
    if (field === VALUE_TYPE.type) type = reader.int31();
    else unit = reader.int31();
  }
  if (!strings.has(type) || !strings.has(unit)) return undefined;
  return { type: strings.text(type), unit: strings.text(unit) };
}

/** A period or duration; what cannot be one counts as unknown. */
function amount(what: string, value: number, tally: RefusalTally): number {
  if (value >= 0) return value;
  tally.add(`${what}_out_of_range`, () => `the ${what} is ${Number.isNaN(value) ? 'not within ±(2^53 − 1)' : value}`);
  return 0;
}

function timeOf(scan: Scan, tally: RefusalTally): bigint {
  if (scan.timeNanos >= 0n) return scan.timeNanos;
  tally.add('time_out_of_range', () => `the time is ${scan.timeNanos} ns`);
  return 0n;
}
