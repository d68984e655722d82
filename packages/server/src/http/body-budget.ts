import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { PilotlightError } from '@pilotlight/profile';

/** Packed bytes of one body, and of all bodies that are in the house together. */
export const BODY_LIMITS = { bodyBytesMax: 32 * 1024 * 1024, allBytesMax: 256 * 1024 * 1024 } as const;
/** Inflated bytes of one body. */
export const INFLATED_BYTES_MAX = 64 * 1024 * 1024;

/** The length a request's headers promise, if they do. */
export function declaredLength(headers: IncomingHttpHeaders): number | undefined {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isNaN(length) ? undefined : length;
}

/** Memory that request bodies may take, given out as the bytes arrive. */
export class BodyBudget {
  private taken = 0;
  private readonly reading = new Set<(error: PilotlightError) => void>();

  constructor(
    private readonly bodyBytesMax: number = BODY_LIMITS.bodyBytesMax,
    private readonly allBytesMax: number = BODY_LIMITS.allBytesMax,
  ) {}

  get bytes(): number {
    return this.taken;
  }

  /**
   * Reads a whole body into one buffer of its own; `release` gives its bytes back. What is left of a body that is refused is read and dropped: a client that is
   * still sending would otherwise find a broken connection in place of the answer, and send again.
   *
   * @throws PilotlightError
   */
  async read(
    stream: Readable,
    declared: number | undefined,
  ): Promise<{ bytes: Uint8Array<ArrayBuffer>; release: () => void }> {
    // A declared length is only a reason to refuse early, never one to allocate.
    if (declared !== undefined && declared > this.bodyBytesMax) {
      stream.resume();
      throw this.tooLarge();
    }
    const chunks: Buffer[] = [];
    let length = 0;
    const release = () => {
      this.taken -= length;
      length = 0;
    };
    try {
      await this.each(stream, (chunk) => {
        length += chunk.length;
        this.taken += chunk.length;
        if (length > this.bodyBytesMax) throw this.tooLarge();
        if (this.taken > this.allBytesMax) throw this.tooMuch();
        chunks.push(chunk);
      });
    } catch (thrown) {
      release();
      throw thrown;
    }
    return { bytes: joined(chunks, length), release };
  }

  /**
   * Inflates a body that was read whole, chunk by chunk: what comes out counts as a body too, so that many small bombs are bounded together.
   *
   * @throws PilotlightError
   */
  async inflate(
    packed: Uint8Array,
    inflatedBytesMax: number = INFLATED_BYTES_MAX,
  ): Promise<{ bytes: Uint8Array<ArrayBuffer>; release: () => void }> {
    const gunzip = createGunzip();
    const chunks: Buffer[] = [];
    let length = 0;
    const release = () => {
      this.taken -= length;
      length = 0;
    };
    try {
      gunzip.end(packed);
      for await (const chunk of gunzip as AsyncIterable<Buffer>) {
        length += chunk.length;
        this.taken += chunk.length;
        if (length > inflatedBytesMax) throw inflatesTooFar(inflatedBytesMax);
        if (this.taken > this.allBytesMax) throw this.tooMuch();
        chunks.push(chunk);
      }
    } catch (thrown) {
      release();
      if (thrown instanceof PilotlightError) throw thrown;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new PilotlightError('malformed_request', `the body is no gzip, or is damaged: ${reason}`, {
        cause: thrown,
      });
    }
    return { bytes: joined(chunks, length), release };
  }

  /** Refuses the bodies that are still coming in: the server ends. */
  stop(): void {
    const error = new PilotlightError('store_unavailable', 'the server is shutting down; send again later');
    for (const refuse of this.reading) refuse(error);
  }

  /** Not `for await`, which destroys the stream, and with it the connection, when `take` throws. */
  private each(stream: Readable, take: (chunk: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => {
        this.reading.delete(refuse);
        stream.off('data', onData);
        stream.resume();
        done();
      };
      const refuse = (error: unknown) => settle(() => reject(error));
      const onData = (chunk: Buffer) => {
        try {
          take(chunk);
        } catch (thrown) {
          refuse(thrown);
        }
      };
      this.reading.add(refuse);
      if (stream.destroyed) refuse(cutOff());
      stream.on('data', onData);
      stream.once('end', () => settle(resolve));
      // Also after the answer: an error nobody listens to would end the process.
      stream.on('error', (error: NodeJS.ErrnoException) => refuse(error.code === 'ECONNRESET' ? cutOff() : error));
      stream.once('close', () => refuse(cutOff()));
    });
  }

  private tooLarge(): PilotlightError {
    return new PilotlightError('body_size_limit', `the body is larger than ${this.bodyBytesMax} bytes`, {
      limit: this.bodyBytesMax,
    });
  }

  private tooMuch(): PilotlightError {
    return new PilotlightError(
      'rate_limited',
      `the bodies of all uploads under way hold more than ${this.allBytesMax} bytes; send again later`,
      { limit: this.allBytesMax },
    );
  }
}

function joined(chunks: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function inflatesTooFar(limit: number): PilotlightError {
  return new PilotlightError('body_size_limit', `the body inflates to more than ${limit} bytes`, { limit });
}

function cutOff(): PilotlightError {
  return new PilotlightError('malformed_request', 'the body ended before it was complete');
}
