import type { Field, Type, TypeTable } from './metadata.js';
import { OutBytes } from './out-bytes.js';
import type { ChunkSettings } from './settings.js';

/**
 * Settings as events of `jdk.ActiveSetting`, in the layout of the chunk they are meant for, so that a reader finds there what
 * `readSettings` found elsewhere. Times, threads and stacks of the events are 0: nothing asks for them.
 *
 * Nothing is written where the chunk has no such type: then it could not be read either.
 */
export function settingEvents({ options, periods }: ChunkSettings, types: TypeTable): Uint8Array {
  const type = types.name('jdk.ActiveSetting');
  const out = new OutBytes();
  if (type === undefined) return out.finish();
  for (const [name, value] of options) out.raw(settingEvent(type, 0, name, value));
  for (const [event, nanos] of periods) {
    const id = types.name(event)?.id;
    if (id !== undefined) out.raw(settingEvent(type, id, 'period', periodText(nanos)));
  }
  return out.finish();
}

/** As `readSettings` reads it: at most fifteen digits, and whatever has more came from a larger unit. */
function periodText(nanos: number): string {
  return nanos < 1e15 ? `${nanos} ns` : `${nanos / 1e3} us`;
}

function settingEvent(type: Type, id: number, name: string, value: string): Uint8Array {
  const out = new OutBytes().varint(type.id);
  for (const field of type.fields) {
    if (field.name === 'id' && !field.pooled && !field.array) out.varint(id);
    else if (field.name === 'name' && isText(field)) out.text(name);
    else if (field.name === 'value' && isText(field)) out.text(value);
    else writeNothing(out, field);
  }
  return out.asEvent();
}

function isText({ pooled, array, type }: Field): boolean {
  return !pooled && !array && type.encoding === 'string';
}

/** The zero of a field. Recursion ends, since the metadata bind no type that contains itself. */
function writeNothing(out: OutBytes, { pooled, array, type }: Field): void {
  if (pooled || array || type.encoding === 'varint' || type.encoding === 'string') out.varint(0);
  else if (type.encoding === 'fields') for (const field of type.fields) writeNothing(out, field);
  else out.raw(new Uint8Array(type.sizeMin));
}
