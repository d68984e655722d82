import type { Random } from './random.js';

/** Bytes at which readers of lengths, counts and text go wrong. */
const TELLING_BYTES = [0x00, 0x01, 0x0a, 0x0d, 0x20, 0x23, 0x3b, 0x7f, 0x80, 0xc3, 0xfe, 0xff];
const RUN_BYTES_MAX = 64;
const CHANGES_MAX = 6;
/** A mutant is at most this much longer than what it came from. */
const GROWTH_BYTES_MAX = 4096;

/**
 * A copy of `bytes`, damaged in one place half of the time, in up to six otherwise: bits flipped, bytes overwritten, parts cut out, repeated or moved, the end
 * cut off, random bytes put in.
 */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  let mutant: Uint8Array = new Uint8Array(bytes);
  const lengthMax = bytes.length + GROWTH_BYTES_MAX;
  const changes = random.below(2) === 0 ? 1 : 2 + random.below(CHANGES_MAX - 1);
  for (let i = 0; i < changes; i++) {
    const changed = random.pick(CHANGES)(mutant, random);
    if (changed.length <= lengthMax) mutant = changed;
  }
  return mutant;
}

type Change = (bytes: Uint8Array, random: Random) => Uint8Array;

const CHANGES: readonly Change[] = [
  function flipBit(bytes, random) {
    if (bytes.length > 0) bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    return bytes;
  },
  function overwrite(bytes, random) {
    if (bytes.length > 0) bytes[random.below(bytes.length)] = random.pick(TELLING_BYTES);
    return bytes;
  },
  function overwriteRun(bytes, random) {
    const [start, end] = run(bytes, random);
    for (let i = start; i < end; i++) bytes[i] = random.below(256);
    return bytes;
  },
  function cutOut(bytes, random) {
    const [start, end] = run(bytes, random);
    return joined(bytes.subarray(0, start), bytes.subarray(end));
  },
  function cutOff(bytes, random) {
    return bytes.slice(0, random.below(bytes.length + 1));
  },
  function repeat(bytes, random) {
    const [start, end] = run(bytes, random);
    return joined(bytes.subarray(0, end), bytes.subarray(start));
  },
  function repeatAll(bytes) {
    return joined(bytes, bytes);
  },
  function copyElsewhere(bytes, random) {
    const [start, end] = run(bytes, random);
    const at = random.below(bytes.length + 1);
    return joined(bytes.subarray(0, at), bytes.subarray(start, end), bytes.subarray(at));
  },
  function putIn(bytes, random) {
    const at = random.below(bytes.length + 1);
    const added = Uint8Array.from({ length: 1 + random.below(10) }, () =>
      random.below(2) === 0 ? random.pick(TELLING_BYTES) : random.below(256),
    );
    return joined(bytes.subarray(0, at), added, bytes.subarray(at));
  },
];

/** Start and end of a part of the bytes. */
function run(bytes: Uint8Array, random: Random): [number, number] {
  const start = random.below(bytes.length + 1);
  return [start, Math.min(bytes.length, start + random.below(RUN_BYTES_MAX))];
}

function joined(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
