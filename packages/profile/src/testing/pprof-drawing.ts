import { FUNCTION, LABEL, LINE, LOCATION, PROFILE, SAMPLE, VALUE_TYPE } from '../pprof/fields.js';
import { WireWriter } from '../pprof/wire-writer.js';

/**
 * A pprof message spelled out, so that a test can say what no writer would: ids of 0, missing rows, values that do not match.
 * Texts become indexes into the string table; numbers in their place are written as they are.
 */
export interface PprofDrawing {
  readonly types: readonly string[];
  readonly samples: readonly {
    /** Location ids, leaf first. */
    readonly stack: readonly (number | bigint)[];
    readonly values: readonly (number | bigint)[];
    readonly labels?: readonly { readonly key: Text; readonly text?: Text; readonly number?: number }[];
  }[];
  /** Each line is `[function id]` or `[function id, line]`. */
  readonly locations?: readonly {
    readonly id: number | bigint;
    readonly address?: number | bigint;
    readonly lines?: readonly (readonly (number | bigint)[])[];
  }[];
  readonly functions?: readonly {
    readonly id: number | bigint;
    readonly name: Text;
    readonly systemName?: Text;
    readonly file?: Text;
    readonly startLine?: number;
  }[];
  readonly dropFrames?: string;
  readonly keepFrames?: string;
  readonly timeNanos?: bigint;
  readonly durationNanos?: bigint;
  readonly period?: bigint;
  /** Repeated numbers one by one instead of packed. */
  readonly unpacked?: boolean;
}

/** A text, its bytes where it is none, or a number that is written as an index. */
export type Text = string | Uint8Array | number;

export function pprofFromDrawing(drawing: PprofDrawing): Uint8Array {
  const out = new WireWriter();
  const strings: (string | Uint8Array)[] = [''];
  const index = (text: Text): number => {
    if (typeof text === 'number') return text;
    const known = strings.indexOf(text);
    return known !== -1 ? known : strings.push(text) - 1;
  };
  const numbers = (into: WireWriter, field: number, values: readonly (number | bigint)[]): void => {
    if (drawing.unpacked === true) {
      for (const value of values) into.fieldExact(field, BigInt(value));
      return;
    }
    const packed = new WireWriter();
    for (const value of values) packed.varintExact(BigInt(value));
    into.message(field, packed);
  };
  const message = (field: number, write: (message: WireWriter) => void, into = out): void => {
    const content = new WireWriter();
    write(content);
    into.message(field, content);
  };

  for (const type of drawing.types) {
    const [name = '', unit = ''] = type.split('/');
    message(PROFILE.sampleType, (m) => {
      m.field(VALUE_TYPE.type, index(name));
      m.field(VALUE_TYPE.unit, index(unit));
    });
  }
  for (const { stack, values, labels } of drawing.samples) {
    message(PROFILE.sample, (m) => {
      numbers(m, SAMPLE.locationId, stack);
      numbers(m, SAMPLE.value, values);
      for (const { key, text, number } of labels ?? []) {
        const writeLabel = (l: WireWriter): void => {
          l.field(LABEL.key, index(key));
          if (text !== undefined) l.field(LABEL.text, index(text));
          if (number !== undefined) l.field(LABEL.text + 1, number);
        };
        message(SAMPLE.label, writeLabel, m);
      }
    });
  }
  for (const { id, address, lines } of drawing.locations ?? []) {
    message(PROFILE.location, (m) => {
      m.fieldExact(LOCATION.id, BigInt(id));
      if (address !== undefined) m.fieldExact(LOCATION.address, BigInt(address));
      for (const [functionId = 0, line] of lines ?? []) {
        const writeLine = (l: WireWriter): void => {
          l.fieldExact(LINE.functionId, BigInt(functionId));
          if (line !== undefined) l.fieldExact(LINE.line, BigInt(line));
        };
        message(LOCATION.line, writeLine, m);
      }
    });
  }
  for (const { id, name, systemName, file, startLine } of drawing.functions ?? []) {
    message(PROFILE.function, (m) => {
      m.fieldExact(FUNCTION.id, BigInt(id));
      m.field(FUNCTION.name, index(name));
      if (systemName !== undefined) m.field(FUNCTION.systemName, index(systemName));
      if (file !== undefined) m.field(FUNCTION.filename, index(file));
      if (startLine !== undefined) m.field(FUNCTION.startLine, startLine);
    });
  }
  if (drawing.dropFrames !== undefined) out.field(PROFILE.dropFrames, index(drawing.dropFrames));
  if (drawing.keepFrames !== undefined) out.field(PROFILE.keepFrames, index(drawing.keepFrames));
  if (drawing.timeNanos !== undefined) out.fieldExact(PROFILE.timeNanos, drawing.timeNanos);
  if (drawing.durationNanos !== undefined) out.fieldExact(PROFILE.durationNanos, drawing.durationNanos);
  if (drawing.period !== undefined) out.fieldExact(PROFILE.period, drawing.period);
  for (const text of strings)
    out.bytesField(PROFILE.stringTable, typeof text === 'string' ? new TextEncoder().encode(text) : text);
  return out.finish();
}

/** Messages one after the other. */
export function joinedBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}
