/** What can be asked of the store. All answers hold everything that was acknowledged before the question. */
import { type CallTree, callTreeFromParents, mergeCallTrees, type Profile } from '@pilotlight/profile';
import type { Matcher } from '@pilotlight/protocol';
import {
  sumsByNodeOfSpans,
  sumsByNodeOfThread,
  THREADS_MAX,
  type ThreadTotal,
  totalsByThread,
} from './details-plan.js';
import { mergedProfile, type NodeSums } from './merged-profile.js';
import { type Asked, NO_PREWHERE, profilesAsked, sumsByNode } from './rollup-plan.js';
import { RowBinaryReader } from './row-binary.js';
import { DATABASE } from './schema.js';
import type { SeriesEntry } from './series-index.js';
import { type ServiceStacks, UNKNOWN_FRAME } from './service-stacks.js';
import type { Store } from './store.js';

const TWO_32 = 0x1_0000_0000;

export interface Selection {
  readonly tenant: string;
  readonly profileType: string;
  readonly matchers: readonly Matcher[];
  /** Profiles that start in [startMs, endMs), milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  /** Function names from the root: only samples whose stack trace begins with them. */
  readonly callSite?: readonly string[];
  /** Only samples of this thread, for trees and profiles; as long as details are kept. */
  readonly thread?: string;
  /** Only samples of these spans, alike; not together with a thread. */
  readonly spans?: readonly bigint[];
}

export interface TimeSeries {
  readonly labels: ReadonlyMap<string, string>;
  readonly points: readonly { readonly timeMs: number; readonly value: number }[];
}

/** The call tree of a selection, merged by function name over all services that match. */
export async function selectCallTree(store: Store, selection: Selection): Promise<CallTree> {
  const services = await nodeSums(store, selection);
  const trees = services.flatMap(({ stacks, rows, sums, lost }) => {
    const self = new Float64Array(stacks.mergedLength);
    for (let i = 0; i < rows.length; i++) {
      const merged = stacks.nodeMerged[rows[i] as number] as number;
      self[merged] = (self[merged] as number) + (sums[i] as number);
    }
    if (selection.callSite !== undefined) keepBelow(stacks, self, selection.callSite);
    const tree = stacks.mergedTree.callTree(self);
    return lost === 0 ? [tree] : [tree, unknownStack(lost)];
  });
  return trees.length === 1 ? (trees[0] as CallTree) : mergeCallTrees(trees);
}

/** The merged profile of a selection, with files and lines. */
export async function selectProfile(store: Store, selection: Selection): Promise<Profile> {
  const services = await nodeSums(store, selection);
  const { callSite } = selection;
  const [, type = '', unit = '', periodType = '', periodUnit = ''] = selection.profileType.split(':');
  return mergedProfile(callSite === undefined ? services : services.map((sums) => sumsBelow(sums, callSite)), {
    sampleTypes: [{ type, unit }],
    periodType: periodType === '' && periodUnit === '' ? undefined : { type: periodType, unit: periodUnit },
    period: 0,
    timeNanos: BigInt(Math.floor(selection.startMs)) * 1_000_000n,
    durationNanos: (selection.endMs - selection.startMs) * 1e6,
  });
}

/**
 * Values over time. A point at start + k × step holds the profiles that start in (that − step, that]; points without a profile are left out. The sum of a
 * profile longer than a step is spread evenly over the steps it covers, or ten minutes of one busy core would look like forty cores in a quarter of a minute; what
 * lies after the end is left out. An average is that of the profiles which start in the step. Series are ordered by their sum, the largest first.
 */
