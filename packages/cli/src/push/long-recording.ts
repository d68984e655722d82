import { JfrCutter, type JfrPiece, PilotlightError } from '@pilotlight/profile';
import type { FileBytes } from './file-bytes.js';
import type { FileFormat } from './file-format.js';
import { UPLOAD_BYTES_MAX, type Upload } from './upload.js';

/** Offsets in the header of a JFR chunk; see shift-time.ts. */
const HEADER_BYTES = 68;
const SIZE = 8;
const START_NANOS = 32;
const DURATION_NANOS = 40;

/** A chunk is read whole: its pools may stand anywhere in it. Twice what flight recorders are told to make of it. */
const CHUNK_BYTES_MAX = 256 * 1_048_576;
/** Of a piece, a quarter of what a server takes: several are held here at a time, packed and not, and read there. */
const PIECE_BYTES_MAX = UPLOAD_BYTES_MAX / 4;
/** Small pieces that follow each other go together, up to this size and time: short enough to be seen on the timeline. */
const GROUP_BYTES_MAX = PIECE_BYTES_MAX / 2;
const GROUP_NANOS_MAX = 60_000_000_000n;

/** What cannot be read once, and may be in pieces. */
const OVER_LIMITS = new Set(['samples_limit', 'profile_size_limit', 'body_size_limit', 'time_limit']);
/** Fewer bytes of events are not halved any more: then it is not their number that is wrong with them. */
const HALVED_BYTES_MIN = 65_536;

/** A part of a long recording. */
export interface Part extends Upload {
  /** How many events become samples, by type. */
  readonly events: ReadonlyMap<string, number>;
  readonly eventBytes: number;
}

/**
 * Cuts a JFR recording of any length into uploads, chunk by chunk, so that no more than a chunk and a part are in memory.
 *
 * @param onDamage Is told of a chunk that cannot be read, or only in part; those behind it are read all the same, where they
 *   can be found.
 * @throws PilotlightError when a chunk is too large.
 */
export async function* partsOf(file: FileBytes, onDamage: (error: PilotlightError) => void): AsyncGenerator<Part> {
  const cutter = new JfrCutter(PIECE_BYTES_MAX);
  let group: JfrPiece[] = [];
  for await (const chunk of chunksOf(file)) {
    try {
      for (const piece of cutter.cut(chunk)) {
        if (!fits(piece, group)) {
          yield joined(group);
          group = [];
        }
        group.push(piece);
      }
    } catch (thrown) {
      onDamage(PilotlightError.from(thrown));
    }
  }
  if (group.length > 0) yield joined(group);
}

/** Whether so many bytes of events may be taken in pieces where they were not taken together. */
export function canBeHalved(format: FileFormat, eventBytes: number, thrown: unknown): boolean {
  return (
    format === 'jfr' &&
    eventBytes >= HALVED_BYTES_MIN &&
    thrown instanceof PilotlightError &&
    OVER_LIMITS.has(thrown.code)
  );
}

/** A part in pieces of half its events. */
export function* halvesOf({ bytes, eventBytes }: Part): Generator<Part> {
  for (const piece of new JfrCutter(UPLOAD_BYTES_MAX, Math.ceil(eventBytes / 2)).cut(bytes)) yield joined([piece]);
}

/** When the last chunk of a recording ends, in nanoseconds since the epoch. Reads through the whole file. */
export async function endOf(file: FileBytes): Promise<bigint> {
  let end = 0n;
  for (;;) {
    const header = await file.take(HEADER_BYTES);
    const size = sizeOf(header);
    if (size === undefined) return end;
    const view = new DataView(header.buffer, header.byteOffset);
    const ended = view.getBigInt64(START_NANOS) + view.getBigInt64(DURATION_NANOS);
    if (ended > end) end = ended;
    await file.skip(size - HEADER_BYTES);
  }
}

/** What is left behind the last finished chunk comes last, so that it is told what it is. */
async function* chunksOf(file: FileBytes): AsyncGenerator<Uint8Array> {
  for (;;) {
    const header = await file.peek(HEADER_BYTES);
    if (header.length === 0) return;
    const size = sizeOf(header);
    if (size !== undefined && size > CHUNK_BYTES_MAX) {
      throw new PilotlightError(
        'profile_size_limit',
        `a chunk of the recording has ${size} bytes, the limit is ${CHUNK_BYTES_MAX}; a recorder makes smaller ones when told a smaller maxchunksize`,
        { limit: CHUNK_BYTES_MAX },
      );
    }
    yield await file.take(size ?? HEADER_BYTES);
    if (size === undefined) return;
  }
}

/** Of the chunk that begins here; undefined when it was never finished, or there is none. */
function sizeOf(header: Uint8Array): number | undefined {
  if (header.length < HEADER_BYTES || Buffer.from(header.subarray(0, 4)).toString('latin1') !== 'FLR\0')
    return undefined;
  const size = new DataView(header.buffer, header.byteOffset).getBigUint64(SIZE);
  return size >= HEADER_BYTES && size <= Number.MAX_SAFE_INTEGER ? Number(size) : undefined;
}

function fits(piece: JfrPiece, group: readonly JfrPiece[]): boolean {
  if (group.length === 0) return true;
  const together = [...group, piece];
  const bytes = together.reduce((sum, one) => sum + one.bytes.length, 0);
  return bytes <= GROUP_BYTES_MAX && spanOf(together).durationNanos <= GROUP_NANOS_MAX;
}

/** From the first start to the last end. */
function spanOf([first, ...others]: readonly JfrPiece[]): { startNanos: bigint; durationNanos: bigint } {
  let startNanos = first?.timeNanos ?? 0n;
  let endNanos = startNanos + (first?.durationNanos ?? 0n);
  for (const { timeNanos, durationNanos } of others) {
    if (timeNanos < startNanos) startNanos = timeNanos;
    if (timeNanos + durationNanos > endNanos) endNanos = timeNanos + durationNanos;
  }
  return { startNanos, durationNanos: endNanos - startNanos };
}

function joined(group: readonly JfrPiece[]): Part {
  const events = new Map<string, number>();
  for (const piece of group) {
    for (const [type, count] of piece.events) events.set(type, (events.get(type) ?? 0) + count);
  }
  const bytes = group.length === 1 ? (group[0] as JfrPiece).bytes : Buffer.concat(group.map((piece) => piece.bytes));
  const eventBytes = group.reduce((sum, piece) => sum + piece.eventBytes, 0);
  return { format: 'jfr', bytes, events, eventBytes, ...spanOf(group) };
}
