/** From what a reader found to the records of the commit log: series named, times chosen, stacks hashed to node ids. */
import { createHash, randomBytes } from 'node:crypto';
import {
  frameId,
  type NamedProfile,
  nodeId,
  PilotlightError,
  type Reading,
  type RefusalTally,
  SAMPLE_VALUE_MAX,
  type SampleTable,
  type StackTable,
  textId,
} from '@pilotlight/profile';
import { AHEAD_SECONDS_MAX } from '../store/schema.js';
import type { Upload } from '../store/store.js';
import {
  encodeUploadRecord,
  type RecordDetails,
  type RecordFrames,
  type RecordNodes,
  type RecordSeries,
} from '../store/upload-record.js';
import { profileTypes } from './profile-type.js';
import { DetailTexts, ProfileDetails } from './series-details.js';
import { seriesLabelsOf, seriesOf } from './series-labels.js';

/** Distinct sets of sample labels that make series of their own, an upload; the samples of further sets are kept without those labels. */
export const LABEL_SETS_MAX = 200;
/** How far a client's window and the time within its profile may differ before the window is believed. */
const CLOCK_SLACK_MS = 60_000;

export interface UploadContext {
  readonly tenant: string;
  /** With `service_name`. */
  readonly labels: ReadonlyMap<string, string>;
  /** Window the client gave, milliseconds. */
  readonly fromMs: number | undefined;
  readonly untilMs: number | undefined;
  readonly receivedMs: number;
  readonly retentionAgeSeconds: number;
  /** Takes a profile of any age: somebody who brings in old recordings says so. Retention counts from arrival in any case. */
  readonly keepsOld?: boolean;
  /** What was sent, inflated: two uploads of equal content are one. */
  readonly content: readonly Uint8Array[];
  /** Of the request: what else tells two uploads apart. */
  readonly identity: string;
}

/** @throws PilotlightError `outside_time_window` */
export function uploadsOf(reading: Reading, context: UploadContext, tally: RefusalTally): Upload[] {
  const byStacks = new Map<StackTable, NamedProfile[]>();
  for (const named of reading.profiles) {
    const sharing = byStacks.get(named.profile.stacks);
    if (sharing === undefined) byStacks.set(named.profile.stacks, [named]);
    else sharing.push(named);
  }
  const known = context.fromMs !== undefined || reading.profiles.some(({ profile }) => profile.timeNanos !== 0n);
  const uploads: Upload[] = [];
  for (const [stacks, profiles] of byStacks) {
    const time = chooseTime(profiles, context);
    const frames = framesOf(stacks);
    const nodes = nodesOf(stacks, frames);
    const told = { texts: new DetailTexts(), tables: [] };
    const series = profiles.flatMap((named) => seriesOfProfile(named, context, nodes, told, tally));
    if (series.length === 0) continue;
    const uploadId = known ? contentId(context, uploads.length) : randomBytes(16).toString('hex');
    const ingestSeconds = Math.floor(context.receivedMs / 1_000);
    const bytes = encodeUploadRecord({
      uploadId,
      tenant: context.tenant,
      service: context.labels.get('service_name') as string,
      ...time,
      ingestSeconds,
      strings: stacks.strings,
      frames,
      nodes,
      series,
      details: told.tables,
      detailTexts: told.texts.list,
    });
    const seriesIds = series.map((one) => one.seriesId);
    uploads.push({ uploadId, tenant: context.tenant, ingestSeconds, seriesIds, bytes });
  }
  return uploads;
}

/**
 * The time within the profile, unless the client's window says otherwise: then the window's start. Without either, the time of arrival.
 */
