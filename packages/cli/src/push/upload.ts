import type { FileFormat } from './file-format.js';

/** Of one upload once inflated: what a server takes. */
export const UPLOAD_BYTES_MAX = 64 * 1_048_576;

/** What is sent in one request. */
export interface Upload {
  readonly format: FileFormat;
  readonly bytes: Uint8Array;
  /** When it began, in nanoseconds since the epoch; 0n where the format does not say. */
  readonly startNanos: bigint;
  readonly durationNanos: bigint;
}
