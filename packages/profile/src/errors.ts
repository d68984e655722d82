/**
 * The one error class of the project and its closed set of codes.
 *
 * A message states facts: what was wrong, where (byte offset, element index), and which limit. Advice is the business of
 * whoever shows it. `docs/errors.md` documents each code; a test compares the two lists.
 */
export const ERROR_CODES = [
  // The bytes
  'malformed_profile',
  'unsupported_format',
  'malformed_request',
  'malformed_name',
  // Limits
  'body_size_limit',
  'profile_size_limit',
  'samples_limit',
  'label_names_limit',
  'label_size_limit',
  'series_limit',
  'time_limit',
  'outside_time_window',
  'rate_limited',
  'query_limit',
  // The parts of the house
  'unknown_profile_type',
  'malformed_query',
  'not_found',
  'unauthenticated',
  'forbidden',
  'store_full',
  'store_unavailable',
  'data_folder_in_use',
  'data_folder_newer',
  'configuration',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorPlace {
  /** Byte offset into the (inflated) input. */
  readonly offset?: number;
  /** Index of the element, for example of the sample. */
  readonly element?: number;
  /** The limit that was exceeded, in the unit the message names. */
  readonly limit?: number;
}

export class PilotlightError extends Error {
  override readonly name = 'PilotlightError';
  readonly code: ErrorCode;
  readonly place: ErrorPlace;

  constructor(code: ErrorCode, message: string, options: ErrorPlace & { cause?: unknown } = {}) {
    const { cause, ...place } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.place = place;
  }

  /** Normalises anything caught; what is not ours becomes `internal`. */
  static from(thrown: unknown): PilotlightError {
    if (thrown instanceof PilotlightError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new PilotlightError('internal', message, { cause: thrown });
  }
}
