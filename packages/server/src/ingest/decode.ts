/** One request's worth of decoding, as a function of its message: it runs in a worker thread, and in tests without one. */
import {
  type ErrorCode,
  type ErrorPlace,
  type Label,
  PilotlightError,
  RefusalTally,
  readPprof,
} from '@pilotlight/profile';
import type { Upload } from '../store/store.js';
import { parseAppName } from './app-name.js';
import { readBody } from './formats.js';
import { InflateBudget } from './inflate.js';
import { parseQuery } from './query-string.js';
import { uploadLabels } from './series-labels.js';
import { parseTime } from './time-parameter.js';
import { uploadsOf } from './upload.js';

interface Common {
  readonly tenant: string;
  readonly receivedMs: number;
  readonly retentionAgeSeconds: number;
  readonly inflatedBytesMax: number;
  /** Whether what is told of single samples is wanted; default: yes. */
  readonly withDetails?: boolean;
}

export interface IngestTask extends Common {
  readonly kind: 'ingest';
  /** Of the URL, without the `?`. */
  readonly query: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly body: Uint8Array;
}

export interface PushTask extends Common {
  readonly kind: 'push';
  readonly series: readonly { readonly labels: readonly Label[]; readonly profiles: readonly Uint8Array[] }[];
}

export type DecodeTask = IngestTask | PushTask;

export interface RefusedElement {
  readonly service: string;
  readonly reason: string;
  readonly count: number;
  readonly message: string;
}

export interface Decoded {
  readonly uploads: readonly Upload[];
  /** What was left out while the rest is kept; with an error, each thing that led to it. */
  readonly refused: readonly RefusedElement[];
  /** Set when nothing could be read; the error as plain data, since an error's own fields do not cross threads. */
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly place: ErrorPlace };
  /** As far as it was read; empty when the request does not say. */
  readonly service: string;
}

/** Reasons that cost whole samples; the others only tell of something cut or mended. */
const COSTS_SAMPLES: ReadonlySet<string> = new Set([
  'invalid_line',
  'value_over_limit',
  'negative_value',
  'malformed_event',
  'damaged_chunk',
  'unfinished_chunk',
]);

/** Never throws: what is wrong with a body is an answer. */
export async function decode(task: DecodeTask): Promise<Decoded> {
  const said = { service: '' };
  try {
    return task.kind === 'ingest' ? await decodeIngest(task, said) : decodePush(task, said);
  } catch (thrown) {
    const { code, message, place } = PilotlightError.from(thrown);
    return { uploads: [], refused: [], error: { code, message, place }, service: said.service };
  }
}

async function decodeIngest(task: IngestTask, said: { service: string }): Promise<Decoded> {
  const query = parseQuery(task.query);
  const name = query.get('name');
  if (name === undefined) throw new PilotlightError('malformed_name', 'the query parameter name is missing');
  const app = parseAppName(name);
  said.service = app.name;
  const time = (parameter: string) => {
    const text = query.get(parameter);
    return text === undefined || text === '' ? undefined : parseTime(parameter, text, task.receivedMs);
  };
  const fromMs = time('from');
  const untilMs = time('until');
  const format = (query.get('format') ?? '').toLowerCase();
  const rate = Number(query.get('sampleRate') ?? '');
  const read = await readBody({
    format,
    contentType: task.contentType,
    contentEncoding: task.contentEncoding,
    bytes: task.body,
    inflatedBytesMax: task.inflatedBytesMax,
    withDetails: task.withDetails ?? true,
    // Clients are known to send 0 where they have none.
    sampleRate: Number.isFinite(rate) && rate > 0 ? rate : undefined,
    units: query.get('units') ?? '',
    appName: app.name,
  });
  const labels = uploadLabels(read.service, app.labels, query.get('spyName') ?? '');
  const service = labels.get('service_name') as string;
  said.service = service;
  const tally = new RefusalTally();
  const uploads = uploadsOf(
    read.reading,
    {
      tenant: task.tenant,
      labels,
      fromMs,
      untilMs,
      receivedMs: task.receivedMs,
      retentionAgeSeconds: task.retentionAgeSeconds,
      keepsOld: query.get('keep') === 'true',
      content: read.content,
      // All that was said of the body: the same bytes under another type or rate are another profile.
      identity: JSON.stringify([...query].sort()),
    },
    tally,
  );
  const refused = elements(service, [...read.reading.refusals, ...tally.list()]);
  return { uploads, refused, ...nothingKept(uploads, refused), service };
}

/** A body without one good sample is no success; one that never had a sample is. */
function nothingKept(uploads: readonly Upload[], refused: readonly RefusedElement[]): Pick<Decoded, 'error'> {
  const lost = uploads.length === 0 ? refused.find(({ reason }) => COSTS_SAMPLES.has(reason)) : undefined;
  if (lost === undefined) return {};
  const message = `nothing of the upload could be kept: ${lost.message}`;
  return { error: { code: 'malformed_profile', message, place: {} } };
}

function decodePush(task: PushTask, said: { service: string }): Decoded {
  const uploads: Upload[] = [];
  const refused: RefusedElement[] = [];
  const budget = new InflateBudget(task.inflatedBytesMax);
  let error: PilotlightError | undefined;
  task.series.forEach((series, seriesIndex) => {
    series.profiles.forEach((packed, profileIndex) => {
      const given = new Map(series.labels.map(({ name, value }) => [name, value]));
      const service = given.get('service_name') ?? 'unknown_service';
      said.service ||= service;
      try {
        uploads.push(...pushedProfile(task, series.labels, given, service, budget.gunzipIfPacked(packed), refused));
      } catch (thrown) {
        const cause = PilotlightError.from(thrown);
        const message = `series ${seriesIndex}, profile ${profileIndex}: ${cause.message}`;
        error ??= new PilotlightError(cause.code, message, cause.place);
        refused.push({ service, reason: cause.code, count: 1, message });
      }
    });
  });
  if (uploads.length === 0 && error !== undefined) {
    const { code, message, place } = error;
    return { uploads, refused, error: { code, message, place }, service: said.service };
  }
  return { uploads, refused, ...nothingKept(uploads, refused), service: said.service };
}

function pushedProfile(
  task: PushTask,
  labels: readonly Label[],
  given: ReadonlyMap<string, string>,
  service: string,
  bytes: Uint8Array,
  refused: RefusedElement[],
): Upload[] {
  const metric = given.get('__name__');
  if (metric === undefined || metric === '') {
    throw new PilotlightError('malformed_name', 'the label __name__ is missing: it names the kind of profile');
  }
  const reading = readPprof(bytes, { details: task.withDetails ?? true });
  const profiles = reading.profiles.map((named) => ({ ...named, metric: metric.replace(/^godeltaprof_/, '') }));
  const tally = new RefusalTally();
  const uploads = uploadsOf(
    { ...reading, profiles },
    {
      tenant: task.tenant,
      labels: uploadLabels(service, labels, ''),
      fromMs: undefined,
      untilMs: undefined,
      receivedMs: task.receivedMs,
      retentionAgeSeconds: task.retentionAgeSeconds,
      content: [bytes],
      identity: `push ${metric}`,
    },
    tally,
  );
  refused.push(...elements(service, [...reading.refusals, ...tally.list()]));
  return uploads;
}

function elements(service: string, refusals: readonly { reason: string; count: number; first: string }[]) {
  return refusals.map(({ reason, count, first }) => ({ service, reason, count, message: first }));
}
