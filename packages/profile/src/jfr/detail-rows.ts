import type { DetailTable } from '../details.js';
import { SAMPLE_VALUE_MAX, type SampleTable } from '../model.js';
import { PairIndex, pairHash } from '../pair-index.js';

const MILLIS_MAX = 0x7fff_ffff;

/** Texts and spans of the details of a reading, each distinct one once. */
export class JfrDetailTexts {
  readonly strings: string[] = [''];
  private readonly indexes = new Map([['', 0]]);
  /** Span 0 is the absent one. */
  readonly spans: DetailSpan[] = [{ name: 0, id: 0n, trace: 0 }];
  private readonly spanIndexes = new Map([['0 0 0', 0]]);

  string(text: string): number {
    let index = this.indexes.get(text);
    if (index === undefined) {
      index = this.strings.push(text) - 1;
      this.indexes.set(text, index);
    }
    return index;
  }

  /** Index into `spans`; name and trace are indexes from `string`. */
  span(name: number, id: bigint, trace: number): number {
    const key = `${name} ${id} ${trace}`;
    let index = this.spanIndexes.get(key);
    if (index === undefined) {
      index = this.spans.push({ name, id, trace }) - 1;
      this.spanIndexes.set(key, index);
    }
    return index;
  }
}

export interface DetailSpan {
  readonly name: number;
  readonly id: bigint;
  readonly trace: number;
}

/** Words of a row: sample, thread, moment, time. */
const ROW_WORDS = 4;

/**
 * The details of one profile: a row for all sightings of a sample that differ in nothing but the time within one second. Each
 * event has one, so this is quicker than what is made for samples whose labels tell of them.
 */
export class DetailRows {
  length = 0;
  /** Span and second, which are the same for many sightings on end. */
  private readonly moments = new PairIndex();
  private lastSpan = -1;
  private lastSecond = -1;
  private lastMoment = -1;
  /** Each row side by side, so that finding it touches one cache line. */
  private rows = new Int32Array(256 * ROW_WORDS);
  private values: Float64Array[];
  /** 1 + row, by open addressing. */
  private slots = new Int32Array(512);

  constructor(
    private readonly texts: JfrDetailTexts,
    sampleTypeCount: number,
  ) {
    this.values = Array.from({ length: sampleTypeCount }, () => new Float64Array(256));
  }

  /**
   * Adds a sighting: sample is a row of the profile's, thread an index from `string` of the texts, span one from `span`,
   * values one a sample type, which the sample's sums have taken. Milliseconds count from the profile's start; what is
   * before it is at it.
   */
  add(sample: number, thread: number, span: number, timeOffsetMs: number, values: ArrayLike<number>): void {
    const time = Math.floor(Math.min(Math.max(timeOffsetMs, 0), MILLIS_MAX));
    const row = this.row(sample, thread, this.moment(span, Math.floor(time / 1000)), time);
    for (let i = 0; i < this.values.length; i++) {
      const column = this.values[i] as Float64Array;
      column[row] = Math.min((column[row] as number) + (values[i] as number), SAMPLE_VALUE_MAX);
    }
  }

  finish(samples: SampleTable): DetailTable {
    const { length, rows, moments, texts } = this;
    const node = new Int32Array(length);
    const labelSet = new Int32Array(length);
    const thread = new Int32Array(length);
    const timeOffsetMs = new Int32Array(length);
    const spanName = new Int32Array(length);
    const traceId = new Int32Array(length);
    const spanId = new BigUint64Array(length);
    for (let row = 0, at = 0; row < length; row++, at += ROW_WORDS) {
      const sample = rows[at] as number;
      node[row] = samples.node[sample] as number;
      labelSet[row] = samples.labelSet[sample] as number;
      thread[row] = rows[at + 1] as number;
      timeOffsetMs[row] = rows[at + 3] as number;
      const index = moments.first[rows[at + 2] as number] as number;
      if (index === 0) continue;
      const span = texts.spans[index] as DetailSpan;
      spanName[row] = span.name;
      traceId[row] = span.trace;
      spanId[row] = span.id;
    }
    const values = this.values.map((column) => column.slice(0, length));
    return { length, node, labelSet, values, timeOffsetMs, thread, spanName, traceId, spanId, strings: texts.strings };
  }

  private moment(span: number, second: number): number {
    if (span !== this.lastSpan || second !== this.lastSecond) {
      this.lastSpan = span;
      this.lastSecond = second;
      this.lastMoment = this.moments.indexOf(span, second);
    }
    return this.lastMoment;
  }

  private row(sample: number, thread: number, moment: number, time: number): number {
    const { slots, rows } = this;
    const mask = slots.length - 1;
    let slot = rowHash(sample, thread, moment) & mask;
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const at = ((slots[slot] as number) - 1) * ROW_WORDS;
      if (rows[at] !== sample || rows[at + 1] !== thread || rows[at + 2] !== moment) continue;
      if (time < (rows[at + 3] as number)) rows[at + 3] = time;
      return at / ROW_WORDS;
    }
    const row = this.length++;
    slots[slot] = this.length;
    const at = row * ROW_WORDS;
    rows[at] = sample;
    rows[at + 1] = thread;
    rows[at + 2] = moment;
    rows[at + 3] = time;
    if (this.length * ROW_WORDS === rows.length) this.grow();
    return row;
  }

  private grow(): void {
    const rows = new Int32Array(this.rows.length * 2);
    rows.set(this.rows);
    this.rows = rows;
    this.values = this.values.map((column) => {
      const grown = new Float64Array(column.length * 2);
      grown.set(column);
      return grown;
    });
    this.slots = new Int32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let row = 0; row < this.length; row++) {
      const at = row * ROW_WORDS;
      let slot = rowHash(rows[at] as number, rows[at + 1] as number, rows[at + 2] as number) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = row + 1;
    }
  }
}

function rowHash(sample: number, thread: number, moment: number): number {
  return pairHash(pairHash(sample, thread), moment);
}
