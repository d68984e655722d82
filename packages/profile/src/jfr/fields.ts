import { type Field, skipField, type Type } from './metadata.js';
import type { Cursor, StringLookup } from './wire.js';

const TWO_32 = 0x1_0000_0000;
const TEXT_BYTES_MAX = 4096;

/**
 * Reads the named fields of a value of one type, in the order of the metadata, and passes over the others. Whole numbers are kept as two
 * halves, since ids use all 64 bits. A field the type does not have reads as 0 or ''.
 */
export class FieldReader {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly texts: string[];
  /** The field behind each wanted name, if the type has it. */
  readonly fields: readonly (Field | undefined)[];
  /** The type's fields up to the last wanted one, and for each the wanted name it answers, or −1. */
  private readonly order: readonly Field[];
  private readonly wanted: readonly number[];

  constructor(type: Type, names: readonly string[]) {
    this.low = new Uint32Array(names.length);
    this.high = new Uint32Array(names.length);
    this.texts = names.map(() => '');
    this.fields = names.map((name) => type.field(name)).map((field) => (field?.array ? undefined : field));
    const last = type.fields.reduce((end, field, index) => (this.fields.includes(field) ? index + 1 : end), 0);
    this.order = type.fields.slice(0, last);
    this.wanted = this.order.map((field) => this.fields.indexOf(field));
  }

  read(cursor: Cursor, lookup?: StringLookup): void {
    const { order, wanted } = this;
    for (let i = 0; i < order.length; i++) {
      const field = order[i] as Field;
      const slot = wanted[i] as number;
      if (slot < 0) skipField(cursor, field);
      else if (field.pooled || field.type.encoding === 'varint') {
        cursor.long();
        this.low[slot] = cursor.low;
        // An int of −3 is written as 2^32 − 3: only its own width says that it is negative.
        const bits = field.pooled ? 0 : field.type.signedBits;
        if (bits === 16) this.low[slot] = (cursor.low << 16) >> 16;
        this.high[slot] = bits === 32 || bits === 16 ? (this.low[slot] as number) >> 31 : cursor.high;
      } else if (field.type.encoding === 'byte') {
        const byte = cursor.byte();
        this.low[slot] = byte;
        this.high[slot] = 0;
      } else if (field.type.encoding === 'string') this.texts[slot] = cursor.string(TEXT_BYTES_MAX, lookup);
      else skipField(cursor, field);
    }
  }

  /** A field as a signed number: exact within ±2^53, rounded beyond. */
  number(slot: number): number {
    return ((this.high[slot] as number) | 0) * TWO_32 + (this.low[slot] as number);
  }

  isZero(slot: number): boolean {
    return this.low[slot] === 0 && this.high[slot] === 0;
  }
}
