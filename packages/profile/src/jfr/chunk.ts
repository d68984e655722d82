import { PilotlightError } from '../errors.js';
import { TICKS_PER_SECOND_MAX } from './ticks.js';
import { malformed } from './wire.js';

/**
 * A recording is a row of self-contained chunks. The header is 68 bytes, big-endian:
 *
 * ```
 *  0 magic FLR\0   4 major, minor   8 size   16 last checkpoint   24 metadata   32 start, epoch ns   40 duration, ns
 * 48 start, ticks   56 ticks a second   64 file state   67 flags
 * ```
 */

const HEADER_BYTES = 68;
/** Two days of uploads, one every ten seconds. */
const CHUNKS_MAX = 20_000;
const MAGIC = 0x464c5200;
const COMPRESSED_INTEGERS = 1;
const COMPRESSED_TICKS = 4;

export interface Chunk {
  /** 1-based, as named in messages. */
  readonly number: number;
  /** Offset into the file. */
  readonly start: number;
  /** Offset into the file of the first byte after the chunk. */
  readonly end: number;
  /** Offset into the file of the first event. */
  readonly events: number;
  /** Offset into the file of the last checkpoint event. */
  readonly checkpoint: number;
  /** Offset into the file of the metadata event in force. */
  readonly metadata: number;
  /** Nanoseconds since the epoch. */
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  /** Exact as long as a clock runs for less than 2^53 ticks. */
  readonly startTicks: number;
  readonly ticksPerSecond: number;
}

/** The finished chunks from the file's start, and what kept the reader from going on, if anything did. */
export interface ChunkList {
  readonly chunks: readonly Chunk[];
  /** Chunks that cannot be read but whose end is known. */
  readonly refused: readonly ChunkFault[];
  /** The place from which no chunk could be told any more. */
  readonly unfinished: ChunkFault | undefined;
}

export interface ChunkFault {
  readonly number: number;
  readonly error: PilotlightError;
}

export function listChunks(bytes: Uint8Array): ChunkList {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  const refused: ChunkFault[] = [];
  let number = 1;
  for (let start = 0; start < bytes.length; number++) {
    if (number > CHUNKS_MAX) {
      throw new PilotlightError('profile_size_limit', `the recording has more than ${CHUNKS_MAX} chunks`, {
        limit: CHUNKS_MAX,
      });
    }
    const fault = unfinishedFault(view, start);
    if (fault !== undefined) return { chunks, refused, unfinished: { number, error: fault } };
    const size = Number(view.getBigUint64(start + 8));
    const unsupported = unsupportedFault(view, start);
    if (unsupported === undefined) chunks.push(readHeader(view, start, size, number));
    else refused.push({ number, error: unsupported });
    start += size;
  }
  return { chunks, refused, unfinished: undefined };
}

/** Why nothing after `start` can be read: the end of the chunk is unknown. */
function unfinishedFault(view: DataView, start: number): PilotlightError | undefined {
  const left = view.byteLength - start;
  if (left >= 4 && view.getUint32(start) !== MAGIC) {
    return malformed(start, 'expected a chunk (magic "FLR\\0"), found other bytes');
  }
  if (left < HEADER_BYTES) {
    return malformed(start, `expected a chunk header (${HEADER_BYTES} bytes), ${left} bytes are left`);
  }
  // Both producers write the offsets last: a file copied while it was written, or left by a JVM that died, has zeros.
  if (view.getBigUint64(start + 16) === 0n || view.getBigUint64(start + 24) === 0n) {
    return malformed(start, 'the chunk was never finished: its header does not say where its constant pools are');
  }
  const size = view.getBigUint64(start + 8);
  if (size < HEADER_BYTES || size > BigInt(left)) {
    return malformed(start, `expected a chunk size from ${HEADER_BYTES} to ${left}, found ${size}`);
  }
  return undefined;
}

function unsupportedFault(view: DataView, start: number): PilotlightError | undefined {
  const major = view.getUint16(start + 4);
  if (major !== 2) {
    return malformed(start + 4, `expected JFR version 2, found ${major}.${view.getUint16(start + 6)}`);
  }
  const flags = view.getUint8(start + 67);
  if ((flags & COMPRESSED_INTEGERS) === 0)
    return malformed(start + 67, 'expected compressed integers, found fixed ones');
  if ((flags & COMPRESSED_TICKS) !== 0) return malformed(start + 67, 'compressed ticks are not supported');
  const size = view.getBigUint64(start + 8);
  for (const [place, what] of [
    [16, 'constant pool'],
    [24, 'metadata'],
  ] as const) {
    const offset = view.getBigUint64(start + place);
    if (offset < HEADER_BYTES || offset >= size) {
      return malformed(
        start + place,
        `expected a ${what} offset from ${HEADER_BYTES} to ${size - 1n}, found ${offset}`,
      );
    }
  }
  const ticksPerSecond = view.getBigInt64(start + 56);
  if (ticksPerSecond < 1n || ticksPerSecond > BigInt(TICKS_PER_SECOND_MAX)) {
    return malformed(start + 56, `expected 1 to ${TICKS_PER_SECOND_MAX} ticks a second, found ${ticksPerSecond}`);
  }
  return undefined;
}

function readHeader(view: DataView, start: number, size: number, number: number): Chunk {
  return {
    number,
    start,
    end: start + size,
    events: start + HEADER_BYTES,
    checkpoint: start + Number(view.getBigUint64(start + 16)),
    metadata: start + Number(view.getBigUint64(start + 24)),
    timeNanos: view.getBigInt64(start + 32),
    durationNanos: view.getBigInt64(start + 40),
    startTicks: Number(view.getBigInt64(start + 48)),
    ticksPerSecond: Number(view.getBigInt64(start + 56)),
  };
}