function chooseTime(
  profiles: readonly NamedProfile[],
  { fromMs, untilMs, receivedMs, retentionAgeSeconds, keepsOld = false }: UploadContext,
): { timeMs: number; durationMs: number } {
  const first = (profiles[0] as NamedProfile).profile;
  let timeMs = first.timeNanos === 0n ? (fromMs ?? receivedMs) : Number(first.timeNanos / 1_000_000n);
  if (fromMs !== undefined) {
    const endMs = untilMs ?? fromMs;
    if (timeMs < fromMs - CLOCK_SLACK_MS || timeMs > Math.max(endMs, fromMs) + CLOCK_SLACK_MS) timeMs = fromMs;
  }
  const oldest = keepsOld ? 0 : receivedMs - retentionAgeSeconds * 1_000;
  const newest = receivedMs + AHEAD_SECONDS_MAX * 1_000;
  if (timeMs < oldest || timeMs > newest) {
    const when = Math.abs(timeMs) < 8.64e15 ? new Date(timeMs).toISOString() : `${timeMs} ms`;
    throw new PilotlightError(
      'outside_time_window',
      timeMs < oldest
        ? `the profile is of ${when}, older than the retention of ${duration(retentionAgeSeconds)} takes (from ${new Date(oldest).toISOString()})`
        : `the profile is of ${when}, more than ${AHEAD_SECONDS_MAX} s ahead of this server's clock (${new Date(receivedMs).toISOString()})`,
      { limit: timeMs < oldest ? retentionAgeSeconds : AHEAD_SECONDS_MAX },
    );
  }
  const windowMs = fromMs !== undefined && untilMs !== undefined ? Math.max(0, untilMs - fromMs) : 0;
  const durationMs = Math.round(first.durationNanos / 1e6) || windowMs;
  return { timeMs: Math.floor(timeMs), durationMs };
}

/** As the option would be written: the largest unit that divides it. */
function duration(seconds: number): string {
  const [unit, name] = (
    [
      [604_800, 'week'],
      [86_400, 'day'],
      [3_600, 'hour'],
      [60, 'minute'],
    ] as const
  ).find(([unit]) => seconds % unit === 0 && seconds > unit) ?? [1, 'second'];
  return `${seconds / unit} ${name}${seconds === unit ? '' : 's'}`;
}

function contentId({ content, identity, tenant, labels, fromMs, untilMs }: UploadContext, index: number): string {
  const hash = createHash('sha256');
  const lengths = content.map((bytes) => bytes.length);
  hash.update(JSON.stringify([tenant, identity, [...labels].sort(), fromMs ?? null, untilMs ?? null, index, lengths]));
  for (const bytes of content) hash.update(bytes);
  return hash.digest('hex').slice(0, 32);
}

function framesOf({ strings, stringIds, frames }: StackTable): RecordFrames {
  const ids = stringIds ?? Float64Array.from(strings, (text) => textId(text));
  const id = new Float64Array(frames.length);
  for (let i = 0; i < frames.length; i++) {
    id[i] = frameId(
      ids[frames.name[i] as number] as number,
      ids[frames.systemName[i] as number] as number,
      ids[frames.file[i] as number] as number,
      frames.startLine[i] as number,
      frames.line[i] as number,
      frames.kind[i] as number,
    );
  }
  return { ...frames, id };
}

function nodesOf({ nodes }: StackTable, frames: RecordFrames): RecordNodes {
  const id = new Float64Array(nodes.length);
  for (let i = 0; i < nodes.length; i++) {
    const parent = nodes.parent[i] as number;
    id[i] = nodeId(parent < 0 ? 0 : (id[parent] as number), frames.id[nodes.frame[i] as number] as number);
  }
  return { length: nodes.length, id, parent: nodes.parent, frame: nodes.frame };
}

