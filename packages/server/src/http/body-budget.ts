import { PilotlightError } from '@pilotlight/profile';

/** Packed bytes of one body, and of all bodies that are in the house together. */
export const BODY_LIMITS = { bodyBytesMax: 32 * 1024 * 1024, allBytesMax: 256 * 1024 * 1024 } as const;
/** Inflated bytes of one body. */
export const INFLATED_BYTES_MAX = 64 * 1024 * 1024;

/** Memory that request bodies may take, given out as the bytes arrive. */
export class BodyBudget {
  private taken = 0;

  constructor(
    private readonly bodyBytesMax: number = BODY_LIMITS.bodyBytesMax,
    private readonly allBytesMax: number = BODY_LIMITS.allBytesMax,
  ) {}

  get bytes(): number {
    return this.taken;
  }

  /** Reads a whole body into one buffer of its own; `release` gives its bytes back. @throws PilotlightError */
  async read(
    stream: AsyncIterable<Buffer>,
    declared: number | undefined,
  ): Promise<{ bytes: Uint8Array<ArrayBuffer>; release: () => void }> {
    // A declared length is only a reason to refuse early, never one to allocate.
    if (declared !== undefined && declared > this.bodyBytesMax) throw this.tooLarge();
    const chunks: Buffer[] = [];
    let length = 0;
    const release = () => {
      this.taken -= length;
      length = 0;
    };
    try {
      for await (const chunk of stream) {
        length += chunk.length;
        this.taken += chunk.length;
        if (length > this.bodyBytesMax) throw this.tooLarge();
        if (this.taken > this.allBytesMax) {
          throw new PilotlightError(
            'rate_limited',
            `the bodies of all uploads under way hold more than ${this.allBytesMax} bytes; send again later`,
            { limit: this.allBytesMax },
          );
        }
        chunks.push(chunk);
      }
    } catch (thrown) {
      release();
      throw thrown;
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return { bytes, release };
  }

  private tooLarge(): PilotlightError {
    return new PilotlightError('body_size_limit', `the body is larger than ${this.bodyBytesMax} bytes`, {
      limit: this.bodyBytesMax,
    });
  }
}
