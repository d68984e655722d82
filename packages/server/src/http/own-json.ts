import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ConnectRouter, type ContextValues, createContextKey, createContextValues } from '@connectrpc/connect';
import type { Flamebearer } from '@pilotlight/profile';
import type { TimeSeries } from '../store/select.js';

type Handler = ConnectRouter['handlers'][number];

/** Set where the client takes JSON: whoever puts text into it writes the answer by itself. */
const OWN_JSON = createContextKey<{ text: string | undefined } | undefined>(undefined);
const GZIP_BYTES_MIN = 1_024;
/** An answer is sent once, mostly to the same machine or rack: the last tenth of its size is not worth three times the work. */
const GZIP_LEVEL = 1;

const compressed = promisify(gzip);

/** Hands over the answer as JSON, when JSON is what the client takes: then the message itself is not looked at. */
export function answerJson(values: ContextValues, json: () => string): boolean {
  const own = values.get(OWN_JSON);
  if (own === undefined) return false;
  own.text = json();
  return true;
}

/**
 * Lets handlers write the JSON of an answer. Everything else, above all what is refused and how, stays with Connect. Why: a flame graph holds fifty
 * thousand 64-bit numbers, and to make them values of a message and JSON of those takes six times as long as to write them.
 */
export function takeOwnJson(router: ConnectRouter): void {
  router.handlers.forEach((handler, index) => {
    const wrapped: Handler = Object.assign(async (request: Parameters<Handler>[0]) => {
      if (!/^application\/json\b/.test(request.header.get('content-type') ?? '')) return handler(request);
      const contextValues = request.contextValues ?? createContextValues();
      const own: { text: string | undefined } = { text: undefined };
      contextValues.set(OWN_JSON, own);
      const response = await handler({ ...request, contextValues });
      if (response.status !== 200 || own.text === undefined) return response;
      const header = new Headers(response.header);
      let bytes = Buffer.from(own.text);
      if (bytes.length >= GZIP_BYTES_MIN && /\bgzip\b/.test(request.header.get('accept-encoding') ?? '')) {
        bytes = await compressed(bytes, { level: GZIP_LEVEL });
        header.set('content-encoding', 'gzip');
      }
      header.set('content-length', String(bytes.length));
      return { ...response, header, body: once(bytes) };
    }, handler);
    router.handlers[index] = wrapped;
  });
}

/** A `SelectMergeStacktracesResponse`: 64-bit numbers are strings, and 0 is absent. */
export function flameGraphJson({ names, levels, total, maxSelf }: Flamebearer): string {
  const bars = levels.map((level) => `{"values":["${level.join('","')}"]}`).join();
  const numbers = Object.entries({ total, maxSelf }).map(([name, value]) =>
    value === 0 ? '' : `,"${name}":"${value}"`,
  );
  return `{"flamegraph":{"names":${JSON.stringify(names)},"levels":[${bars}]${numbers.join('')}}}`;
}

/** A `SelectSeriesResponse`, whose numbers are absent, too, when they are 0. */
export function seriesJson(series: readonly TimeSeries[]): string {
  return JSON.stringify({
    ...(series.length > 0 && {
      series: series.map(({ labels, points }) => ({
        ...(labels.size > 0 && { labels: Array.from(labels, ([name, value]) => ({ name, value })) }),
        points: points.map(({ timeMs, value }) => ({
          value: value === 0 ? undefined : value,
          timestamp: timeMs === 0 ? undefined : String(timeMs),
        })),
      })),
    }),
  });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