/** A series for each sample type and each set of labels its samples have. */
function seriesOfProfile(
  { metric, profile, labels: content, details }: NamedProfile,
  context: UploadContext,
  nodes: RecordNodes,
  told: { readonly texts: DetailTexts; readonly tables: RecordDetails[] },
  tally: RefusalTally,
): RecordSeries[] {
  const { samples } = profile;
  // Label sets that differ only in what makes no series are one.
  const groups = new Map<string, number>([['[]', 0]]);
  const labelsOfGroup = [seriesLabelsOf([])];
  const groupOf = Int32Array.from(profile.labelSets, (set) => {
    const labels = seriesLabelsOf(set);
    const key = JSON.stringify(labels.map(({ name, value }) => [name, value]));
    let group = groups.get(key);
    if (group === undefined) {
      if (groups.size > LABEL_SETS_MAX) {
        tally.add('label_sets_limit', () => `more than ${LABEL_SETS_MAX} sets of sample labels in one upload`);
        return 0;
      }
      group = labelsOfGroup.push(labels) - 1;
      groups.set(key, group);
    }
    return group;
  });
  const rowsOfGroup = rowsByGroup(samples, nodes, groupOf, labelsOfGroup.length);
  const profileDetails = details && new ProfileDetails(details, groupOf, told.texts);
  const types = profileTypes(metric, profile);
  const series: RecordSeries[] = [];
  rowsOfGroup.forEach((rows, group) => {
    const detailed = profileDetails?.of(group);
    const table = detailed === undefined ? -1 : told.tables.push(detailed.table) - 1;
    types.forEach((type, column) => {
      const sums = columnOf(rows, samples.node, profile.samples.values[column] as Float64Array, tally);
      if (sums.nodes.length === 0) return;
      const values = detailed?.values[column];
      series.push({
        ...seriesOf(context.labels, content, labelsOfGroup[group] as typeof content, type),
        ...sums,
        ...(values?.some((value) => value !== 0) ? { details: { table, values } } : {}),
      });
    });
  });
  return series;
}

/** The samples of each group, sorted by node id: that is what compresses well, and samples of one node stand together. */
function rowsByGroup(samples: SampleTable, nodes: RecordNodes, groupOf: Int32Array, groupCount: number): Int32Array[] {
  const rows = rowsByNodeId(samples, nodes);
  if (groupCount === 1) return [rows];
  const counts = new Int32Array(groupCount);
  for (let i = 0; i < samples.length; i++) counts[groupOf[samples.labelSet[i] as number] as number]!++;
  const groups = Array.from(counts, (count) => new Int32Array(count));
  counts.fill(0);
  for (const row of rows) {
    const group = groupOf[samples.labelSet[row] as number] as number;
    (groups[group] as Int32Array)[counts[group]!++] = row;
  }
  return groups;
}

/** What a row takes of a sorting key; the rest is the upper bits of the 52 of the id. */
const ROW_BITS = 2 ** 21;

/** Id and row are one number, for numbers are sorted several times quicker than by a function that compares them. */
function rowsByNodeId({ length, node }: SampleTable, { id }: RecordNodes): Int32Array {
  const idOf = (row: number) => id[node[row] as number] as number;
  if (length > ROW_BITS) return Int32Array.from({ length }, (_, i) => i).sort((a, b) => idOf(a) - idOf(b));
  const keys = new Float64Array(length);
  for (let i = 0; i < length; i++) keys[i] = Math.floor(idOf(i) / ROW_BITS) * ROW_BITS + i;
  keys.sort();
  const rows = Int32Array.from(keys, (key) => key % ROW_BITS);
  // Ids that differ in their lower bits alone are neighbours by now.
  for (let i = 1; i < length; i++) {
    const row = rows[i] as number;
    let at = i;
    for (; at > 0 && idOf(rows[at - 1] as number) > idOf(row); at--) rows[at] = rows[at - 1] as number;
    rows[at] = row;
  }
  return rows;
}

function columnOf(
  rows: Int32Array,
  node: Int32Array,
  values: Float64Array,
  tally: RefusalTally,
): { nodes: Int32Array; values: Float64Array; total: number } {
  const nodes = new Int32Array(rows.length);
  const sums = new Float64Array(rows.length);
  let length = 0;
  let total = 0;
  for (const row of rows) {
    const value = values[row] as number;
    if (value === 0) continue;
    // Beyond it the sum would no longer be what the values say, and in the engine's 64 bits it would come out negative.
    if (Math.abs(total + value) > SAMPLE_VALUE_MAX) {
      tally.add('value_over_limit', () => 'the sum of a series is not within ±(2^53 − 1)');
      continue;
    }
    total += value;
    if (length > 0 && nodes[length - 1] === node[row]) {
      sums[length - 1] = (sums[length - 1] as number) + value;
      continue;
    }
    nodes[length] = node[row] as number;
    sums[length] = value;
    length++;
  }
  return { nodes: nodes.slice(0, length), values: sums.slice(0, length), total };
}
