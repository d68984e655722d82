import { PilotlightError } from '../errors.js';

/** Where the messages of one kind lie in the input. Grows by what was really seen, never by what the input says. */
export class Spans {
  length = 0;
  start: Int32Array;
  end: Int32Array;
  private readonly what: string;
  private readonly lengthMax: number;
  private readonly code: 'samples_limit' | 'profile_size_limit';

  constructor(
    what: string,
    lengthMax: number,
    code: 'samples_limit' | 'profile_size_limit' = 'profile_size_limit',
    expected = 64,
  ) {
    this.start = new Int32Array(expected);
    this.end = new Int32Array(expected);
    this.what = what;
    this.lengthMax = lengthMax;
    this.code = code;
  }

  add(start: number, end: number): void {
    const { length } = this;
    if (length >= this.lengthMax) {
      const limit = this.lengthMax;
      throw new PilotlightError(this.code, `pprof: more than ${limit} ${this.what}`, { offset: start, limit });
    }
    if (length === this.start.length) {
      this.start = doubled(this.start);
      this.end = doubled(this.end);
    }
    this.start[length] = start;
    this.end[length] = end;
    this.length++;
  }
}

export function doubled(column: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(column.length * 2);
  grown.set(column);
  return grown;
}
