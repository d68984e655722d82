import { type Field, skipField, type Type } from './metadata.js';
import type { Cursor, StringLookup } from './wire.js';

const TWO_32 = 0x1_0000_0000;
const TEXT_BYTES_MAX = 4096;

const PASS = 0;
const PASS_VARINT = 1;
const READ_VARINT = 2;
const READ_INT = 3;
const READ_SHORT = 4;
const READ_BYTE = 5;
const READ_TEXT = 6;

/**
 * Reads the named fields of a value of one type, in the order of the metadata, and passes over the others. Whole
 * numbers are kept as two halves, since ids use all 64 bits. A field the type does not have reads as 0 or ''.
 */
export class FieldReader {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly texts: string[];
  /** The field behind each wanted name, if the type has it. */
  readonly fields: readonly (Field | undefined)[];
  /** The type's fields up to the last wanted one, what to do with each, and the wanted name it answers. */
  private readonly order: readonly Field[];
  private readonly steps: Uint8Array;
  private readonly slots: Uint8Array;

  constructor(type: Type, names: readonly string[]) {
    this.low = new Uint32Array(names.length);
    this.high = new Uint32Array(names.length);
    this.texts = names.map(() => '');
    this.fields = names.map((name) => type.field(name)).map((field) => (field?.array ? undefined : field));
    const last = type.fields.reduce((end, field, index) => (this.fields.includes(field) ? index + 1 : end), 0);
    this.order = type.fields.slice(0, last);
    this.steps = Uint8Array.from(this.order, (field) => stepOf(field, this.fields.includes(field)));
    this.slots = Uint8Array.from(this.order, (field) => Math.max(0, this.fields.indexOf(field)));
  }

  read(cursor: Cursor, lookup?: StringLookup): void {
    const { steps, slots, low, high } = this;
    for (let i = 0; i < steps.length; i++) {
      const slot = slots[i] as number;
      switch (steps[i]) {
        case PASS_VARINT:
          cursor.skipVarint();
          break;
        case READ_VARINT:
          cursor.long();
          low[slot] = cursor.low;
          high[slot] = cursor.high;
          break;
        case READ_INT:
          cursor.long();
          low[slot] = cursor.low;
          high[slot] = (cursor.low | 0) >> 31;
          break;
        case READ_SHORT:
          cursor.long();
          low[slot] = (cursor.low << 16) >> 16;
          high[slot] = (cursor.low << 16) >> 31;
          break;
        case READ_BYTE:
          low[slot] = cursor.byte();
          high[slot] = 0;
          break;
        case READ_TEXT:
          this.texts[slot] = cursor.string(TEXT_BYTES_MAX, lookup);
          break;
        default:
          skipField(cursor, this.order[i] as Field);
      }
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

function stepOf(field: Field, wanted: boolean): number {
  if (field.array) return PASS;
  if (field.pooled) return wanted ? READ_VARINT : PASS_VARINT;
  const { encoding, signedBits } = field.type;
  if (encoding === 'varint') {
    if (!wanted) return PASS_VARINT;
    // An int of −3 is written as 2^32 − 3: only its own width says that it is negative.
    return signedBits === 32 ? READ_INT : signedBits === 16 ? READ_SHORT : READ_VARINT;
  }
  if (encoding === 'byte' && wanted) return READ_BYTE;
  return encoding === 'string' && wanted ? READ_TEXT : PASS;
}
