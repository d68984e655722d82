import type { StackTableBuilder } from '../builder.js';
import { PilotlightError } from '../errors.js';
import type { ReadLimits } from '../limits.js';
import type { RefusalTally } from '../refusal-tally.js';
import { LINE, LOCATION } from './fields.js';
import type { FunctionTable } from './functions.js';
import { IdIndex } from './id-index.js';
import { doubled, type Spans } from './spans.js';
import type { StringTable } from './strings.js';
import { BYTES, VARINT, type WireReader } from './wire.js';

/** A line that names no usable function: shown as the address of its location. */
export const NO_FUNCTION = -1;

/** The locations, each a run of lines from the leaf side to the root side, and the frames the lines become. */
export class LocationTable {
  readonly length: number;
  readonly ids: IdIndex;
  /** Lines of location `i`: from `lineStart[i]` up to `lineStart[i + 1]`, at least one. */
  readonly lineStart: Int32Array;
  /** Row of the function, or NO_FUNCTION. */
  lineFunction = new Int32Array(64);
  private lineNumber = new Int32Array(64);
  private lineCount = 0;
  private readonly addressLow: Uint32Array;
  private readonly addressHigh: Uint32Array;
  private readonly functions: FunctionTable;
  private readonly strings: StringTable;
  private readonly stacks: StackTableBuilder;
  private readonly limits: ReadLimits;
  private frames = new Int32Array(0);

  constructor(
    length: number,
    functions: FunctionTable,
    strings: StringTable,
    stacks: StackTableBuilder,
    limits: ReadLimits,
  ) {
    this.length = length;
    this.ids = new IdIndex(length);
    this.lineStart = new Int32Array(length + 1);
    this.addressLow = new Uint32Array(length);
    this.addressHigh = new Uint32Array(length);
    this.functions = functions;
    this.strings = strings;
    this.stacks = stacks;
    this.limits = limits;
  }

  /** Reads all locations. One without a usable id is left out; samples that name it keep a frame in its place. */
  read(reader: WireReader, spans: Spans, tally: RefusalTally): void {
    for (let row = 0; row < this.length; row++) {
      this.lineStart[row] = this.lineCount;
      const end = spans.end[row] as number;
      reader.enter(spans.start[row] as number, end);
      let idLow = 0;
      let idHigh = 0;
      while (reader.more) {
        const tag = reader.tag();
        const field = tag >>> 3;
        if (field === LOCATION.line) {
          reader.expect(tag, BYTES);
          const lineEnd = reader.lengthEnd();
          reader.end = lineEnd;
          this.readLine(reader, row, tally);
          reader.end = end;
        } else if (field === LOCATION.id || field === LOCATION.address) {
          reader.expect(tag, VARINT);
          reader.varint();
          if (field === LOCATION.id) [idLow, idHigh] = [reader.low, reader.high];
          else [this.addressLow[row], this.addressHigh[row]] = [reader.low, reader.high];
        } else reader.skip(tag);
      }
      if (this.lineStart[row] === this.lineCount) this.addLine(NO_FUNCTION, 0);
      if (idLow === 0 && idHigh === 0) tally.add('location_id_zero', () => `location at index ${row} has id 0`);
      else if (!this.ids.put(idLow, idHigh, row)) {
        tally.add('duplicate_id', () => `location at index ${row} has the id of an earlier one`);
      }
    }
    this.lineStart[this.length] = this.lineCount;
    this.frames = new Int32Array(this.lineCount).fill(-1);
  }

  /** The frame of a line of a location, made at first use. */
  frame(row: number, line: number): number {
    let frame = this.frames[line] as number;
    if (frame === -1) {
      frame = this.makeFrame(row, line);
      this.frames[line] = frame;
    }
    return frame;
  }

  private makeFrame(row: number, line: number): number {
    const { functions, strings, stacks } = this;
    const called = this.lineFunction[line] as number;
    if (called === NO_FUNCTION)
      return addressFrame(stacks, this.addressLow[row] as number, this.addressHigh[row] as number);
    const systemName = strings.interned(functions.systemName[called] as number);
    // Index 0 is the empty text: the raw name is better than none.
    const name = strings.interned(functions.name[called] as number) || systemName;
    const file = strings.interned(functions.file[called] as number);
    const isInlined = line + 1 < (this.lineStart[row + 1] as number);
    return stacks.frame(
      name,
      systemName === name ? 0 : systemName,
      file,
      functions.startLine[called],
      this.lineNumber[line],
      isInlined ? 'inlined' : 'unknown',
    );
  }

  private readLine(reader: WireReader, row: number, tally: RefusalTally): void {
    let idLow = 0;
    let idHigh = 0;
    let number = 0;
    while (reader.more) {
      const tag = reader.tag();
      const field = tag >>> 3;
      if (field !== LINE.functionId && field !== LINE.line) {
        reader.skip(tag);
        continue;
      }
      reader.expect(tag, VARINT);
      reader.varint();
      if (field === LINE.line) number = Math.max(reader.int31(), 0);
      else [idLow, idHigh] = [reader.low, reader.high];
    }
    const called = this.functions.ids.get(idLow, idHigh);
    if (called === -1) {
      const id = (BigInt(idHigh) << 32n) | BigInt(idLow);
      tally.add('missing_function', () => `location at index ${row} names function ${id}, which is missing`);
    }
    this.addLine(called === -1 ? NO_FUNCTION : called, number);
  }

  private addLine(called: number, number: number): void {
    const limit = this.limits.tableRowsMax;
    if (this.lineCount >= limit) {
      throw new PilotlightError('profile_size_limit', `pprof: more than ${limit} lines of locations`, { limit });
    }
    if (this.lineCount === this.lineFunction.length) {
      this.lineFunction = doubled(this.lineFunction);
      this.lineNumber = doubled(this.lineNumber);
    }
    this.lineFunction[this.lineCount] = called;
    this.lineNumber[this.lineCount] = number;
    this.lineCount++;
  }
}

/** The frame of code nobody gave a name. */
export function addressFrame(stacks: StackTableBuilder, low: number, high: number): number {
  const address = (BigInt(high) << 32n) | BigInt(low);
  return stacks.frame(stacks.string(`0x${address.toString(16)}`));
}
