import type { CallTree } from './call-tree.js';
import { clampCallTree } from './clamp-call-tree.js';
import { WireWriter } from './pprof/wire-writer.js';

const UTF8 = new TextEncoder();

/**
 * A call tree as the Pyroscope API's format TREE has it: depth first, for each node the length of its name in bytes, the name, self and the number of children;
 * numbers are varints. The root has no name. Negative self values are written as 0, see `clampCallTree`.
 */
export function writeTreeBytes(callTree: CallTree): Uint8Array {
  const { tree } = clampCallTree(callTree);
  const { length, parent, name, self } = tree;
  const children = new Int32Array(length);
  for (let i = 1; i < length; i++) children[parent[i] as number]!++;
  const names = tree.names.map((text, index) => UTF8.encode(index === 0 ? '' : text));
  const out = new WireWriter(length * 16);
  for (let i = 0; i < length; i++) {
    const bytes = names[name[i] as number] as Uint8Array;
    out.varint(bytes.length);
    out.rawBytes(bytes);
    out.varint(self[i] as number);
    out.varint(children[i] as number);
  }
  return out.finish();
}
