import type { Chunk } from './chunk.js';
import type { ConstantPools } from './constant-pool.js';
import type { FieldReader } from './fields.js';
import type { Type } from './metadata.js';
import type { ProfileSum, Sums } from './sums.js';
import { ThreadNames } from './thread-names.js';
import type { Cursor } from './wire.js';

/** The fields that details are read from. Samples of running threads have another name for the thread than what it does. */
export function detailFields(type: Type): readonly [start: string, thread: string] {
  return ['startTime', type.field('sampledThread') === undefined ? 'eventThread' : 'sampledThread'];
}

/** Whose and when the events of one chunk are. */
export class EventDetails {
  private readonly threads: ThreadNames;
  private readonly millisPerTick: number;
  /** Milliseconds from the recording's start to the chunk's. */
  private readonly startMs: number;
  /** Used again for each event. */
  private readonly values = new Float64Array(2);

  constructor(
    cursor: Cursor,
    private readonly chunk: Chunk,
    pools: ConstantPools,
    private readonly sums: Sums,
    startNanos: bigint,
  ) {
    this.threads = new ThreadNames(cursor, pools, sums.detailTexts, sums.frames.budget, sums.limits.labelValueBytesMax);
    this.millisPerTick = 1000 / chunk.ticksPerSecond;
    this.startMs = Number(chunk.timeNanos - startNanos) / 1e6;
  }

  /** Adds an event to those of a row of the profile's samples; its fields, those of `detailFields`, stand at `slot` and after it. */
  add(
    profile: ProfileSum,
    fields: FieldReader,
    slot: number,
    row: number,
    correlation: number,
    first: number,
    second: number,
  ): void {
    const thread = this.threads.of(fields.low[slot + 1] as number, fields.high[slot + 1] as number);
    const timeMs = this.startMs + (fields.number(slot) - this.chunk.startTicks) * this.millisPerTick;
    this.values[0] = first;
    this.values[1] = second;
    profile.addDetail(row, thread, this.sums.correlations.span(correlation), timeMs, this.values);
  }
}
