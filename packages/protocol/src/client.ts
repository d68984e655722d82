/**
 * A small client of the query side: JSON over `fetch`, no protobuf run-time, so that it costs the page next to nothing.
 * All times are milliseconds since the epoch.
 */
import {
  type CallTree,
  type DiffTree,
  decodeDiff,
  decodeFlameGraph,
  ERROR_CODES,
  type ErrorCode,
  PilotlightError,
} from '@pilotlight/profile';
import { CLIENT_ROUTES, type ExportFormat } from './routes.js';

export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** `process_cpu:cpu:nanoseconds:cpu:nanoseconds` and its parts. */
export interface ProfileTypeInfo {
  readonly id: string;
  readonly name: string;
  readonly sampleType: string;
  readonly sampleUnit: string;
  readonly periodType: string;
  readonly periodUnit: string;
}

/** What is asked for: a profile type, a selector such as `{service_name="shop", pod=~"a.*"}`, a range. */
export interface Selection extends TimeRange {
  readonly profileType: string;
  readonly selector: string;
  /** Only samples of this thread; heeded by `flameGraph` and `exportProfile`, as long as the server keeps details. */
  readonly thread?: string;
}

export interface ThreadTotal {
  readonly thread: string;
  readonly total: number;
}

/** One profile type of two selections. */
export interface DiffSelection {
  readonly profileType: string;
  readonly left: Omit<Selection, 'profileType'>;
  readonly right: Omit<Selection, 'profileType'>;
}

export interface Flamebearer {
  readonly names: string[];
  /** Four numbers a bar: gap to the end of the previous bar, total, self, index into names. */
  readonly levels: number[][];
  readonly total: number;
  readonly maxSelf: number;
}

export interface SeriesPoints {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly { readonly timestamp: number; readonly value: number }[];
}

/** Why uploads, or parts of them, were not kept. */
export interface RefusalReport {
  readonly service: string;
  readonly reason: string;
  readonly count: number;
  /** ISO 8601. */
  readonly last: string;
  readonly message: string;
}

/** One program that uploads for one service, since the start of the server. */
export interface AgentReport {
  readonly service: string;
  /** What it calls itself: the `spyName` of an ingest, and the User-Agent, which mostly has the version; either may be empty. */
  readonly spyName: string;
  readonly userAgent: string;
  readonly uploads: number;
  readonly refusals: number;
  /** ISO 8601, where there was one. */
  readonly lastUpload?: string;
  readonly lastRefusal?: string;
  /** The error code of the last refusal. */
  readonly lastReason?: string;
}

/** What a service takes up in the store. */
export interface ServiceStorageReport {
  readonly service: string;
  readonly profiles: number;
  readonly samples: number;
  /** Its part of the tables on disk, by its part of their rows: services share files. */
  readonly bytes: number;
  /** Start of the oldest profile and of the newest; ISO 8601. */
  readonly oldest: string;
  readonly newest: string;
}

export interface StatusReport {
  readonly version: string;
  readonly startedAt: string;
  /** Since the start: taken, sent again and recognised, and what was not kept (uploads or parts of them). */
  readonly uploads: number;
  readonly uploadsKnown: number;
  readonly refused: number;
  readonly series: number;
  readonly storeBytes: number;
  readonly logRecords: number;
  readonly logBytes: number;
  /** Uploads that the engine would not take, kept aside. */
  readonly setAside: number;
  readonly retention: { readonly ageSeconds: number; readonly bytes: number };
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly bytes: number }[];
  /** The largest first. */
  readonly services: readonly ServiceStorageReport[];
  /** The latest heard of first. */
  readonly agents: readonly AgentReport[];
  readonly refusals: readonly RefusalReport[];
}

