/** Which labels a series has: what the client named, what the content says, and the names every client of the Pyroscope API asks by. */
import { type Label, type LabelSet, PilotlightError, textId } from '@pilotlight/profile';
import { type ProfileType, profileTypeId } from './profile-type.js';

export const LABEL_LIMITS = { namesMax: 30, nameBytesMax: 1_024, valueBytesMax: 2_048 } as const;

/** Told of each sample apart, so they never make series: a request or a thread is not a dimension. */
const SAMPLE_ONLY = new Set([
  'span_id',
  'span_name',
  'trace_id',
  'profile_id',
  'thread',
  'thread_id',
  'thread_name',
  'thread id',
  'thread name',
]);

/** Sample labels that may tell series apart. */
export function seriesLabelsOf(sampleLabels: LabelSet): LabelSet {
  return sampleLabels.filter(({ name }) => !SAMPLE_ONLY.has(name) && !name.startsWith('__'));
}

/**
 * The labels of an upload without those of its profile types: private names (`__…`) are dropped, `service_name` is the application's name unless the
 * client gave one, which then wins.
 *
 * @throws PilotlightError `label_names_limit`, `label_size_limit`, naming the label and the limit.
 */
export function uploadLabels(appName: string, labels: readonly Label[], spyName: string): Map<string, string> {
  const all = new Map<string, string>();
  for (const { name, value } of labels) if (!name.startsWith('__') && value !== '') all.set(name, value);
  if (!all.has('service_name')) all.set('service_name', appName);
  else if (appName !== all.get('service_name')) all.set('app_name', appName);
  if (spyName !== '' && spyName !== 'unknown') all.set('pyroscope_spy', spyName);
  if (all.size > LABEL_LIMITS.namesMax) {
    throw new PilotlightError('label_names_limit', `${all.size} labels, the limit is ${LABEL_LIMITS.namesMax}`, {
      limit: LABEL_LIMITS.namesMax,
    });
  }
  for (const [name, value] of all) checkLabel(name, value);
  return all;
}

function checkLabel(name: string, value: string): void {
  const check = (what: string, text: string, limit: number) => {
    const bytes = Buffer.byteLength(text);
    if (bytes <= limit) return;
    throw new PilotlightError(
      'label_size_limit',
      `the ${what} of label ${JSON.stringify(name.slice(0, 100))} has ${bytes} bytes, the limit is ${limit}`,
      { limit },
    );
  };
  check('name', name, LABEL_LIMITS.nameBytesMax);
  check('value', value, LABEL_LIMITS.valueBytesMax);
}

/** All labels of a series, sorted by name, and its id: a hash of them, the same on every server. */
export function seriesOf(
  labels: ReadonlyMap<string, string>,
  content: LabelSet,
  sampleLabels: LabelSet,
  type: ProfileType,
): { labels: Label[]; seriesId: number; profileType: string } {
  const all = new Map<string, string>();
  // Who names the series wins over what its content says.
  for (const { name, value } of sampleLabels) all.set(name, value);
  for (const { name, value } of content) all.set(name, value);
  for (const [name, value] of labels) all.set(name, value);
  const profileType = profileTypeId(type);
  all.set('__name__', type.name);
  all.set('__type__', type.type);
  all.set('__unit__', type.unit);
  all.set('__period_type__', type.periodType);
  all.set('__period_unit__', type.periodUnit);
  all.set('__profile_type__', profileType);
  all.set('__service_name__', labels.get('service_name') ?? '');
  const sorted = [...all].map(([name, value]) => ({ name, value })).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    labels: sorted,
    seriesId: textId(JSON.stringify(sorted.map(({ name, value }) => [name, value]))),
    profileType,
  };
}
