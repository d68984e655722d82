import { PilotlightError } from '../errors.js';
import { DEFAULT_READ_LIMITS } from '../limits.js';
import { type Chunk, listChunks } from './chunk.js';
import { readConstantPools } from './constant-pool.js';
import { EVENT_RULES } from './event-rules.js';
import { EventWalk } from './event-walk.js';
import { readMetadata, type TypeTable } from './metadata.js';
import { SettingsInForce } from './period.js';
import { joined, PieceFrame } from './piece-frame.js';
import { type ChunkSettings, NO_SETTINGS, readSettings } from './settings.js';
import { Cursor } from './wire.js';

/** A recording of its own, made of a part of a larger one. */
export interface JfrPiece {
  readonly bytes: Uint8Array;
  /** Nanoseconds since the epoch, of the chunk it was cut from. */
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  /** How many events it has, by type: only those that become samples. */
  readonly events: ReadonlyMap<string, number>;
  /** Bytes of those events. */
  readonly eventBytes: number;
}

/**
 * Cuts a recording that is too large to be read at once, chunk by chunk, into pieces that are recordings themselves. All pieces
 * read one by one have the sums that the whole has, read at once; spans of time, which are summed as ticks, are rounded to
 * nanoseconds in each piece.
 *
 * A piece holds the constant pools of its chunk, the settings in force and, byte by byte, the events that become samples. All
 * else that a recording holds (arguments, environment, system properties among it) is left out.
 */
export class JfrCutter {
  /** What the chunks so far have said. */
  private carried: ChunkSettings = NO_SETTINGS;
  /** Of the last chunk that said anything, without its pools: they would hold the whole chunk in memory. */
  private frame: PieceFrame | undefined;

  /**
   * @param pieceBytesMax Of a whole piece: the pools of its chunk must fit in, too.
   * @param eventBytesMax Of its events.
   */
  constructor(
    private readonly pieceBytesMax: number,
    private readonly eventBytesMax: number = pieceBytesMax,
  ) {}

  /**
   * Cuts the chunks that come next.
   *
   * @throws PilotlightError `malformed_profile` for what cannot be read: after the pieces before it, and the next call may go
   *   on behind it. `profile_size_limit` when the pools of a chunk leave no room for events.
   */
  *cut(bytes: Uint8Array): Generator<JfrPiece> {
    const { chunks, refused, unfinished } = listChunks(bytes);
    for (const chunk of chunks) yield* this.cutChunk(new Cursor(bytes), chunk);
    const fault = refused[0] ?? unfinished;
    if (fault !== undefined) throw fault.error;
  }

  private *cutChunk(cursor: Cursor, chunk: Chunk): Generator<JfrPiece> {
    const types = readMetadata(cursor, chunk);
    const pools = readConstantPools(cursor, chunk, types, DEFAULT_READ_LIMITS.tableRowsMax);
    const own = readSettings(cursor, chunk, types, pools);
    const frame = PieceFrame.of(cursor, chunk, types, own);
    const before = this.settingsBefore(own, chunk);
    if (own.options.size + own.periods.size > 0) this.frame = frame.saying(NO_SETTINGS);

    const room = Math.min(this.eventBytesMax, this.pieceBytesMax - frame.bytes - before.length);
    const { batches, fault } = batchesOf(cursor, chunk, keptTypes(types, own), room);
    for (const { spans, events } of batches) {
      const kept = spans.map(([start, end]) => cursor.bytes.subarray(start, end));
      const eventBytes = spans.reduce((sum, [start, end]) => sum + end - start, 0);
      const { timeNanos, durationNanos } = chunk;
      yield { bytes: joined([before, frame.around(kept)]), timeNanos, durationNanos, events, eventBytes };
    }
    if (fault !== undefined) throw fault;
  }

  /** A chunk that says again what earlier chunks have said, unless this chunk says all of it itself. */
  private settingsBefore(own: ChunkSettings, chunk: Chunk): Uint8Array {
    const { carried } = this;
    this.carried = new SettingsInForce(own, carried, undefined).merged;
    const says = (name: 'options' | 'periods') => [...carried[name].keys()].every((key) => own[name].has(key));
    if (this.frame === undefined || (says('options') && says('periods'))) return new Uint8Array(0);
    return this.frame.saying(carried).at(chunk);
  }
}

/** By number of their type, the names of the events that become samples. */
function keptTypes(types: TypeTable, { cpuTime }: ChunkSettings): Map<number, string> {
  const kept = new Map<number, string>();
  for (const { event } of EVENT_RULES) {
    const type = types.name(event);
    // Beside samples of CPU time these count for nothing, which a piece without any would not know.
    if (type !== undefined && !(cpuTime && event === 'jdk.ExecutionSample')) kept.set(type.id, event);
  }
  return kept;
}

/** The events of one piece. */
interface Batch {
  /** Start and end in the bytes; events that stand side by side are one span. */
  readonly spans: [start: number, end: number][];
  readonly events: Map<string, number>;
}

function batchesOf(
  cursor: Cursor,
  chunk: Chunk,
  kept: ReadonlyMap<number, string>,
  room: number,
): { batches: Batch[]; fault: PilotlightError | undefined } {
  const batches: Batch[] = [];
  let left = 0;
  const walk = new EventWalk(cursor, chunk);
  while (walk.next()) {
    const name = kept.get(walk.type);
    if (name === undefined) continue;
    const { start } = walk;
    const { end } = cursor;
    if (end - start > room) throw noRoom(chunk, room);
    if (end - start > left || batches.length === 0) {
      batches.push({ spans: [], events: new Map() });
      left = room;
    }
    const { spans, events } = batches.at(-1) as Batch;
    const last = spans.at(-1);
    if (last?.[1] === start) last[1] = end;
    else spans.push([start, end]);
    left -= end - start;
    events.set(name, (events.get(name) ?? 0) + 1);
  }
  return { batches, fault: walk.fault };
}

function noRoom(chunk: Chunk, room: number): PilotlightError {
  return new PilotlightError(
    'profile_size_limit',
    room < 0
      ? `the constant pools of chunk ${chunk.number} take ${-room} bytes more than one upload may have`
      : `an event of chunk ${chunk.number} has more than the ${room} bytes that its constant pools leave of an upload`,
    { limit: room },
  );
}
