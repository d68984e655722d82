import { type Field, skipField, type Type } from './metadata.js';
import { type Cursor, type StringLookup, VARINT_BYTES_MAX } from './wire.js';

const TWO_32 = 0x1_0000_0000;
const TEXT_BYTES_MAX = 4096;

const PASS = 0;
const PASS_VARINT = 1;
const READ_VARINT = 2;
const READ_INT = 3;
const READ_SHORT = 4;
const READ_BYTE = 5;
const READ_TEXT = 6;
const PASS_BYTE = 7;

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
  /** The most bytes that the steps take, when all are of whole numbers; else Infinity. */
  private readonly bytesMax: number;

  constructor(type: Type, names: readonly string[]) {
    this.low = new Uint32Array(names.length);
    this.high = new Uint32Array(names.length);
    this.texts = names.map(() => '');
    this.fields = names.map((name) => type.field(name)).map((field) => (field?.array ? undefined : field));
    const last = type.fields.reduce((end, field, index) => (this.fields.includes(field) ? index + 1 : end), 0);
    this.order = type.fields.slice(0, last);
    this.steps = Uint8Array.from(this.order, (field) => stepOf(field, this.fields.includes(field)));
    this.slots = Uint8Array.from(this.order, (field) => Math.max(0, this.fields.indexOf(field)));
    const whole = this.steps.every((step) => step !== PASS && step !== READ_TEXT);
    this.bytesMax = whole ? this.steps.length * VARINT_BYTES_MAX : Number.POSITIVE_INFINITY;
  }

  read(cursor: Cursor, lookup?: StringLookup): void {
    if (cursor.position + this.bytesMax > cursor.bytes.length || !this.readWhole(cursor)) {
      this.readChecked(cursor, lookup);
    }
  }

  /**
   * Reads whole numbers without looking at the end, given that the file does not end before they do. False when they
   * went past the cursor's end, with the cursor where it was: only then is it worth to know which one did.
   */
  private readWhole(cursor: Cursor): boolean {
    const { bytes } = cursor;
    const { steps, slots, low, high } = this;
    let position = cursor.position;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i] as number;
      let byte = bytes[position++] as number;
      if (step === PASS_VARINT) {
        const last = position + VARINT_BYTES_MAX - 2;
        while (byte >= 0x80 && position <= last) byte = bytes[position++] as number;
        continue;
      }
      if (step === PASS_BYTE) continue;
      const slot = slots[i] as number;
      if (step === READ_BYTE) {
        low[slot] = byte;
        high[slot] = 0;
        continue;
      }
      let bits = byte & 0x7f;
      let top = 0;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = bytes[position++] as number;
        if (shift < 28) bits |= (byte & 0x7f) << shift;
        else if (shift === 28) {
          bits |= byte << 28;
          top = (byte & 0x7f) >>> 4;
        } else if (shift < 56) top |= (byte & 0x7f) << (shift - 32);
        else {
          top |= byte << 24;
          break;
        }
      }
      if (step === READ_INT) top = bits >> 31;
      else if (step === READ_SHORT) {
        bits = (bits << 16) >> 16;
        top = bits >> 31;
      }
      low[slot] = bits;
      high[slot] = top;
    }
    if (position > cursor.end) return false;
    cursor.position = position;
    return true;
  }

  private readChecked(cursor: Cursor, lookup?: StringLookup): void {
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
  if (encoding === 'byte') return wanted ? READ_BYTE : PASS_BYTE;
  return encoding === 'string' && wanted ? READ_TEXT : PASS;
}
