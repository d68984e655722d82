import type { SampleTableBuilder } from '../builder.js';
import type { ReadLimits } from '../limits.js';
import type { Label } from '../model.js';
import type { RefusalTally } from '../refusal-tally.js';
import { LABEL } from './fields.js';
import type { StringTable } from './strings.js';
import { VARINT, type WireReader } from './wire.js';

/**
 * Reads the labels of one sample at a time. Text labels become the label set; numeric ones are measurements of the sample
 * (sizes of objects, process ids), not something to tell series apart by, and are left out without a count.
 */
export class LabelReader {
  private readonly strings: StringTable;
  private readonly limits: ReadLimits;
  private readonly tally: RefusalTally;
  /** String indexes of key and text in turn. */
  private pairs: number[] = [];
  /** Label sets by their string indexes: samples of one thread say the same again and again. */
  private readonly known = new Map<string, number>();

  constructor(strings: StringTable, limits: ReadLimits, tally: RefusalTally) {
    this.strings = strings;
    this.limits = limits;
    this.tally = tally;
  }

  begin(): void {
    if (this.pairs.length > 0) this.pairs = [];
  }

  /** Reads the label that fills the reader's window. */
  read(reader: WireReader, sample: number): void {
    let key = 0;
    let text = 0;
    while (reader.more) {
      const tag = reader.tag();
      const field = tag >>> 3;
      if (field !== LABEL.key && field !== LABEL.text) {
        reader.skip(tag);
        continue;
      }
      reader.expect(tag, VARINT);
      reader.varint();
      if (field === LABEL.key) key = reader.int31();
      else text = reader.int31();
    }
    if (text === 0) return;
    const { strings, limits, tally } = this;
    if (!strings.has(key) || !strings.has(text)) {
      tally.add('string_out_of_range', () => `a label of sample ${sample} names a missing string`);
    } else if (strings.byteLength(key) === 0) {
      tally.add('label_without_name', () => `a label of sample ${sample} has an empty name`);
    } else if (strings.byteLength(key) > limits.labelNameBytesMax) {
      tally.add(
        'label_size_limit',
        () => `a label name of sample ${sample} has over ${limits.labelNameBytesMax} bytes`,
      );
    } else if (strings.byteLength(text) > limits.labelValueBytesMax) {
      const name = strings.text(key);
      tally.add(
        'label_size_limit',
        () => `label ${name} of sample ${sample} has over ${limits.labelValueBytesMax} bytes`,
      );
    } else if (this.pairs.length >= limits.labelNamesMax * 2) {
      tally.add('label_names_limit', () => `sample ${sample} has over ${limits.labelNamesMax} labels`);
    } else this.pairs.push(key, text);
  }

  /** The label set of the sample read since `begin`. Of two labels of one name the first counts. */
  labelSet(samples: SampleTableBuilder): number {
    const { pairs } = this;
    if (pairs.length === 0) return 0;
    const key = pairs.join(' ');
    let labelSet = this.known.get(key);
    if (labelSet === undefined) {
      labelSet = samples.labelSet(this.distinctLabels());
      this.known.set(key, labelSet);
    }
    return labelSet;
  }

  private distinctLabels(): Label[] {
    const labels = new Map<string, string>();
    for (let i = 0; i < this.pairs.length; i += 2) {
      const name = this.strings.text(this.pairs[i] as number);
      const value = this.strings.text(this.pairs[i + 1] as number);
      // A name of stray bytes can be empty once it is cut.
      if (name === '') this.tally.add('label_without_name', () => 'a label of a sample has an empty name');
      else if (labels.has(name)) this.tally.add('duplicate_label', () => `a sample has two labels ${name}`);
      else if (value !== '') labels.set(name, value);
    }
    return Array.from(labels, ([name, value]) => ({ name, value }));
  }
}
