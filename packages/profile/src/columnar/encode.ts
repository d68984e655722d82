import type { CallTree } from '../call-tree.js';
import { clampCallTree } from '../clamp-call-tree.js';
import type { DiffTree } from '../diff/diff-tree.js';
import { WireWriter } from '../pprof/wire-writer.js';
import { type FlameGraphMeaning, MAGIC, VERSION } from './layout.js';

const UTF8 = new TextEncoder();

/** Negative self values are written as 0, see `clampCallTree`; names that no node has are left out. */
export function encodeFlameGraph(tree: CallTree, meaning: FlameGraphMeaning): Uint8Array {
  return encode(tree, [tree], meaning);
}

/** The two-sided form; for the rest as `encodeFlameGraph`. */
export function encodeDiff(diff: DiffTree, meaning: FlameGraphMeaning): Uint8Array {
  return encode(diff, [diff.left, diff.right], meaning);
}

function encode(
  shape: Pick<CallTree, 'length' | 'names' | 'name' | 'depth'>,
  sides: readonly CallTree[],
  { sampleType, unit }: FlameGraphMeaning,
): Uint8Array {
  const { length, depth } = shape;
  const { names, indexOf } = namesInUse(shape);
  const texts = [sampleType, unit, ...names];
  const shared = texts.map((text, i) => sharedLetters(texts[i - 1] ?? '', text));
  const own = UTF8.encode(texts.map((text, i) => text.slice(shared[i])).join(''));

  const selfs = sides.map((side) => clampCallTree(side).tree.self);
  const scale = commonDivisor(selfs, length);

  const out = new WireWriter(own.length + 2 * texts.length + 4 * length);
  for (const byte of [...MAGIC, VERSION, sides.length, texts.length, own.length, length, scale]) out.varint(byte);
  for (const count of shared) out.varint(count);
  for (const [i, text] of texts.entries()) out.varint(text.length - (shared[i] as number));
  out.rawBytes(own);
  for (let i = 1; i < length; i++) out.varint((depth[i - 1] as number) + 1 - (depth[i] as number));
  for (let i = 1; i < length; i++) out.varint(indexOf[shape.name[i] as number] as number);
  for (const self of selfs) for (let i = 0; i < length; i++) out.varint((self[i] as number) / scale);
  return out.finish();
}

/** The names some node has, in the order they are in, and where each went. */
function namesInUse({ length, names, name }: Pick<CallTree, 'length' | 'names' | 'name'>): {
  names: string[];
  indexOf: Int32Array;
} {
  const isUsed = new Uint8Array(names.length);
  for (let i = 1; i < length; i++) isUsed[name[i] as number] = 1;
  const used: string[] = [];
  const indexOf = new Int32Array(names.length);
  for (let i = 0; i < isUsed.length; i++) if (isUsed[i] === 1) indexOf[i] = used.push(names[i] as string) - 1;
  return { names: used, indexOf };
}

/** How many letters two texts begin with alike, whole characters only: half of a pair of surrogates is no text. */
function sharedLetters(before: string, text: string): number {
  let count = 0;
  while (count < before.length && count < text.length && before.charCodeAt(count) === text.charCodeAt(count)) count++;
  const last = text.charCodeAt(count - 1);
  return last >= 0xd800 && last < 0xdc00 ? count - 1 : count;
}

/** The largest number all values are whole multiples of; 1 when they are all 0. */
function commonDivisor(columns: readonly Float64Array[], length: number): number {
  let divisor = 0;
  for (const column of columns) {
    for (let i = 0; i < length && divisor !== 1; i++) {
      for (let rest = column[i] as number; rest !== 0; ) [divisor, rest] = [rest, divisor % rest];
    }
  }
  return divisor || 1;
}
