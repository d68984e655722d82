const UNSEEN = -1;

/**
 * For each of the builder's frames, the method key and place under which the chunk at hand named it last: a frame that
 * comes again where it came before is then told without looking it up. One for all chunks, so that a chunk costs
 * only what it names.
 */
export class SeenFrames {
  private method = new Int32Array(1024);
  private place = new Int32Array(1024).fill(UNSEEN);
  private readonly frames: number[] = [];

  is(frame: number, method: number, place: number): boolean {
    return this.method[frame] === method && this.place[frame] === place;
  }

  /** `place` is not negative. */
  put(frame: number, method: number, place: number): void {
    if (frame >= this.place.length) this.grow(frame + 1);
    if (this.place[frame] === UNSEEN) this.frames.push(frame);
    this.method[frame] = method;
    this.place[frame] = place;
  }

  /** Keys of the next chunk mean other methods. */
  forget(): void {
    for (const frame of this.frames) this.place[frame] = UNSEEN;
    this.frames.length = 0;
  }

  private grow(lengthMin: number): void {
    const length = Math.max(lengthMin, this.place.length * 2);
    const method = new Int32Array(length);
    const place = new Int32Array(length).fill(UNSEEN);
    method.set(this.method);
    place.set(this.place);
    this.method = method;
    this.place = place;
  }
}
