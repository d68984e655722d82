import { PilotlightError, type Profile, type Reading, readCollapsed, readJfr, readPprof } from '@pilotlight/profile';
import { type FileFormat, fileFormat } from './file-format.js';
import { retimePprof, shiftJfr } from './shift-time.js';
import type { Upload } from './upload.js';

/** A profile that goes to the server as it is, and what is in it. */
export interface Recording extends Upload {
  readonly reading: Reading;
}

/**
 * Reads a profile, inflated, as the server will read it, so that a bad file is named before it is sent.
 *
 * @throws PilotlightError when it is no profile, or one over a limit.
 */
export function readRecording(bytes: Uint8Array): Recording {
  if (bytes.length === 0) throw new PilotlightError('malformed_profile', 'the file is empty');
  const format = fileFormat(bytes);
  const reading = read(format, bytes);
  const profiles = reading.profiles.map((named) => named.profile).filter((profile) => profile.samples.length > 0);
  if (profiles.length === 0) {
    throw format === 'collapsed'
      ? new PilotlightError('unsupported_format', 'it is neither pprof, nor JFR, nor lines of collapsed stacks')
      : new PilotlightError('malformed_profile', 'there is no sample in it');
  }
  return { format, bytes, reading, ...span(profiles) };
}

/** The same upload, ending at `endNanos`. A format without times is left as it is: the time is told beside it. */
export function endingAt<T extends Upload>(upload: T, endNanos: bigint): T {
  const startNanos = endNanos - upload.durationNanos;
  return { ...upload, startNanos, bytes: retime(upload, startNanos) };
}

function retime({ format, bytes, startNanos }: Upload, wanted: bigint): Uint8Array {
  switch (format) {
    case 'jfr':
      return shiftJfr(bytes, wanted - startNanos);
    case 'pprof':
      return retimePprof(bytes, wanted);
    case 'collapsed':
      return bytes;
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
