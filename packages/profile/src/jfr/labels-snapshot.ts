import { PilotlightError } from '../errors.js';
import { malformed } from './wire.js';

/**
 * The labels that the agent sends beside a recording, a proto3 message:
 *
 * ```
 * LabelsSnapshot { 1: map<int64, Context> contexts; 2: map<int64, string> strings }
 * Context { 1: map<int64, int64> labels }    // name and value, both ids of strings
 * ```
 *
 * Ids keep growing over the life of a process; an event may name a context that was already forgotten.
 */
export interface LabelsSnapshot {
  readonly contexts: ReadonlyMap<bigint, ReadonlyMap<bigint, bigint>>;
  readonly strings: ReadonlyMap<bigint, string>;
}

export const NO_LABELS: LabelsSnapshot = { contexts: new Map(), strings: new Map() };

const UTF8 = new TextDecoder();
/** Contexts, their labels and strings together. */
const ROWS_MAX = 200_000;
const LENGTH_DELIMITED = 2;
const EMPTY = new Uint8Array(0);

/** Reads an (inflated) snapshot. Throws PilotlightError with code `malformed_profile` or `profile_size_limit`. */
export function readLabelsSnapshot(bytes: Uint8Array): LabelsSnapshot {
  const contexts = new Map<bigint, ReadonlyMap<bigint, bigint>>();
  const strings = new Map<bigint, string>();
  let labelCount = 0;
  for (const field of messageFields(bytes)) {
    if (field.number === 1) {
      const { key, value } = mapEntry(field.bytes);
      const context = readContext(value.bytes);
      contexts.set(key, context);
      labelCount += context.size;
    } else if (field.number === 2) {
      const { key, value } = mapEntry(field.bytes);
      strings.set(key, UTF8.decode(value.bytes));
    }
    if (contexts.size + strings.size + labelCount > ROWS_MAX) {
      throw new PilotlightError('profile_size_limit', `the labels have more than ${ROWS_MAX} rows`, {
        limit: ROWS_MAX,
      });
    }
  }
  return { contexts, strings };
}

function readContext(bytes: Uint8Array): ReadonlyMap<bigint, bigint> {
  const labels = new Map<bigint, bigint>();
  for (const field of messageFields(bytes)) {
    if (field.number !== 1) continue;
    const { key, value } = mapEntry(field.bytes);
    labels.set(key, value.varint);
  }
  return labels;
}

interface MessageField {
  readonly number: number;
  readonly varint: bigint;
  readonly bytes: Uint8Array;
}

const ABSENT: MessageField = { number: 0, varint: 0n, bytes: EMPTY };

/** A map is a repeated message of key (1) and value (2), where a zero or empty one is left out. */
function mapEntry(bytes: Uint8Array): { key: bigint; value: MessageField } {
  let key = 0n;
  let value = ABSENT;
  for (const field of messageFields(bytes)) {
    if (field.number === 1) key = field.varint;
    else if (field.number === 2) value = field;
  }
  return { key, value };
}

function* messageFields(bytes: Uint8Array): Generator<MessageField> {
  let position = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[position++];
      if (byte === undefined) throw malformed(position - 1, 'the labels end inside a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw malformed(position, 'the labels hold a number of more than 10 bytes');
  };
  const take = (length: number): Uint8Array => {
    if (length > bytes.length - position) {
      throw malformed(position, `the labels announce ${length} bytes, ${bytes.length - position} are left`);
    }
    position += length;
    return bytes.subarray(position - length, position);
  };
  while (position < bytes.length) {
    const tag = Number(varint());
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (wireType === 0) yield { number, varint: varint(), bytes: EMPTY };
    else if (wireType === LENGTH_DELIMITED) yield { number, varint: 0n, bytes: take(Number(varint())) };
    else if (wireType === 1) take(8);
    else if (wireType === 5) take(4);
    else throw malformed(position, `the labels hold a field of wire type ${wireType}`);
  }
}
