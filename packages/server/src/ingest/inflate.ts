import { gunzipSync } from 'node:zlib';
import { PilotlightError } from '@pilotlight/profile';

const CHUNK_BYTES_MAX = 1024 * 1024;

/** Inflated bytes that one upload may still produce, over all of its parts and layers. */
export class InflateBudget {
  private left: number;

  constructor(private readonly bytesMax: number) {
    this.left = bytesMax;
  }

  /** Inflates what begins like gzip; the cap is inside the decoder, so a bomb never unfolds. */
  gunzipIfPacked(bytes: Uint8Array): Uint8Array {
    if (!isGzip(bytes)) return bytes;
    try {
      // A buffer of length 0 is never allowed to mean "no limit".
      const out = gunzipSync(bytes, { maxOutputLength: Math.max(1, this.left), chunkSize: chunkSize(bytes) });
      this.left -= out.length;
      return out;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
        throw new PilotlightError('body_size_limit', `the body inflates to more than ${this.bytesMax} bytes`, {
          limit: this.bytesMax,
        });
      }
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw new PilotlightError('malformed_profile', `the gzip data is damaged or cut off: ${reason}`, {
        cause: thrown,
      });
    }
  }
}

/** One chunk, if the last four bytes say the truth about the length; they are only believed up to the limit. */
function chunkSize(bytes: Uint8Array): number {
  const end = bytes.length;
  const said = ((bytes[end - 1]! << 24) | (bytes[end - 2]! << 16) | (bytes[end - 3]! << 8) | bytes[end - 4]!) >>> 0;
  return Math.min(Math.max(said + 1, 16_384), CHUNK_BYTES_MAX);
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}
