import { gzipSync } from 'node:zlib';
import { PilotlightError, readPprof, writeCollapsed } from '@pilotlight/profile';
import { createClient, formatSelector, type Matcher } from '@pilotlight/protocol';
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
  readonly format: 'pprof' | 'collapsed';
}

/**
 * The merged profile of a query: pprof gzipped, as every tool that reads pprof takes it, or collapsed stacks as text.
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
  const bytes = await client.selectMergeProfile({ profileType, selector, ...range });
  const profile = readPprof(bytes).profiles[0]?.profile;
  if (profile === undefined || profile.samples.length === 0) {
    throw new PilotlightError('not_found', `no sample of ${profileType} matches ${selector} in this time range`);
  }
  return options.format === 'pprof' ? gzipSync(bytes) : Buffer.from(writeCollapsed(profile, 0));
}
