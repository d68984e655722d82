import { PilotlightError } from '@pilotlight/profile';

/**
 * Offsets in the header of a JFR chunk, all numbers big-endian: magic at 0, then the chunk's size, and the start time in
 * nanoseconds. Events count ticks from that start, so moving it moves them all. JFR has no public specification; the layout
 * is that of OpenJDK's writer.
 */
const CHUNK_SIZE = 8;
const CHUNK_START_NANOS = 32;
const CHUNK_HEADER_BYTES = 68;

/** Tag of `int64 time_nanos = 9` in pprof's Profile. */
const PPROF_TIME_NANOS_TAG = (9 << 3) | 0;

/** A copy of an inflated JFR recording that begins `nanos` later (earlier when negative). */
export function shiftJfr(bytes: Uint8Array, nanos: bigint): Uint8Array {
  const shifted = Uint8Array.from(bytes);
  const view = new DataView(shifted.buffer);
  for (let at = 0; at + CHUNK_HEADER_BYTES <= shifted.length; ) {
    view.setBigInt64(at + CHUNK_START_NANOS, view.getBigInt64(at + CHUNK_START_NANOS) + nanos);
    const size = view.getBigUint64(at + CHUNK_SIZE);
    // An unfinished last chunk has size 0.
    if (size < CHUNK_HEADER_BYTES) break;
    if (size > shifted.length - at) {
      throw new PilotlightError(
        'malformed_profile',
        `chunk at byte ${at} is said to have ${size} bytes, more than are left`,
        {
          offset: at,
        },
      );
    }
    at += Number(size);
  }
  return shifted;
}

/** A copy of an inflated pprof profile with another time: of a field that occurs twice, protobuf takes the last. */
export function retimePprof(bytes: Uint8Array, timeNanos: bigint): Uint8Array {
  const field = [PPROF_TIME_NANOS_TAG];
  let rest = BigInt.asUintN(64, timeNanos);
  for (; rest > 0x7fn; rest >>= 7n) field.push(Number(rest & 0x7fn) | 0x80);
  field.push(Number(rest));
  const timed = new Uint8Array(bytes.length + field.length);
  timed.set(bytes);
  timed.set(field, bytes.length);
  return timed;
}
