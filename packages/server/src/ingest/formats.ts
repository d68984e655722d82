/** From the bytes of a body to a Reading: which format it is, and who reads it. */
import { JfrNames, PilotlightError, type Reading, readCollapsed, readJfr, readPprof } from '@pilotlight/profile';
import { type TextType, textType } from '@pilotlight/protocol/text-type';
import { InflateBudget } from './inflate.js';
import { parseMultipart } from './multipart.js';
import { metricOf, parseSampleTypeConfig } from './profile-type.js';

export const FORMATS = ['pprof', 'jfr', 'collapsed', 'folded', 'groups', 'lines'] as const;

export interface Body {
  readonly format: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly bytes: Uint8Array;
  readonly inflatedBytesMax: number;
  readonly withDetails: boolean;
  readonly sampleRate: number | undefined;
  readonly units: string;
  readonly appName: string;
}

export interface ReadBody {
  readonly reading: Reading;
  /** The parts that were read, inflated. */
  readonly content: readonly Uint8Array[];
  /** The application's name without what only told the type of a text format. */
  readonly service: string;
}

const DEFAULT_SAMPLE_RATE = 100;
/** Uploads of one program have nearly the same names; a worker keeps those it met. */
const JFR_NAMES = new JfrNames();

/** @throws PilotlightError */
export async function readBody(body: Body): Promise<ReadBody> {
  const budget = new InflateBudget(body.inflatedBytesMax);
  const bytes = decodeContent(body, budget);
  if (bytes.length === 0) throw empty();
  if (/^multipart\/form-data/i.test(body.contentType)) {
    const parts = await parseMultipart(body.contentType, bytes);
    const jfr = parts.get('jfr');
    if (body.format === 'jfr' || (body.format === '' && jfr !== undefined)) {
      if (jfr === undefined) throw missingPart('jfr', parts);
      const labels = parts.get('labels');
      return readJfrParts(body, budget.gunzipIfPacked(jfr), labels && budget.gunzipIfPacked(labels));
    }
    if (body.format !== '' && body.format !== 'pprof') throw unsupported(`format=${body.format} as multipart`);
    const profile = parts.get('profile');
    if (profile === undefined) throw missingPart('profile', parts);
    if (parts.has('prev_profile')) {
      throw new PilotlightError(
        'unsupported_format',
        'the upload has a prev_profile: the client is too old, differences are no longer computed by servers',
      );
    }
    return readPprofPart(body, budget.gunzipIfPacked(profile), parts.get('sample_type_config'));
  }
  const inflated = budget.gunzipIfPacked(bytes);
  if (inflated.length === 0) throw empty();
  switch (formatOf(body, inflated)) {
    case 'jfr':
      return readJfrParts(body, inflated, undefined);
    case 'pprof':
      return readPprofPart(body, inflated, undefined);
    case 'lines':
      return readText(body, inflated, true);
    default:
      return readText(body, inflated, false);
  }
}

/** One layer of Content-Encoding; a second one inside is gzip by its magic. */
function decodeContent(body: Body, budget: InflateBudget): Uint8Array {
  const encoding = body.contentEncoding.trim().toLowerCase();
  if (encoding === '' || encoding === 'identity') return body.bytes;
  if (encoding === 'gzip') return budget.gunzipIfPacked(body.bytes);
  throw new PilotlightError(
    'unsupported_format',
    `content-encoding ${JSON.stringify(encoding.slice(0, 100))} is not known; gzip and identity are`,
  );
}

function formatOf(body: Body, bytes: Uint8Array): string {
  const { format } = body;
  if (format === '') {
    const type = body.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (type === 'application/json' || /\+(trie|tree)$/.test(type)) throw unsupported(`content-type ${type}`);
    if (startsWith(bytes, 'FLR\0')) return 'jfr';
    // Text in UTF-16 says so in its first two bytes, which begin no field of a message.
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return 'collapsed';
    // A pprof begins with the tag of a field; no text does, and text holds no zero byte.
    return bytes.subarray(0, 4_096).includes(0) || bytes[0] === 0x0a ? 'pprof' : 'collapsed';
  }
  if (!(FORMATS as readonly string[]).includes(format)) throw unsupported(`format=${format.slice(0, 100)}`);
  return format;
}

function readJfrParts(body: Body, jfr: Uint8Array, labels: Uint8Array | undefined): ReadBody {
  const reading = readJfr(jfr, {
    details: body.withDetails,
    names: JFR_NAMES,
    ...(labels === undefined ? {} : { labels }),
    ...(body.sampleRate === undefined ? {} : { sampleRate: body.sampleRate }),
  });
  return { reading, content: labels === undefined ? [jfr] : [jfr, labels], service: body.appName };
}

function readPprofPart(body: Body, bytes: Uint8Array, config: Uint8Array | undefined): ReadBody {
  const displayNames = parseSampleTypeConfig(config);
  const reading = readPprof(bytes, { details: body.withDetails });
  const profiles = reading.profiles.map((named) => ({
    ...named,
    metric: metricOf(named.profile.sampleTypes, displayNames),
  }));
  // The configuration names the metric, so it tells uploads apart.
  return {
    reading: { ...reading, profiles },
    content: config === undefined ? [bytes] : [bytes, config],
    service: body.appName,
  };
}

function readText(body: Body, bytes: Uint8Array, linesCountOne: boolean): ReadBody {
  const type = textType(body.appName, body.units);
  const reading = readCollapsed(bytes, { sampleType: type.sampleType, linesCountOne });
  const period = Math.round(1e9 / (body.sampleRate ?? DEFAULT_SAMPLE_RATE));
  const profiles = reading.profiles.map((named) => ({
    ...named,
    metric: type.metric,
    profile: { ...named.profile, ...timesPeriod(named.profile, type, period), periodType: type.periodType },
  }));
  return { reading: { ...reading, profiles }, content: [bytes], service: type.service };
}

function timesPeriod(profile: Reading['profiles'][number]['profile'], type: TextType, period: number) {
  if (!type.timesPeriod) return {};
  const values = profile.samples.values.map((column) => column.map((count) => count * period));
  return { samples: { ...profile.samples, values }, period };
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[i] !== text.charCodeAt(i)) return false;
  return true;
}

function empty(): PilotlightError {
  return new PilotlightError('malformed_profile', 'the body is empty');
}

function missingPart(name: string, parts: ReadonlyMap<string, Uint8Array>): PilotlightError {
  const found = [...parts.keys()].map((part) => JSON.stringify(part.slice(0, 50))).join(', ') || 'none';
  return new PilotlightError('malformed_profile', `multipart body: the part "${name}" is missing (found: ${found})`);
}

function unsupported(what: string): PilotlightError {
  return new PilotlightError(
    'unsupported_format',
    `${what} is not a format this server takes; it takes ${FORMATS.join(', ')}`,
  );
}
