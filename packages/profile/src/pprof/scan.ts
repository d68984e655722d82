import { PilotlightError } from '../errors.js';
import type { ReadLimits } from '../limits.js';
import { PROFILE } from './fields.js';
import { Spans } from './spans.js';
import { BYTES, VARINT, type WireReader } from './wire.js';

/** Stage one: where everything is. Numbers of the top level are read, messages only located. */
export interface Scan {
  readonly sampleTypes: Spans;
  readonly samples: Spans;
  readonly locations: Spans;
  readonly functions: Spans;
  readonly strings: Spans;
  /** Where the last one lies. */
  periodType: { readonly start: number; readonly end: number } | undefined;
  timeNanos: bigint;
  /** NaN when not exact in a number. */
  durationNanos: number;
  period: number;
  /** Indexes into strings; −1 when out of range. */
  dropFrames: number;
  keepFrames: number;
}

const ROWS_EXPECTED_MAX = 16_384;

export function scanProfile(reader: WireReader, limits: ReadLimits): Scan {
  const { tableRowsMax } = limits;
  const code = 'profile_size_limit';
  // A row of a table takes some sixty bytes in all tables together; a guess that only saves growing.
  const expected = Math.min(Math.max(64, reader.bytes.length >> 6), ROWS_EXPECTED_MAX);
  const scan: Scan = {
    sampleTypes: new Spans('sample types', limits.sampleTypesMax),
    samples: new Spans('samples', limits.samplesMax, 'samples_limit', expected),
    locations: new Spans('locations', tableRowsMax, code, expected),
    functions: new Spans('functions', tableRowsMax, code, expected),
    strings: new Spans('strings', tableRowsMax, code, expected),
    periodType: undefined,
    timeNanos: 0n,
    durationNanos: 0,
    period: 0,
    dropFrames: 0,
    keepFrames: 0,
  };
  const joint = new JointDetector();
  while (reader.more) {
    const tag = reader.tag();
    const spans = spansOf(scan, tag >>> 3);
    if (spans !== undefined) {
      reader.expect(tag, BYTES);
      const end = reader.lengthEnd();
      spans.add(reader.position, end);
      if (spans === scan.sampleTypes) joint.sampleType();
      if (spans === scan.strings && end === reader.position) joint.emptyString(spans.length - 1);
      reader.position = end;
    } else {
      readNumber(reader, tag, scan);
    }
  }
  joint.check();
  return scan;
}

function spansOf(scan: Scan, field: number): Spans | undefined {
  switch (field) {
    case PROFILE.sampleType:
      return scan.sampleTypes;
    case PROFILE.sample:
      return scan.samples;
    case PROFILE.location:
      return scan.locations;
    case PROFILE.function:
      return scan.functions;
    case PROFILE.stringTable:
      return scan.strings;
    default:
      return undefined;
  }
}

function readNumber(reader: WireReader, tag: number, scan: Scan): void {
  switch (tag >>> 3) {
    case PROFILE.periodType: {
      reader.expect(tag, BYTES);
      const end = reader.lengthEnd();
      scan.periodType = { start: reader.position, end };
      reader.position = end;
      return;
    }
    case PROFILE.timeNanos:
      readVarint(reader, tag);
      scan.timeNanos = reader.int64Exact();
      return;
    case PROFILE.durationNanos:
      readVarint(reader, tag);
      scan.durationNanos = reader.int64();
      return;
    case PROFILE.period:
      readVarint(reader, tag);
      scan.period = reader.int64();
      return;
    case PROFILE.dropFrames:
      readVarint(reader, tag);
      scan.dropFrames = reader.int31();
      return;
    case PROFILE.keepFrames:
      readVarint(reader, tag);
      scan.keepFrames = reader.int31();
      return;
    default:
      reader.skip(tag);
  }
}

function readVarint(reader: WireReader, tag: number): void {
  reader.expect(tag, VARINT);
  reader.varint();
}

/**
 * Two profiles written one after the other read as one: protobuf appends the tables, and every index of the second means
 * something in the first. The string table then starts again with its empty string, with sample types both
 * between the two starts and on an outer side of them, whatever order the writer gives its fields.
 */
class JointDetector {
  private types = 0;
  private typesAtStart = 0;
  private restart: { readonly entry: number; readonly types: number } | undefined;
  private started = false;

  sampleType(): void {
    this.types++;
  }

  emptyString(entry: number): void {
    if (!this.started) {
      this.started = true;
      this.typesAtStart = this.types;
    } else this.restart ??= { entry, types: this.types };
  }

  check(): void {
    if (this.restart === undefined) return;
    const { entry, types } = this.restart;
    const between = types - this.typesAtStart;
    const outside = this.types - between;
    if (between === 0 || outside === 0) return;
    throw new PilotlightError(
      'malformed_profile',
      `pprof: several profiles joined end to end: the string table starts again at entry ${entry}`,
      { element: entry },
    );
  }
}
