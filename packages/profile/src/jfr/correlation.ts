import type { ReadLimits } from '../limits.js';
import type { Label, LabelSet } from '../model.js';
import { PairIndex } from '../pair-index.js';
import type { RefusalTally } from '../refusal-tally.js';
import type { JfrDetailTexts } from './detail-rows.js';
import type { FieldReader } from './fields.js';
import type { LabelsSnapshot } from './labels-snapshot.js';
import type { LetterBudget } from './letter-budget.js';

/**
 * The fields by which an event says whose work it saw, as the Pyroscope fork of async-profiler writes them. `contextId`
 * and `spanName` point into the labels snapshot, the others are ids; 0 means none.
 */
export const CORRELATION_FIELDS = ['spanId', 'spanName', 'traceIdHi', 'traceIdLo', 'contextId'] as const;
const [SPAN, SPAN_NAME, TRACE_HIGH, TRACE_LOW, CONTEXT] = [0, 1, 2, 3, 4] as const;
const FIELD_COUNT = CORRELATION_FIELDS.length;
const ROOT = -1;

/** The label sets of the events of a recording, each distinct combination made once. */
export class Correlations {
  /** Index 0 is the empty set. */
  readonly labelSets: LabelSet[] = [[]];
  private readonly spans = [0];
  /** The halves of a field's value → its number; and a path of such numbers, one a field, → where it leads. */
  private readonly values = new PairIndex();
  private readonly paths = new PairIndex();
  /** The label set where a path ends. */
  private readonly ends: number[] = [];
  private readonly lastLow = new Uint32Array(FIELD_COUNT);
  private readonly lastHigh = new Uint32Array(FIELD_COUNT);
  private last = 0;
  private lastSpan = 0;

  constructor(
    private readonly snapshot: LabelsSnapshot,
    private readonly limits: ReadLimits,
    private readonly budget: LetterBudget,
    private readonly refusals: RefusalTally,
    private readonly detailTexts: JfrDetailTexts | undefined,
  ) {}

  /** Index into the spans of the details, by index into `labelSets`. */
  span(index: number): number {
    return this.spans[index] as number;
  }

  /** Index into `labelSets` for the event read last; its correlation fields begin at `slot`. */
  of(event: FieldReader, slot: number): number {
    const { low, high } = event;
    const { lastLow, lastHigh } = this;
    let same = true;
    for (let i = 0; i < FIELD_COUNT; i++) {
      if (low[slot + i] === lastLow[i] && high[slot + i] === lastHigh[i]) continue;
      same = false;
      lastLow[i] = low[slot + i] as number;
      lastHigh[i] = high[slot + i] as number;
    }
    if (!same) this.last = this.find(event, slot);
    return this.last;
  }

  private find(event: FieldReader, slot: number): number {
    const { low, high } = event;
    let path = ROOT;
    for (let i = slot; i < slot + FIELD_COUNT; i++) {
      path = this.paths.indexOf(path, this.values.indexOf((low[i] as number) | 0, (high[i] as number) | 0));
    }
    let index = this.ends[path];
    if (index === undefined) {
      const labels = this.labels(event, slot);
      index = labels.length === 0 ? 0 : this.labelSets.push(labels) - 1;
      if (index > 0) this.spans[index] = this.lastSpan;
      this.ends[path] = index;
    }
    return index;
  }

  private labels(event: FieldReader, slot: number): LabelSet {
    const { snapshot } = this;
    const labels = new Map<string, string>();
    // The ids come first: of more labels than the limit they are the ones to keep, and a context cannot replace them.
    if (!event.isZero(slot + SPAN)) this.put(labels, 'span_id', hex(event, slot + SPAN));
    const spanName = event.isZero(slot + SPAN_NAME) ? undefined : snapshot.strings.get(id(event, slot + SPAN_NAME));
    this.put(labels, 'span_name', spanName ?? '');
    if (!event.isZero(slot + TRACE_HIGH) || !event.isZero(slot + TRACE_LOW)) {
      this.put(labels, 'trace_id', hex(event, slot + TRACE_HIGH) + hex(event, slot + TRACE_LOW));
    }
    this.lastSpan = this.spanOf(event, slot, labels);
    const context = event.isZero(slot + CONTEXT) ? undefined : snapshot.contexts.get(id(event, slot + CONTEXT));
    for (const [nameId, valueId] of context ?? []) {
      const name = snapshot.strings.get(nameId);
      this.put(labels, name ?? '', snapshot.strings.get(valueId) ?? '');
    }
    return Array.from(labels, ([name, value]): Label => ({ name, value })).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Before the context's labels come, which may have the same names. */
  private spanOf(event: FieldReader, slot: number, labels: ReadonlyMap<string, string>): number {
    const { detailTexts: texts } = this;
    if (texts === undefined) return 0;
    const [name, trace] = [labels.get('span_name') ?? '', labels.get('trace_id') ?? ''];
    return texts.span(texts.string(name), id(event, slot + SPAN), texts.string(trace));
  }

  private put(labels: Map<string, string>, name: string, value: string): void {
    const { labelNamesMax, labelNameBytesMax, labelValueBytesMax } = this.limits;
    if (name === '' || value === '' || labels.has(name)) return;
    if (longer(name, labelNameBytesMax)) {
      this.refusals.add('label_size_limit', () => `the name of a label has over ${labelNameBytesMax} bytes`);
    } else if (longer(value, labelValueBytesMax)) {
      this.refusals.add('label_size_limit', () => `the value of label ${name} has over ${labelValueBytesMax} bytes`);
    } else if (labels.size >= labelNamesMax) {
      this.refusals.add('label_names_limit', () => `a sample has over ${labelNamesMax} labels`);
    } else {
      this.budget.take(name.length + value.length);
      labels.set(name, value);
    }
  }
}

function hex(event: FieldReader, slot: number): string {
  const digits = (half: number) => half.toString(16).padStart(8, '0');
  return digits(event.high[slot] as number) + digits(event.low[slot] as number);
}

function id(event: FieldReader, slot: number): bigint {
  return (BigInt(event.high[slot] as number) << 32n) | BigInt(event.low[slot] as number);
}

function longer(text: string, bytesMax: number): boolean {
  // A UTF-16 unit takes three bytes of UTF-8 at the most.
  return text.length * 3 > bytesMax && new TextEncoder().encode(text).length > bytesMax;
}
