import type { ErrorCode } from '@pilotlight/profile';

/**
 * The HTTP status of each error code.
 *
 * A body that cannot be read is 422 and never 5xx, so that no client sends it again; a transient fault is never 4xx except 429, because
 * the Java agent drops its data on any other 4xx.
 */
export const HTTP_STATUS: Readonly<Record<ErrorCode, number>> = {
  malformed_profile: 422,
  unsupported_format: 422,
  malformed_request: 400,
  malformed_name: 400,
  body_size_limit: 413,
  profile_size_limit: 422,
  samples_limit: 422,
  label_names_limit: 422,
  label_size_limit: 422,
  series_limit: 429,
  time_limit: 422,
  outside_time_window: 422,
  rate_limited: 429,
  query_limit: 400,
  unknown_profile_type: 400,
  malformed_query: 400,
  not_found: 404,
  unauthenticated: 401,
  forbidden: 403,
  store_full: 503,
  store_unavailable: 503,
  data_folder_in_use: 503,
  data_folder_newer: 503,
  configuration: 500,
  internal: 500,
};
