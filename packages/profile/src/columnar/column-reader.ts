import { PilotlightError } from '../errors.js';

/** Of a varint, for its last seven bits: 63 in all, more than any sum that is asked for. */
const UNIT_MAX = 2 ** 56;

/** Reads numbers and text one after the other; what cannot be read is a `malformed_profile` that names the byte. */
export type ColumnReader = ReturnType<typeof columnReader>;

export function columnReader(bytes: Uint8Array) {
  let at = 0;

  function fail(what: string): never {
    throw new PilotlightError('malformed_profile', `flame graph: ${what}, at byte ${at} of ${bytes.length}`, {
      offset: at,
    });
  }

  /** A whole number that is not negative. */
  function varint(): number {
    let byte = bytes[at++] as number;
    let value = byte & 0x7f;
    for (let unit = 0x80; byte >= 0x80 && unit <= UNIT_MAX; unit *= 0x80) {
      byte = bytes[at++] as number;
      value += (byte & 0x7f) * unit;
    }
    if (byte >= 0x80 || at > bytes.length) fail('a number that does not end');
    return value;
  }

  return {
    fail,
    varint,
    left: () => bytes.length - at,

    /** Numbers below `end` for a whole column, or for what comes from `first` on. */
    column<Column extends Int32Array | Float64Array>(into: Column, end: number, first = 0): Column {
      for (let i = first; i < into.length; i++) {
        const value = varint();
        if (value >= end) fail(`${value}, where less than ${end} can be`);
        into[i] = value;
      }
      return into;
    },

    text(byteCount: number): string {
      const start = at;
      at += byteCount;
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, at));
    },
  };
}
