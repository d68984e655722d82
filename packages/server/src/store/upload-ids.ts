/**
 * The uploads of the last hour, so that one sent again is recognised: 128-bit hashes of what was sent. An upload that is sent again after
 * more than an hour is taken for a new one.
 */
export const REMEMBER_SECONDS = 3_600;

export class UploadIds {
  /** Id → second of arrival, in order of arrival. */
  private readonly seen = new Map<string, number>();

  constructor(private readonly countMax = 500_000) {}

  get size(): number {
    return this.seen.size;
  }

  has(id: string): boolean {
    return this.seen.has(id);
  }

  add(id: string, second: number): void {
    this.seen.set(id, second);
    for (const [oldest, when] of this.seen) {
      if (this.seen.size <= this.countMax && when >= second - REMEMBER_SECONDS) break;
      this.seen.delete(oldest);
    }
  }

  /** An upload that was not taken in the end. */
  remove(id: string): void {
    this.seen.delete(id);
  }
}
