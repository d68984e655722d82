/** One try of one upload: `POST /ingest`, the wire form of Pyroscope's agents. */
import * as http from 'node:http';
import * as https from 'node:https';
import type { AgentConfiguration } from './configuration.js';
import { ingestName } from './labels.js';
import { VERSION } from './version.js';

/** A window that is ready to go. */
export interface Upload {
  readonly fromMillis: number;
  readonly untilMillis: number;
  readonly intervalMicros: number;
  /** Gzipped pprof. */
  readonly body: Uint8Array;
}

export type Answer =
  | { readonly outcome: 'accepted' }
  /** Worth another try: no answer, 429 or 5xx. */
  | { readonly outcome: 'failed'; readonly reason: string }
  /** Another try would be answered the same. */
  | { readonly outcome: 'refused'; readonly status: number; readonly reason: string };

/** Of an answer's body; enough for its sentence. */
const ANSWER_BYTES_MAX = 8192;
const SENTENCE_LENGTH_MAX = 300;

export type Ingest = (upload: Upload) => Promise<Answer>;

export function ingestTo(configuration: AgentConfiguration): Ingest {
  const name = ingestName(configuration.applicationName, configuration.labels, process.version.slice(1));
  const { serverAddress, exportTimeoutMillis } = configuration;
  const request = serverAddress.startsWith('https:') ? https.request : http.request;
  return (upload) =>
    new Promise((resolve) => {
      // A connection of its own for each window: in the seconds between two, servers close kept ones.
      const posted = request(`${serverAddress}/ingest?${query(name, upload)}`, {
        method: 'POST',
        agent: false,
        headers: {
          'User-Agent': `pilotlight-agent/${VERSION} node/${process.versions.node}`,
          ...Object.fromEntries(configuration.headers),
          'Content-Type': 'application/octet-stream',
          'Content-Length': upload.body.length,
        },
      });
      const timer = setTimeout(
        () => posted.destroy(new Error(`no answer within ${exportTimeoutMillis} ms`)),
        exportTimeoutMillis,
      );
      const settle = (answer: Answer): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      posted.on('error', (error) => settle({ outcome: 'failed', reason: reasonOf(error) }));
      posted.on('response', (response) => {
        const chunks: Uint8Array[] = [];
        let bytes = 0;
        const finish = (): void => settle(answerOf(response.statusCode ?? 0, Buffer.concat(chunks).toString()));
        response.on('data', (chunk: Uint8Array) => {
          chunks.push(chunk.subarray(0, ANSWER_BYTES_MAX - bytes));
          bytes += chunk.length;
          if (bytes < ANSWER_BYTES_MAX) return;
          finish();
          posted.destroy();
        });
        response.on('end', finish);
        response.on('error', (error) => settle({ outcome: 'failed', reason: reasonOf(error) }));
      });
      posted.end(upload.body);
    });
}

function query(name: string, upload: Upload): string {
  return Object.entries({
    name,
    from: Math.floor(upload.fromMillis / 1000),
    until: Math.ceil(upload.untilMillis / 1000),
    spyName: 'nodespy',
    sampleRate: Math.max(1, Math.floor(1e6 / upload.intervalMicros)),
    format: 'pprof',
  })
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&');
}

function answerOf(status: number, body: string): Answer {
  if (status >= 200 && status < 300) return { outcome: 'accepted' };
  const reason = `the server answered ${status}: ${sentenceOf(body)}`;
  return status === 429 || status >= 500 || status === 0
    ? { outcome: 'failed', reason }
    : { outcome: 'refused', status, reason };
}

/** The `message` of a JSON answer, else the text itself. */
function sentenceOf(body: string): string {
  let text = body;
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    if (typeof message === 'string') text = message;
  } catch {
    // Not JSON: the text is the sentence.
  }
  return text.trim().slice(0, SENTENCE_LENGTH_MAX) || '(nothing)';
}

/** An error of several addresses (IPv6 and IPv4) has an empty message. */
function reasonOf(error: NodeJS.ErrnoException): string {
  return error.message === '' ? (error.code ?? 'the connection failed') : error.message;
}
