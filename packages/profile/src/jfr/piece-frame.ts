import type { Chunk } from './chunk.js';
import type { TypeTable } from './metadata.js';
import { OutBytes } from './out-bytes.js';
import { settingEvents } from './setting-events.js';
import type { ChunkSettings } from './settings.js';
import type { Cursor } from './wire.js';

const HEADER_BYTES = 68;
/** Offsets into the header; the others hold for every part of the chunk. */
const SIZE = 8;
const CHECKPOINT = 16;
const METADATA = 24;
const START_NANOS = 32;
const DURATION_NANOS = 40;

/**
 * A chunk without its events, to be put around others:
 *
 * ```
 * header | settings | events | checkpoints, the oldest first | metadata
 * ```
 */
export class PieceFrame {
  readonly bytes: number;
  private readonly header: Uint8Array;
  private readonly settings: Uint8Array;

  private constructor(
    header: Uint8Array,
    private readonly metadata: Uint8Array,
    private readonly checkpoints: readonly CheckpointParts[],
    readonly types: TypeTable,
    settings: ChunkSettings,
  ) {
    this.header = header;
    this.settings = settingEvents(settings, types);
    this.bytes = this.around([]).length;
  }

  /** The frame of a chunk whose metadata and pools have been read, so that no offset in it is wrong. */
  static of(cursor: Cursor, chunk: Chunk, types: TypeTable, settings: ChunkSettings): PieceFrame {
    const header = cursor.bytes.slice(chunk.start, chunk.start + HEADER_BYTES);
    const metadata = eventAt(cursor, chunk.metadata, chunk.end).slice();
    return new PieceFrame(header, metadata, checkpointsOf(cursor, chunk), types, settings);
  }

  /** The same without constant pools and with other settings, to say no more than those. */
  saying(settings: ChunkSettings): PieceFrame {
    return new PieceFrame(this.header, this.metadata, [NO_POOLS], this.types, settings);
  }

  /** Without events, at the time of another chunk. */
  at({ timeNanos, durationNanos }: Chunk): Uint8Array {
    const chunk = this.around([]);
    const view = new DataView(chunk.buffer);
    view.setBigInt64(START_NANOS, timeNanos);
    view.setBigInt64(DURATION_NANOS, durationNanos);
    return chunk;
  }

  /** A chunk with these events. */
  around(events: readonly Uint8Array[]): Uint8Array {
    const parts = [this.header, this.settings, ...events];
    let length = parts.reduce((sum, part) => sum + part.length, 0);
    let checkpoint = 0;
    for (const { head, pools } of this.checkpoints) {
      const event = head(checkpoint === 0 ? 0 : checkpoint - length);
      checkpoint = length;
      // The size at the front counts the pools, too.
      const whole = new OutBytes().raw(event).raw(pools).asEvent();
      parts.push(whole);
      length += whole.length;
    }
    parts.push(this.metadata);
    const chunk = joined(parts);
    const view = new DataView(chunk.buffer);
    view.setBigUint64(SIZE, BigInt(chunk.length));
    view.setBigUint64(CHECKPOINT, BigInt(checkpoint));
    view.setBigUint64(METADATA, BigInt(length));
    return chunk;
  }
}

/** A checkpoint without the distance to the one before it, which differs from piece to piece. */
interface CheckpointParts {
  /** From the type on, up to and with the distance. */
  readonly head: (back: number) => Uint8Array;
  /** What follows: the kind of the checkpoint and its pools. */
  readonly pools: Uint8Array;
}

const NO_POOLS: CheckpointParts = {
  head: (back) => new OutBytes().varint(1).varint(0).varint(0).long(back).finish(),
  pools: Uint8Array.of(0, 0),
};

/** The oldest first. */
function checkpointsOf(cursor: Cursor, chunk: Chunk): CheckpointParts[] {
  const found: CheckpointParts[] = [];
  for (let start = chunk.checkpoint; ; ) {
    cursor.position = start;
    cursor.end = chunk.end;
    const size = cursor.varint();
    const from = cursor.position;
    cursor.skipVarints(3);
    const times = cursor.bytes.slice(from, cursor.position);
    cursor.long();
    const back = (cursor.high | 0) * 0x1_0000_0000 + cursor.low;
    found.unshift({
      head: (distance) => new OutBytes().raw(times).long(distance).finish(),
      pools: cursor.bytes.subarray(cursor.position, start + size),
    });
    if (back === 0) return found;
    start += back;
  }
}

function eventAt(cursor: Cursor, start: number, end: number): Uint8Array {
  cursor.position = start;
  cursor.end = end;
  return cursor.bytes.subarray(start, start + cursor.varint());
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