export async function selectTimeSeries(
  store: Store,
  selection: Selection,
  stepMs: number,
  groupBy: readonly string[],
  aggregation: 'sum' | 'average',
): Promise<TimeSeries[]> {
  const firstMs = selection.startMs - stepMs;
  // (start − step, end] as the half-open range everything else asks by.
  const range = { startMs: firstMs + 1, endMs: selection.endMs + 1 };
  const entries = await selectSeries(store, { ...selection, ...range });
  const groups = new Map<string, Group>();
  for (const [service, ofService] of byService(entries)) {
    const { where, parameters } = profilesAsked(asked({ ...selection, ...range }, service, ofService));
    const nodes = selection.callSite === undefined ? undefined : await nodesBelow(store, selection, service);
    const value =
      nodes === undefined ? 'total' : 'arraySum((n, v) -> if(has({nodes:Array(UInt64)}, n), v, 0), nodes, values)';
    const steps =
      aggregation === 'sum' ? 'greatest(1, intDiv(toInt64(duration_ms) + {step:Int64} - 1, {step:Int64}))' : '1';
    const answer = await store.engine.query(
      `SELECT series_id, first_bucket + i AS bucket,
         sum(toInt64(intDiv(toInt128(value) * (i + 1), steps) - intDiv(toInt128(value) * i, steps))), count()
       FROM (
         SELECT series_id, toInt64(intDiv(time_ms - {first:Int64} - 1, {step:Int64})) AS first_bucket, ${value} AS value, ${steps} AS steps
         FROM ${DATABASE}.profiles WHERE ${where}
       )
       ARRAY JOIN arrayMap(x -> toInt64(x), range(toUInt64(least(steps, {buckets:Int64} - first_bucket)))) AS i
       GROUP BY series_id, bucket ${NO_PREWHERE}`,
      {
        ...parameters,
        first: firstMs,
        step: stepMs,
        buckets: Math.floor((selection.endMs - firstMs - 1) / stepMs) + 1,
        ...(nodes === undefined ? {} : { nodes }),
      },
    );
    const groupOf = new Map(ofService.map((entry) => [entry.seriesId, groupBySome(groups, entry.labels, groupBy)]));
    const rows = new RowBinaryReader(answer);
    while (rows.more) {
      const { sums } = groupOf.get(rows.int64()) as Group;
      const bucket = rows.int64();
      const sum = rows.int64();
      const count = rows.int64();
      const at = sums.get(bucket);
      if (at === undefined) sums.set(bucket, { sum, count });
      else {
        at.sum += sum;
        at.count += count;
      }
    }
  }
  const used = [...groups.values()].filter(({ sums }) => sums.size > 0);
  const series = used.map(({ labels, sums }) => ({
    labels,
    points: [...sums]
      .sort(([a], [b]) => a - b)
      .map(([bucket, { sum, count }]) => ({
        timeMs: firstMs + (bucket + 1) * stepMs,
        value: aggregation === 'sum' ? sum : sum / count,
      })),
  }));
  const total = (one: TimeSeries) => one.points.reduce((sum, point) => sum + point.value, 0);
  return series.sort(
    (a, b) => total(b) - total(a) || (JSON.stringify([...a.labels]) < JSON.stringify([...b.labels]) ? -1 : 1),
  );
}

/** What the threads of a selection took, the busiest first. Samples of which no thread is told are not in it. */
export async function selectThreads(store: Store, selection: Selection): Promise<ThreadTotal[]> {
  const entries = await selectSeries(store, selection);
  const totals = new Map<string, number>();
  for (const [service, ofService] of byService(entries)) {
    const { sql, parameters } = totalsByThread(asked(selection, service, ofService));
    const rows = new RowBinaryReader(await store.engine.query(sql, parameters));
    while (rows.more) {
      const thread = rows.string();
      totals.set(thread, (totals.get(thread) ?? 0) + rows.int64());
    }
  }
  return [...totals]
    .map(([thread, total]) => ({ thread, total }))
    .sort((a, b) => b.total - a.total || (a.thread < b.thread ? -1 : 1))
    .slice(0, THREADS_MAX);
}

interface Group {
  readonly labels: ReadonlyMap<string, string>;
  /** By step. */
  readonly sums: Map<number, { sum: number; count: number }>;
}

/** The group of a series by some of its labels; labels it has not are not in it. */
function groupBySome(groups: Map<string, Group>, labels: ReadonlyMap<string, string>, names: readonly string[]): Group {
  const some = new Map(names.flatMap((name) => (labels.has(name) ? [[name, labels.get(name) as string]] : [])));
  const key = JSON.stringify([...some]);
  let group = groups.get(key);
  if (group === undefined) groups.set(key, (group = { labels: some, sums: new Map() }));
  return group;
}

/** The series of a selection; without a profile type those of all types. */
export async function selectSeries(
  store: Store,
  selection: Omit<Selection, 'profileType'> & { profileType?: string },
): Promise<SeriesEntry[]> {
  await store.caughtUp();
  const entries = await store.series.select(selection.tenant, selection.matchers, selection);
  const { profileType } = selection;
  return profileType === undefined ? entries : entries.filter((entry) => entry.profileType === profileType);
}

