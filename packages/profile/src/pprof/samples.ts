import { SampleTableBuilder } from '../builder.js';
import { isDifferenceType } from '../difference-type.js';
import { PilotlightError } from '../errors.js';
import type { ReadLimits } from '../limits.js';
import type { ValueType } from '../model.js';
import type { RefusalTally } from '../refusal-tally.js';
import { SAMPLE } from './fields.js';
import type { LabelReader } from './labels.js';
import type { LocationTable } from './locations.js';
import type { Spans } from './spans.js';
import { NO_LOCATION, type StackWalk, walkedLocationsMax } from './stack-walk.js';
import { BYTES, VARINT, type WireReader } from './wire.js';

/** Reads the samples, one at a time through the same scratch columns. */
export class SampleReader {
  readonly samples: SampleTableBuilder;
  private readonly reader: WireReader;
  private readonly sampleTypes: readonly ValueType[];
  private readonly mayBeNegative: readonly boolean[];
  private readonly locations: LocationTable;
  private readonly walk: StackWalk;
  private readonly labels: LabelReader;
  private readonly limits: ReadLimits;
  private readonly tally: RefusalTally;
  private readonly values: Float64Array;
  private valueCount = 0;
  /** Rows of locations, leaf first. Twice the depth is kept: the root side comes last and must not be lost. */
  private readonly rows: Int32Array;
  private rowCount = 0;

  constructor(parts: {
    reader: WireReader;
    sampleTypes: readonly ValueType[];
    locations: LocationTable;
    walk: StackWalk;
    labels: LabelReader;
    limits: ReadLimits;
    tally: RefusalTally;
  }) {
    this.reader = parts.reader;
    this.sampleTypes = parts.sampleTypes;
    this.mayBeNegative = parts.sampleTypes.map(({ type }) => isDifferenceType(type));
    this.locations = parts.locations;
    this.walk = parts.walk;
    this.labels = parts.labels;
    this.limits = parts.limits;
    this.tally = parts.tally;
    this.samples = new SampleTableBuilder(parts.sampleTypes.length);
    this.values = new Float64Array(parts.sampleTypes.length);
    this.rows = new Int32Array(walkedLocationsMax(parts.limits));
  }

  read(spans: Spans): void {
    for (let i = 0; i < spans.length; i++) this.readSample(i, spans.start[i] as number, spans.end[i] as number);
  }

  private readSample(index: number, start: number, end: number): void {
    const { reader, values, tally } = this;
    this.valueCount = 0;
    this.rowCount = 0;
    this.labels.begin();
    reader.enter(start, end);
    while (reader.more) {
      const tag = reader.tag();
      switch (tag >>> 3) {
        case SAMPLE.locationId:
          this.readLocations(tag, end, index);
          break;
        case SAMPLE.value:
          this.readValues(tag, end);
          break;
        case SAMPLE.label: {
          reader.expect(tag, BYTES);
          const labelEnd = reader.lengthEnd();
          reader.end = labelEnd;
          this.labels.read(reader, index);
          reader.end = end;
          break;
        }
        default:
          reader.skip(tag);
      }
    }
    const { length } = this.sampleTypes;
    if (this.valueCount !== length) {
      throw new PilotlightError(
        'malformed_profile',
        `pprof: sample ${index} has ${this.valueCount} values, the profile has ${length} sample types`,
        { element: index, offset: start },
      );
    }
    for (let i = 0; i < length; i++) {
      const value = values[i] as number;
      if (Number.isNaN(value)) {
        tally.add('value_over_limit', () => `value ${i} of sample ${index} is not within ±(2^53 − 1)`);
        return;
      }
      if (value < 0 && this.mayBeNegative[i] === false) {
        tally.add('negative_value', () => `sample ${index} has ${value} of type ${this.sampleTypes[i]?.type}`);
        return;
      }
    }
    const node = this.walk.leaf(this.rows, this.rowCount);
    if (this.walk.wasCut) {
      tally.add('depth_over_limit', () => `stack of sample ${index} has more than ${this.limits.depthMax} frames`);
    }
    if (!this.samples.addAll(node, this.labels.labelSet(this.samples), values)) {
      tally.add('value_over_limit', () => `sample ${index} brings the sum of its stack over 2^53 − 1`);
    }
  }

  private readLocations(tag: number, end: number, index: number): void {
    const { reader, rows } = this;
    const { ids } = this.locations;
    const numbersEnd = this.enterNumbers(tag);
    while (reader.position < numbersEnd) {
      reader.varint();
      const row = ids.get(reader.low, reader.high);
      if (row === NO_LOCATION) {
        this.tally.add('missing_location', () => {
          const id = (BigInt(reader.high) << 32n) | BigInt(reader.low);
          return `sample ${index} names location ${id}, which is missing`;
        });
      }
      if (this.rowCount === rows.length) {
        this.rowCount /= 2;
        rows.copyWithin(0, this.rowCount);
      }
      rows[this.rowCount++] = row;
    }
    reader.end = end;
  }

  private readValues(tag: number, end: number): void {
    const { reader, values } = this;
    const numbersEnd = this.enterNumbers(tag);
    while (reader.position < numbersEnd) {
      reader.varint();
      if (this.valueCount < values.length) values[this.valueCount] = reader.int64();
      this.valueCount++;
    }
    reader.end = end;
  }

  /**
   * A repeated number comes one by one, or packed, in as many pieces as the writer likes. Numbers are to be read as long as
   * the position is before what comes back; the caller then widens the window again.
   */
  private enterNumbers(tag: number): number {
    const { reader } = this;
    if ((tag & 7) === BYTES) {
      reader.end = reader.lengthEnd();
      return reader.end;
    }
    reader.expect(tag, VARINT);
    return reader.position + 1;
  }
}