export interface ClientOptions {
  /** For example `http://127.0.0.1:4040`; empty for the page's own origin. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
  readonly token?: string;
}

export type PilotlightClient = ReturnType<typeof createClient>;

type Json = Record<string, unknown>;

const AGGREGATIONS = {
  sum: 'TIME_SERIES_AGGREGATION_TYPE_SUM',
  average: 'TIME_SERIES_AGGREGATION_TYPE_AVERAGE',
} as const;

export function createClient(options: ClientOptions) {
  const doFetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const headers: Record<string, string> = options.token ? { authorization: `Bearer ${options.token}` } : {};

  async function answer(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const response = await doFetch(options.baseUrl + path, { ...init, ...(signal ? { signal } : {}) });
    if (response.ok) return response;
    const text = await response.text();
    throw errorFrom(response.status, text);
  }

  async function rpc(method: string, message: Json, signal?: AbortSignal): Promise<Json> {
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: '*/*; allow-utf8-labelnames=true' },
      body: JSON.stringify(message),
    };
    return (await (await answer(`${CLIENT_ROUTES.querier}/${method}`, init, signal)).json()) as Json;
  }

  async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return (await (await answer(path, { headers }, signal)).json()) as T;
  }

  async function bytes(path: string, query: Record<string, string>, signal?: AbortSignal): Promise<Uint8Array> {
    const response = await answer(`${path}?${new URLSearchParams(query)}`, { headers }, signal);
    return new Uint8Array(await response.arrayBuffer());
  }

  return {
    async profileTypes(range: TimeRange, signal?: AbortSignal): Promise<ProfileTypeInfo[]> {
      const body = await rpc('ProfileTypes', times(range), signal);
      return list(body['profileTypes']).map((type) => ({
        id: text(type['ID']),
        name: text(type['name']),
        sampleType: text(type['sampleType']),
        sampleUnit: text(type['sampleUnit']),
        periodType: text(type['periodType']),
        periodUnit: text(type['periodUnit']),
      }));
    },

    async labelNames(range: TimeRange, matchers: readonly string[] = [], signal?: AbortSignal): Promise<string[]> {
      return strings((await rpc('LabelNames', { matchers, ...times(range) }, signal))['names']);
    },

    async labelValues(
      name: string,
      range: TimeRange,
      matchers: readonly string[] = [],
      signal?: AbortSignal,
    ): Promise<string[]> {
      return strings((await rpc('LabelValues', { name, matchers, ...times(range) }, signal))['names']);
    },

    /** The label sets of the series that match; with `labelNames` only those labels, each distinct combination once. */
    async series(
      range: TimeRange,
      matchers: readonly string[] = [],
      labelNames: readonly string[] = [],
      signal?: AbortSignal,
    ): Promise<Record<string, string>[]> {
      const body = await rpc('Series', { matchers, labelNames, ...times(range) }, signal);
      return list(body['labelsSet']).map((labels) => labelRecord(labels['labels']));
    },

    async selectMergeStacktraces(selection: Selection, maxNodes = 0, signal?: AbortSignal): Promise<Flamebearer> {
      const body = await rpc('SelectMergeStacktraces', { ...select(selection), maxNodes: String(maxNodes) }, signal);
      const flamegraph = (body['flamegraph'] ?? {}) as Json;
      return {
        names: strings(flamegraph['names']),
        levels: list(flamegraph['levels']).map((level) => ((level['values'] ?? []) as unknown[]).map(Number)),
        total: Number(flamegraph['total'] ?? 0),
        maxSelf: Number(flamegraph['maxSelf'] ?? 0),
      };
    },

    /** The call tree of a selection with at most about `maxNodes` nodes; what is lighter comes summed up as "other". */
    async flameGraph(selection: Selection, maxNodes: number, signal?: AbortSignal): Promise<CallTree> {
      const parameters = { ...parametersOf(selection), maxNodes: String(maxNodes) };
      return decodeFlameGraph(await bytes(CLIENT_ROUTES.flameGraph, parameters, signal)).tree;
    },

    /** What the threads of a selection took, the busiest first; empty where no sender tells threads. */
    async threads(selection: Selection, signal?: AbortSignal): Promise<ThreadTotal[]> {
      const { thread: _, ...whole } = selection;
      const path = `${CLIENT_ROUTES.threads}?${new URLSearchParams(parametersOf(whole))}`;
      return (await get<{ threads: ThreadTotal[] }>(path, signal)).threads;
    },

    /** Two call trees laid over each other, cut as in `flameGraph`. */
    async diff(
      { profileType: type, left, right }: DiffSelection,
      maxNodes: number,
      signal?: AbortSignal,
    ): Promise<DiffTree> {
      const before = wholeRange(left);
      const after = wholeRange(right);
      const parameters = {
        type,
        leftQuery: left.selector,
        leftFrom: before.from,
        leftUntil: before.until,
        rightQuery: right.selector,
        rightFrom: after.from,
        rightUntil: after.until,
        maxNodes: String(maxNodes),
      };
      return decodeDiff(await bytes(CLIENT_ROUTES.diff, parameters, signal)).diff;
    },

    /** Values over time: a point at start + k × step is the sum, or the mean, of the profiles of (that − step, that]. */
    async selectSeries(
      selection: Selection,
      stepSeconds: number,
      groupBy: readonly string[] = [],
      signal?: AbortSignal,
      aggregation: 'sum' | 'average' = 'sum',
    ): Promise<SeriesPoints[]> {
      const message = { ...select(selection), step: stepSeconds, groupBy, aggregation: AGGREGATIONS[aggregation] };
      const body = await rpc('SelectSeries', message, signal);
      return list(body['series']).map((series) => ({
        labels: labelRecord(series['labels']),
        points: list(series['points']).map((point) => ({
          timestamp: Number(point['timestamp'] ?? 0),
          value: Number(point['value'] ?? 0),
        })),
      }));
    },

    /** The merged profile as pprof bytes, not compressed. */
    async selectMergeProfile(selection: Selection, signal?: AbortSignal): Promise<Uint8Array> {
      const { from, until } = wholeRange(selection);
      const query = { query: `${selection.profileType}${selection.selector}`, from, until, format: 'pprof' };
      return bytes(CLIENT_ROUTES.render, query, signal);
    },

    /** The merged profile as a file; `not_found` when nothing matches. */
    exportProfile(selection: Selection, format: ExportFormat, signal?: AbortSignal): Promise<Uint8Array> {
      return bytes(CLIENT_ROUTES.export, { format, ...parametersOf(selection) }, signal);
    },

    /** Stores a file: pprof, JFR or collapsed stacks. Times in milliseconds; `keep` takes a file of any age. */
    async upload(
      file: Blob,
      upload: { readonly name: string; readonly format: string; readonly range?: TimeRange; readonly keep?: boolean },
      signal?: AbortSignal,
    ): Promise<void> {
      const query = new URLSearchParams({ name: upload.name, format: upload.format });
      if (upload.range !== undefined) {
        // Whole seconds, outwards: the exact time stands in the file.
        query.set('from', String(Math.floor(upload.range.start / 1_000)));
        query.set('until', String(Math.ceil(upload.range.end / 1_000)));
      }
      if (upload.keep === true) query.set('keep', 'true');
      const type = { 'content-type': 'application/octet-stream' };
      const init = { method: 'POST', headers: { ...headers, ...type }, body: file };
      await answer(`${CLIENT_ROUTES.ingest}?${query}`, init, signal);
    },

    async refusals(signal?: AbortSignal): Promise<RefusalReport[]> {
      return (await get<{ refusals: RefusalReport[] }>(CLIENT_ROUTES.refusals, signal)).refusals;
    },

    status(signal?: AbortSignal): Promise<StatusReport> {
      return get<StatusReport>(CLIENT_ROUTES.status, signal);
    },
  };
}

