import type { TypeTable } from './metadata.js';
import { Cursor } from './wire.js';

/** Producers differ by version; few send to one server. */
const ENTRIES_MAX = 8;
const BYTES_MAX = 256 * 1024;

/** Types by the bytes that define them, which every chunk of a producer repeats. */
export class KnownTypes {
  private readonly entries: { readonly definition: Cursor; readonly types: TypeTable }[] = [];
  private next = 0;

  /** The types that the bytes from the cursor to its end define, when they came before. */
  find(cursor: Cursor): TypeTable | undefined {
    for (const { definition, types } of this.entries) if (same(definition, cursor)) return types;
    return undefined;
  }

  add(cursor: Cursor, start: number, types: TypeTable): void {
    if (cursor.end - start > BYTES_MAX) return;
    this.entries[this.next] = { definition: new Cursor(cursor.bytes.slice(start, cursor.end)), types };
    this.next = (this.next + 1) % ENTRIES_MAX;
  }
}

function same(definition: Cursor, cursor: Cursor): boolean {
  const length = definition.bytes.length;
  if (cursor.end - cursor.position !== length) return false;
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    if (definition.view.getUint32(i) !== cursor.view.getUint32(cursor.position + i)) return false;
  }
  for (; i < length; i++) if (definition.bytes[i] !== cursor.bytes[cursor.position + i]) return false;
  return true;
}
