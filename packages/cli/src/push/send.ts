import { setTimeout as sleep } from 'node:timers/promises';
import { errorFrom } from '@pilotlight/protocol';

const TRIES_MAX = 5;
const TIMEOUT_MILLIS = 60_000;
const WAIT_MILLIS_MAX = 30_000;

/** Too many requests, and a store that is full or away: the two answers that get better by waiting. */
const WORTH_RETRYING = new Set([429, 503]);

export interface Sender {
  readonly fetch?: typeof fetch;
  readonly wait?: (millis: number, signal: AbortSignal | undefined) => Promise<unknown>;
  /** Called before each wait, to tell whoever is watching. */
  readonly onRetry?: (error: Error, millis: number) => void;
  /** Whether the server has answered anything: then a connection that fails is worth waiting for it. */
  readonly reached?: { server: boolean };
  /** Ends the request under way, and the waiting. */
  readonly signal?: AbortSignal;
}

/**
 * Posts `body` until the server has taken it, refused it, or been too busy or away five times.
 *
 * @throws PilotlightError with the server's code and sentence.
 */
export async function post(
  url: URL,
  body: Uint8Array,
  headers: Record<string, string>,
  sender: Sender = {},
): Promise<void> {
  const { fetch: doFetch = fetch, wait = waitFor, onRetry, signal, reached = { server: false } } = sender;
  for (let tries = 1; ; tries++) {
    let error: Error;
    let retryAfter: string | null = null;
    try {
      const response = await doFetch(url, {
        method: 'POST',
        headers,
        body: body as Uint8Array<ArrayBuffer>,
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MILLIS), ...(signal === undefined ? [] : [signal])]),
      });
      const text = await response.text();
      reached.server = true;
      if (response.ok) return;
      error = errorFrom(response.status, text);
      retryAfter = response.headers.get('retry-after');
      if (!WORTH_RETRYING.has(response.status)) throw error;
    } catch (thrown) {
      error = thrown as Error;
      if (error.name === 'TimeoutError') {
        throw new Error(`the server did not answer within ${TIMEOUT_MILLIS / 1_000} s`);
      }
      // A server that has answered before is being started again; what it has of this upload, it knows when it comes once more.
      if (!(error instanceof TypeError && reached.server)) throw error;
    }
    if (tries === TRIES_MAX) throw error;
    const millis = waitMillis(retryAfter, tries);
    onRetry?.(error, millis);
    await wait(millis, signal);
  }
}

function waitFor(millis: number, signal: AbortSignal | undefined): Promise<unknown> {
  return sleep(millis, undefined, signal === undefined ? {} : { signal });
}

/** What the server asks for, else 1, 2, 4, … seconds. */
function waitMillis(retryAfter: string | null, tries: number): number {
  const asked = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 1_000 * 2 ** (tries - 1);
  return Math.min(asked, WAIT_MILLIS_MAX);
}
