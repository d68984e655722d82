import { addUpTotals } from '../add-up-totals.js';
import type { CallTree } from '../call-tree.js';
import { type DiffTree, diffTreeOf } from '../diff/diff-tree.js';
import { PilotlightError } from '../errors.js';
import { NO_PARENT } from '../model.js';
import { ROOT_NAME } from '../root-name.js';
import { type ColumnReader, columnReader } from './column-reader.js';
import { type FlameGraphMeaning, HEADER_TEXTS, MAGIC, VERSION } from './layout.js';

/** Nodes that are read unless told otherwise, and letters of all texts. */
const NODES_MAX = 4_000_000;
const LETTERS_MAX = 64 * 1024 * 1024;
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
  const reader = columnReader(bytes);
  const { fail, varint, column, left } = reader;
  for (const byte of MAGIC) if (left() === 0 || varint() !== byte) fail('it does not begin as one');
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
  if (textCount < HEADER_TEXTS || length < 1 || least > left()) fail('less than it says');
  if (length > nodesMax) {
    throw new PilotlightError('profile_size_limit', `flame graph: ${length} nodes, the limit is ${nodesMax}`, {
      limit: nodesMax,
    });
  }

  const [sampleType, unit, ...functions] = readTexts(reader, textCount, textBytes) as [string, string];
  const names = [ROOT_NAME, ...functions];
  const { parent, depth } = readStructure(reader, length);
  const name = column(new Int32Array(length), functions.length, 1);
  for (let i = 1; i < length; i++) name[i]!++;
  const trees = Array.from({ length: sideCount }, () => {
    const self = column(new Float64Array(length), Number.POSITIVE_INFINITY);
    for (let i = 0; i < length; i++) self[i]! *= scale;
    const tree = { length, names, name, parent, depth, self, total: new Float64Array(length) };
    addUpTotals(tree);
    return tree;
  });
  if (left() > 0) fail(`${left()} bytes follow`);
  return { meaning: { sampleType, unit }, sides: trees };
}

/** Each text begins like the one before it. */
function readTexts({ fail, column, text }: ColumnReader, count: number, byteCount: number): string[] {
  const shared = column(new Int32Array(count), LETTERS_MAX);
  const own = column(new Int32Array(count), LETTERS_MAX);
  const all = text(byteCount);
  const texts: string[] = [];
  let before = '';
  let at = 0;
  let letters = 0;
  for (let i = 0; i < count; i++) {
    const [alike, added] = [shared[i] as number, own[i] as number];
    letters += alike + added;
    if (alike > before.length || at + added > all.length) fail(`text ${i} has no such letters`);
    // Texts that all begin alike would grow with the square of the input.
    if (letters > LETTERS_MAX) fail(`texts of more than ${LETTERS_MAX} letters`);
    before = before.slice(0, alike) + all.slice(at, at + added);
    at += added;
    texts.push(before);
  }
  if (at !== all.length) fail(`${all.length - at} letters belong to no text`);
  return texts;
}

/** Where the nodes stand, from how many levels each lies above a child of the one before it. */
function readStructure({ fail, column }: ColumnReader, length: number): { parent: Int32Array; depth: Int32Array } {
  const depth = column(new Int32Array(length), length, 1);
  const parent = new Int32Array(length).fill(NO_PARENT, 0, 1);
  /** The last node of each depth. */
  const lastAt = new Int32Array(length);
  for (let i = 1; i < length; i++) {
    const above = (depth[i - 1] as number) - (depth[i] as number);
    if (above < 0) fail(`node ${i} lies above the root`);
    parent[i] = lastAt[above] as number;
    depth[i] = above + 1;
    lastAt[above + 1] = i;
  }
  return { parent, depth };
}
