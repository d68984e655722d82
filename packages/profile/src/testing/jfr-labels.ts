import { WireWriter } from '../pprof/wire-writer.js';

/** A `LabelsSnapshot`: labels by context id; strings get ids from 1 in the order of their sight, after those given. */
export function labelsSnapshot(
  contexts: Readonly<Record<string, Readonly<Record<string, string>>>>,
  strings: readonly string[] = [],
): Uint8Array {
  const ids = new Map(strings.map((text, i) => [text, i + 1]));
  const id = (text: string): number => {
    if (!ids.has(text)) ids.set(text, ids.size + 1);
    return ids.get(text) as number;
  };
  const out = new WireWriter();
  for (const [contextId, labels] of Object.entries(contexts)) {
    const context = new WireWriter();
    for (const [name, value] of Object.entries(labels)) context.message(1, entry(id(name), id(value)));
    const contextEntry = new WireWriter();
    contextEntry.fieldExact(1, BigInt(contextId));
    contextEntry.message(2, context);
    out.message(1, contextEntry);
  }
  for (const [text, stringId] of ids) {
    const stringEntry = new WireWriter();
    stringEntry.field(1, stringId);
    stringEntry.bytesField(2, new TextEncoder().encode(text));
    out.message(2, stringEntry);
  }
  return out.finish();
}

function entry(key: number, value: number): WireWriter {
  const message = new WireWriter();
  message.field(1, key);
  message.field(2, value);
  return message;
}
