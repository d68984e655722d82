/**
 * Ids of names, frames and nodes: pure functions of their content, 52 bits, exact in a JS number.
 *
 * A node's id hashes its parent's id and its frame's id, so equal stacks have equal ids on every server and in every
 * service without anybody giving ids out. 0 is never an id: it stands for "no parent".
 *
 * The mixing is the 32-bit finaliser of MurmurHash3 (Austin Appleby, public domain) over two lanes. Ids are no defence against
 * somebody who builds collisions on purpose; the store detects two contents under one id and counts them.
 */

const TWO_32 = 0x1_0000_0000;
/** Keeps the high lane to 20 bits: 20 + 32 = 52. */
const HIGH_MASK = 0xf_ffff;

function mix(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function join(high: number, low: number): number {
  const id = (high & HIGH_MASK) * TWO_32 + (low >>> 0);
  return id === 0 ? 1 : id;
}

/** Id of a text: both lanes see each UTF-16 code unit. */
export function textId(text: string, seed = 0): number {
  let a = 0x9e3779b9 ^ seed;
  let b = 0x7f4a7c15 ^ Math.imul(seed + 1, 0x165667b1);
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 0x01000193);
    b = Math.imul(b + c, 0x27d4eb2f) ^ (b >>> 15);
  }
  return textIdOf(a, b, text.length);
}

/** `textId` of the text that `bytes` hold from `start` to `end`; 0 unless all of them are ASCII. */
export function asciiTextId(bytes: Uint8Array, start: number, end: number): number {
  let a = 0x9e3779b9 | 0;
  let b = 0x7f4a7c15 ^ 0x165667b1;
  let all = 0;
  for (let at = start; at < end; at++) {
    const c = bytes[at] as number;
    all |= c;
    a = Math.imul(a ^ c, 0x01000193);
    b = Math.imul(b + c, 0x27d4eb2f) ^ (b >>> 15);
  }
  return all < 0x80 ? textIdOf(a, b, end - start) : 0;
}

function textIdOf(a: number, b: number, length: number): number {
  a = mix(a ^ length);
  b = mix(b + a);
  return join(b, mix(a ^ Math.imul(b, 0x9e3779b1)));
}

/** Id of two ids or small whole numbers (each below 2^53), in order. */
export function pairId(first: number, second: number): number {
  const firstHigh = (first / TWO_32) | 0;
  const secondHigh = (second / TWO_32) | 0;
  let a = mix((first | 0) ^ 0x2545f491);
  a = mix(a + Math.imul(firstHigh, 0x9e3779b1));
  let b = mix((second | 0) + Math.imul(a, 0x85ebca77));
  b = mix(b ^ Math.imul(secondHigh, 0xc2b2ae3d) ^ a);
  return join(mix(a + Math.imul(b, 0x27d4eb2f)), b);
}

/** Id of a frame from the ids of its texts and its numbers. */
export function frameId(
  nameId: number,
  systemNameId: number,
  fileId: number,
  startLine: number,
  line: number,
  kind: number,
): number {
  return pairId(pairId(nameId, systemNameId), pairId(pairId(fileId, startLine), line * 256 + kind));
}

/** Id of a node; `parentId` is 0 at the root level. */
export function nodeId(parentId: number, frame: number): number {
  return pairId(parentId, frame);
}