async function nodeSums(store: Store, selection: Selection): Promise<NodeSums[]> {
  const entries = await selectSeries(store, selection);
  return Promise.all(
    [...byService(entries)].map(async ([service, ofService]) => {
      const question = asked(selection, service, ofService);
      const { thread, spans } = selection;
      const { sql, parameters } =
        spans !== undefined
          ? sumsByNodeOfSpans(question, spans)
          : thread !== undefined
            ? sumsByNodeOfThread(question, thread)
            : sumsByNode(question, store.rollups);
      warm(store.stacks.of(selection.tenant, service));
      const answer = await store.engine.query(sql, parameters);
      // Asked for after the sums: the stacks then have every node of them.
      return sumsByRow(await store.stacks.of(selection.tenant, service), answer);
    }),
  );
}

/** After a start the stacks are read and arranged while the engine sums. Whoever needs them asks again, and is told what failed. */
function warm(stacks: Promise<ServiceStacks>): void {
  stacks.then(
    (loaded) => loaded.mergedTree,
    () => undefined,
  );
}

/** Reads (node, sum) pairs of 64 bits each; two reads a number, since this loop sees every node of an answer. */
function sumsByRow(stacks: ServiceStacks, answer: Uint8Array): NodeSums {
  const words = new DataView(answer.buffer, answer.byteOffset, answer.byteLength);
  const rows = new Int32Array(answer.length / 16);
  const sums = new Float64Array(rows.length);
  let length = 0;
  let lost = 0;
  for (let at = 0; at < answer.length; at += 16) {
    const sum = words.getInt32(at + 12, true) * TWO_32 + words.getUint32(at + 8, true);
    const row = stacks.nodes.find(words.getUint32(at + 4, true) * TWO_32 + words.getUint32(at, true));
    if (row < 0) {
      lost += sum;
      continue;
    }
    rows[length] = row;
    sums[length++] = sum;
  }
  return { stacks, rows: rows.subarray(0, length), sums: sums.subarray(0, length), lost };
}

function byService(entries: readonly SeriesEntry[]): Map<string, SeriesEntry[]> {
  const services = new Map<string, SeriesEntry[]>();
  for (const entry of entries) {
    const known = services.get(entry.service);
    if (known === undefined) services.set(entry.service, [entry]);
    else known.push(entry);
  }
  return services;
}

function asked(selection: Selection, service: string, entries: readonly SeriesEntry[]): Asked {
  return {
    tenant: selection.tenant,
    profileType: selection.profileType,
    service,
    seriesIds: entries.map((entry) => entry.seriesId),
    startMs: Math.floor(selection.startMs),
    endMs: Math.ceil(selection.endMs),
  };
}

/** 1 for each row of the merged tree at or below the call site. */
function rowsBelow(stacks: ServiceStacks, callSite: readonly string[]): Uint8Array {
  const below = new Uint8Array(stacks.mergedLength);
  // How many names of the call site the path to the row has matched; a row past the last name is below it.
  const matched = new Int32Array(stacks.mergedLength).fill(-1);
  for (let row = 0; row < stacks.mergedLength; row++) {
    const parent = stacks.mergedParent[row] as number;
    const before = parent < 0 ? 0 : (matched[parent] as number);
    if (before < 0) continue;
    if (before >= callSite.length) matched[row] = before;
    else if (stacks.strings[stacks.mergedName[row] as number] === callSite[before]) matched[row] = before + 1;
    if ((matched[row] as number) >= callSite.length) below[row] = 1;
  }
  return below;
}

function keepBelow(stacks: ServiceStacks, self: Float64Array, callSite: readonly string[]): void {
  const below = rowsBelow(stacks, callSite);
  for (let row = 0; row < self.length; row++) if (below[row] !== 1) self[row] = 0;
}

function sumsBelow(services: NodeSums, callSite: readonly string[]): NodeSums {
  const { stacks, rows, sums } = services;
  const below = rowsBelow(stacks, callSite);
  const kept = rows.map((_, i) => i).filter((i) => below[stacks.nodeMerged[rows[i] as number] as number] === 1);
  const sumsKept = Float64Array.from(kept, (i) => sums[i] as number);
  return { ...services, rows: kept.map((i) => rows[i] as number), sums: sumsKept };
}

async function nodesBelow(store: Store, selection: Selection, service: string): Promise<number[]> {
  const stacks = await store.stacks.of(selection.tenant, service);
  const below = rowsBelow(stacks, selection.callSite as readonly string[]);
  const ids: number[] = [];
  for (let row = 0; row < stacks.nodes.length; row++) {
    if (below[stacks.nodeMerged[row] as number] === 1) ids.push(stacks.nodes.ids[row] as number);
  }
  return ids;
}

function unknownStack(value: number): CallTree {
  return callTreeFromParents({
    names: [UNKNOWN_FRAME],
    name: Int32Array.of(0),
    parent: Int32Array.of(-1),
    self: Float64Array.of(value),
  });
}
