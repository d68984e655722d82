import { readFileSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { PilotlightError, type Profile, type Reading, readCollapsed, readJfr, readPprof } from '@pilotlight/profile';
import { type FileFormat, fileFormat } from './file-format.js';
import { retimePprof, shiftJfr } from './shift-time.js';

const MEBIBYTE = 1_048_576;
/** Of a file once inflated; a JFR recording carries much that is skipped. */
const INFLATED_BYTES_MAX: Readonly<Record<FileFormat, number>> = {
  jfr: 256 * MEBIBYTE,
  pprof: 64 * MEBIBYTE,
  collapsed: 64 * MEBIBYTE,
};

/** A file of profiles, inflated and read. */
export interface Recording {
  readonly format: FileFormat;
  readonly bytes: Uint8Array;
  readonly reading: Reading;
  /** When it began, in nanoseconds since the epoch; 0n where the format does not say. */
  readonly startNanos: bigint;
  readonly durationNanos: bigint;
}

/**
 * Reads a file whole. It is read here as the server will read it, so that a bad file is named before it is sent.
 *
 * @throws PilotlightError when it is too large or no profile.
 */
export function readRecording(path: string): Recording {
  const size = statSync(path).size;
  if (size > INFLATED_BYTES_MAX.jfr) throw tooLarge(size, INFLATED_BYTES_MAX.jfr);
  const bytes = inflate(readFileSync(path));
  const format = fileFormat(bytes);
  if (bytes.length > INFLATED_BYTES_MAX[format]) throw tooLarge(bytes.length, INFLATED_BYTES_MAX[format]);
  const reading = read(format, bytes);
  const profiles = reading.profiles.map((named) => named.profile).filter((profile) => profile.samples.length > 0);
  if (profiles.length === 0) {
    throw format === 'collapsed'
      ? new PilotlightError('unsupported_format', 'it is neither pprof, nor JFR, nor lines of collapsed stacks')
      : new PilotlightError('malformed_profile', 'there is no sample in it');
  }
  return { format, bytes, reading, ...span(profiles) };
}

/** The same recording, ending at `endNanos`. A format without times is left as it is: the time is told beside it. */
export function endingAt(recording: Recording, endNanos: bigint): Recording {
  const startNanos = endNanos - recording.durationNanos;
  return { ...recording, startNanos, bytes: retime(recording, startNanos) };
}

function retime({ format, bytes, startNanos }: Recording, wanted: bigint): Uint8Array {
  switch (format) {
    case 'jfr':
      return shiftJfr(bytes, wanted - startNanos);
    case 'pprof':
      return retimePprof(bytes, wanted);
    case 'collapsed':
      return bytes;
  }
}

function inflate(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: INFLATED_BYTES_MAX.jfr });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new PilotlightError('profile_size_limit', `inflated it has more than ${INFLATED_BYTES_MAX.jfr} bytes`);
    }
    throw new PilotlightError('malformed_profile', `gzip: ${(thrown as Error).message}`, { cause: thrown });
  }
}

function read(format: FileFormat, bytes: Uint8Array): Reading {
  switch (format) {
    case 'jfr':
      return readJfr(bytes);
    case 'pprof':
      return readPprof(bytes);
    case 'collapsed':
      return readCollapsed(bytes);
  }
}

/** From the first start to the last end. */
function span(profiles: readonly Profile[]): { startNanos: bigint; durationNanos: bigint } {
  let start: bigint | undefined;
  let end = 0n;
  for (const { timeNanos, durationNanos } of profiles) {
    if (timeNanos <= 0n) continue;
    if (start === undefined || timeNanos < start) start = timeNanos;
    const ended = timeNanos + BigInt(Math.round(durationNanos));
    if (ended > end) end = ended;
  }
  return start === undefined
    ? { startNanos: 0n, durationNanos: 0n }
    : { startNanos: start, durationNanos: end - start };
}

function tooLarge(bytes: number, limit: number): PilotlightError {
  return new PilotlightError('profile_size_limit', `it has ${bytes} bytes, the limit is ${limit}`, { limit });
}
