import { addUpTotals } from '../add-up-totals.js';
import type { CallTree } from '../call-tree.js';
import { type DiffTree, diffTreeOf } from '../diff/diff-tree.js';
import { PilotlightError } from '../errors.js';
import { ROOT_NAME } from '../root-name.js';
import { type FlameGraphMeaning, HEADER_TEXTS, MAGIC, VERSION } from './layout.js';

/** Nodes that are read unless told otherwise, and letters of all texts. */
const NODES_MAX = 4_000_000;
const LETTERS_MAX = 64 * 1024 * 1024;
/** Of a varint, for its last seven bits: 63 in all, more than any sum that is asked for. */
const UNIT_MAX = 2 ** 56;

/** The flame graph `encodeFlameGraph` wrote. @throws PilotlightError `malformed_profile`, `unsupported_format` or `profile_size_limit` */
export function decodeFlameGraph(
  bytes: Uint8Array,
  nodesMax: number = NODES_MAX,
): FlameGraphMeaning & { readonly tree: CallTree } {
  const { meaning, sides } = decode(bytes, 1, nodesMax);
  return { ...meaning, tree: sides[0] as CallTree };
}

/** The diff `encodeDiff` wrote. @throws PilotlightError as `decodeFlameGraph` */
export function decodeDiff(
  bytes: Uint8Array,
  nodesMax: number = NODES_MAX,
): FlameGraphMeaning & { readonly diff: DiffTree } {
  const { meaning, sides } = decode(bytes, 2, nodesMax);
  const [left, right] = sides as [CallTree, CallTree];
  return { ...meaning, diff: diffTreeOf(left, left.length, [left.self, left.total], [right.self, right.total]) };
}

/** The trees of all sides; they share the columns of their structure. */
function decode(
  bytes: Uint8Array,
  sideCount: number,
  nodesMax: number,
): { meaning: FlameGraphMeaning; sides: CallTree[] } {
  let at = 0;
  const fail = (what: string): never => {
    throw new PilotlightError('malformed_profile', `flame graph: ${what}, at byte ${at} of ${bytes.length}`, {
      offset: at,
    });
  };
  const varint = (): number => {
    let byte = bytes[at++] as number;
    let value = byte & 0x7f;
    for (let unit = 0x80; byte >= 0x80; unit *= 0x80) {
      if (unit > UNIT_MAX) fail('a number that is too long');
      byte = bytes[at++] as number;
      value += (byte & 0x7f) * unit;
    }
    if (at > bytes.length) fail('a number that does not end');
    return value;
  };
  const column = <Column extends Int32Array | Float64Array>(into: Column, first: number, end: number): Column => {
    for (let i = first; i < into.length; i++) {
      const value = varint();
      if (value >= end) fail(`${value}, where less than ${end} can be`);
      into[i] = value;
    }
    return into;
  };

  for (const byte of MAGIC) if (bytes[at++] !== byte) fail('it does not begin as one');
  const version = varint();
  const sides = varint();
  if (version !== VERSION || sides !== sideCount) {
    throw new PilotlightError(
      'unsupported_format',
      `flame graph: version ${version} with ${sides} sides; version ${VERSION} with ${sideCount} is read`,
    );
  }
  const [textCount, textBytes, length, scale] = [varint(), varint(), varint(), varint()];
  // The least that so much takes is there, so what is allocated is bounded by what came.
  const least = 2 * textCount + textBytes + (2 + sideCount) * length - 2;
  if (textCount < HEADER_TEXTS || length < 1 || least > bytes.length - at) fail('less than it says');
  if (length > nodesMax) {
    throw new PilotlightError('profile_size_limit', `flame graph: ${length} nodes, the limit is ${nodesMax}`, {
      limit: nodesMax,
    });
  }

  const shared = column(new Int32Array(textCount), 0, LETTERS_MAX);
  const own = column(new Int32Array(textCount), 0, LETTERS_MAX);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, at + textBytes));
  at += textBytes;
  const texts: string[] = [];
  let before = '';
  let letter = 0;
  let letters = 0;
  for (let i = 0; i < textCount; i++) {
    const [alike, count] = [shared[i] as number, own[i] as number];
    letters += alike + count;
    if (alike > before.length || letter + count > text.length) fail(`text ${i} has no such letters`);
    if (letters > LETTERS_MAX) fail(`texts of more than ${LETTERS_MAX} letters`);
    before = before.slice(0, alike) + text.slice(letter, letter + count);
    letter += count;
    texts.push(before);
  }
  if (letter !== text.length) fail(`${text.length - letter} letters belong to no text`);

  const depth = column(new Int32Array(length), 1, length);
  const parent = new Int32Array(length);
  /** The last node of each depth. */
  const lastAt = new Int32Array(length);
  parent[0] = -1;
  for (let i = 1; i < length; i++) {
    const above = (depth[i - 1] as number) - (depth[i] as number);
    if (above < 0) fail(`node ${i} lies above the root`);
    parent[i] = lastAt[above] as number;
    depth[i] = above + 1;
    lastAt[above + 1] = i;
  }
  const names = [ROOT_NAME, ...texts.splice(HEADER_TEXTS)];
  const name = column(new Int32Array(length), 1, names.length - 1);
  for (let i = 1; i < length; i++) name[i]!++;
  const trees = Array.from({ length: sideCount }, () => {
    const self = column(new Float64Array(length), 0, Number.POSITIVE_INFINITY);
    for (let i = 0; i < length; i++) self[i]! *= scale;
    const tree = { length, names, name, parent, depth, self, total: new Float64Array(length) };
    addUpTotals(tree);
    return tree;
  });
  if (at !== bytes.length) fail(`${bytes.length - at} bytes follow`);
  const [sampleType, unit] = texts as [string, string];
  return { meaning: { sampleType, unit }, sides: trees };
}