/** The error a server's answer holds, or what something in between said in its own words. */
export function errorFrom(status: number, body: string): PilotlightError {
  try {
    const { code, message } = JSON.parse(body) as { code?: ErrorCode; message?: string };
    if (code !== undefined && message !== undefined) {
      // The RPC routes answer in the codes of their protocol; ours leads the message.
      const ours = ERROR_CODES.find((one) => message.startsWith(`${one}: `));
      return ours === undefined
        ? new PilotlightError(code, message)
        : new PilotlightError(ours, message.slice(ours.length + 2));
    }
  } catch {
    // Not ours: a proxy answered, and its words are the best there is to show.
  }
  return new PilotlightError('internal', `HTTP ${status} ${body.slice(0, 2_000)}`.trim());
}

function times(range: TimeRange): Json {
  const { from, until } = wholeRange(range);
  return { start: from, end: until };
}

/** As the server's own routes want it. */
function parametersOf(selection: Selection): Record<string, string> {
  const { profileType: type, selector: query, thread } = selection;
  return { type, query, ...wholeRange(selection), ...(thread === undefined ? {} : { thread }) };
}

/** In whole milliseconds, as text. */
function wholeRange({ start, end }: TimeRange): { from: string; until: string } {
  return { from: String(Math.floor(start)), until: String(Math.ceil(end)) };
}

function select(selection: Selection): Json {
  return { profileTypeID: selection.profileType, labelSelector: selection.selector, ...times(selection) };
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(text) : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function labelRecord(labels: unknown): Record<string, string> {
  return Object.fromEntries(list(labels).map((label) => [text(label['name']), text(label['value'])]));
}
