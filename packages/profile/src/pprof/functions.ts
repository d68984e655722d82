import type { RefusalTally } from '../refusal-tally.js';
import { FUNCTION } from './fields.js';
import { IdIndex } from './id-index.js';
import type { Spans } from './spans.js';
import type { StringTable } from './strings.js';
import { VARINT, type WireReader } from './wire.js';

/** The functions that can be used. Texts are indexes into the string table, all of them in range. */
export interface FunctionTable {
  readonly length: number;
  readonly ids: IdIndex;
  readonly name: Int32Array;
  readonly systemName: Int32Array;
  readonly file: Int32Array;
  readonly startLine: Int32Array;
}

/** A function without a usable id or name is left out; a location that names it then shows its address. */
export function readFunctions(
  reader: WireReader,
  spans: Spans,
  strings: StringTable,
  tally: RefusalTally,
): FunctionTable {
  const { length } = spans;
  const table = {
    length,
    ids: new IdIndex(length),
    name: new Int32Array(length),
    systemName: new Int32Array(length),
    file: new Int32Array(length),
    startLine: new Int32Array(length),
  };
  for (let row = 0; row < length; row++) {
    reader.enter(spans.start[row] as number, spans.end[row] as number);
    let idLow = 0;
    let idHigh = 0;
    let name = 0;
    let systemName = 0;
    let file = 0;
    while (reader.more) {
      const tag = reader.tag();
      const field = tag >>> 3;
      if (field > FUNCTION.startLine) {
        reader.skip(tag);
        continue;
      }
      reader.expect(tag, VARINT);
      reader.varint();
      if (field === FUNCTION.id) [idLow, idHigh] = [reader.low, reader.high];
      else if (field === FUNCTION.name) name = reader.int31();
      else if (field === FUNCTION.systemName) systemName = reader.int31();
      else if (field === FUNCTION.filename) file = reader.int31();
      else table.startLine[row] = Math.max(reader.int31(), 0);
    }
    for (const text of [systemName, file]) {
      if (!strings.has(text)) tally.add('string_out_of_range', () => `function at index ${row} names a missing string`);
    }
    if (!strings.has(systemName)) systemName = 0;
    if (!strings.has(file)) file = 0;
    table.name[row] = name;
    table.systemName[row] = systemName;
    table.file[row] = file;
    if (idLow === 0 && idHigh === 0) {
      tally.add('function_id_zero', () => `function at index ${row} has id 0`);
    } else if (!strings.has(name)) {
      tally.add('string_out_of_range', () => `name of the function at index ${row} is a missing string`);
    } else if (!table.ids.put(idLow, idHigh, row)) {
      tally.add('duplicate_id', () => `function at index ${row} has the id of an earlier one`);
    }
  }
  return table;
}
