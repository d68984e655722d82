import { PilotlightError } from '@pilotlight/profile';
import { createClient, type ExportFormat, formatSelector, type Matcher } from '@pilotlight/protocol';
import { chooseProfileType } from './profile-type.js';

/** The label that every series has, with the id of its profile type. */
const PROFILE_TYPE = '__profile_type__';

export interface ExportOptions {
  readonly server: string;
  readonly token: string | undefined;
  readonly service: string;
  readonly type?: string;
  readonly labels: readonly Matcher[];
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  readonly format: ExportFormat;
}

/**
 * The merged profile of a query in the format asked for, as the server writes it: pprof gzipped, as every tool that reads pprof takes it, the others as text.
 *
 * @throws PilotlightError when nothing matches or the server refuses.
 */
export async function exportProfile(options: ExportOptions): Promise<Uint8Array> {
  const client = createClient({
    baseUrl: options.server,
    ...(options.token === undefined ? {} : { token: options.token }),
  });
  const range = { start: options.from, end: options.until };
  const selector = formatSelector([{ name: 'service_name', operator: '=', value: options.service }, ...options.labels]);
  const series = await client.series(range, [selector], [PROFILE_TYPE]);
  if (series.length === 0) throw new PilotlightError('not_found', `nothing matches ${selector} in this time range`);
  const profileType = chooseProfileType([...new Set(series.map((labels) => labels[PROFILE_TYPE] ?? ''))], options.type);
  return client.exportProfile({ profileType, selector, ...range }, options.format);
}
