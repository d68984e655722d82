import { SampleTableBuilder, StackTableBuilder } from '../builder.js';
import { checkProfile } from '../check.js';
import { isDifferenceType } from '../difference-type.js';
import { PilotlightError } from '../errors.js';
import { DEFAULT_READ_LIMITS, type ReadLimits } from '../limits.js';
import { STACK_CUT_NAME } from '../markers.js';
import { NO_PARENT, type Profile, type Reading, SAMPLE_VALUE_MAX, type ValueType } from '../model.js';
import { cutToBytes } from '../name-limit.js';
import { RefusalTally } from '../refusal-tally.js';
import { unescapeName } from './escape.js';
import { decodeText } from './text.js';

export interface CollapsedOptions {
  readonly limits?: ReadLimits;
  /** What the counts are; the format does not say. Default: samples, count. */
  readonly sampleType?: ValueType;
  /** Lines have no count, each counts one (`format=lines` of the Pyroscope API). */
  readonly linesCountOne?: boolean;
}

const SAMPLES: ValueType = { type: 'samples', unit: 'count' };

/**
 * Reads collapsed stacks (Brendan Gregg's FlameGraph): a line is `root;…;leaf count`, split at its last blank; frames
 * are trimmed at both ends. Names may hold the escapes of `escape.ts`. Lines that begin with `#` are comments;
 * they, and lines that are no stack, are left out and counted. Over `samplesMax` distinct stacks is a `samples_limit`, over
 * `nodesMax` nodes a `profile_size_limit`; nothing else refuses the whole.
 */
export function readCollapsed(bytes: Uint8Array, options: CollapsedOptions = {}): Reading {
  const reader = new LineReader(options);
  const { text, isDamaged } = decodeText(bytes);
  for (let start = 0, line = 1; start < text.length; line++) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    reader.read(text.slice(start, end), line, isDamaged);
    start = end + 1;
  }
  const profile = reader.finish();
  checkProfile(profile);
  return { profiles: [{ metric: '', profile, labels: [], periodSource: '' }], refusals: reader.tally.list() };
}

class LineReader {
  readonly tally = new RefusalTally();
  private readonly limits: ReadLimits;
  private readonly sampleType: ValueType;
  private readonly linesCountOne: boolean;
  private readonly stacks = new StackTableBuilder();
  private readonly samples = new SampleTableBuilder(1);
  /** Frame by name as written. */
  private readonly frames = new Map<string, number>();

  constructor(options: CollapsedOptions) {
    this.limits = options.limits ?? DEFAULT_READ_LIMITS;
    this.sampleType = options.sampleType ?? SAMPLES;
    this.linesCountOne = options.linesCountOne ?? false;
  }

  /** Reads line `number`, counted from 1. */
  read(raw: string, number: number, isDamaged: boolean): void {
    const line = trimmed(raw, 0, raw.length);
    if (line === '') return;
    if (raw.startsWith('#')) {
      this.tally.add('comment', () => `line ${number} is a comment`);
      return;
    }
    const blank = this.linesCountOne ? line.length : Math.max(line.lastIndexOf(' '), line.lastIndexOf('\t'));
    const count = this.linesCountOne ? '1' : line.slice(blank + 1);
    if (blank === -1 || !/^-?[0-9]+$/.test(count)) {
      this.tally.add('invalid_line', () => `line ${number} does not end in a blank and a whole number`);
      return;
    }
    const value = Number(count);
    if (Math.abs(value) > SAMPLE_VALUE_MAX) {
      this.tally.add('value_over_limit', () => `the count of line ${number} is not within ±(2^53 − 1)`);
      return;
    }
    if (value < 0 && !isDifferenceType(this.sampleType.type)) {
      this.tally.add('negative_value', () => `line ${number} has ${count} of type ${this.sampleType.type}`);
      return;
    }
    if (isDamaged && line.includes('\ufffd')) {
      this.tally.add('invalid_utf8', () => `line ${number} has bytes that are no text, read as U+FFFD`);
    }
    const leaf = this.leaf(line, blank, number);
    if (leaf === NO_PARENT) {
      this.tally.add('invalid_line', () => `line ${number} has no frame`);
    } else if (!this.samples.add(leaf, 0, value === 0 ? 0 : value)) {
      this.tally.add('value_over_limit', () => `line ${number} brings the sum of its stack over 2^53 − 1`);
    }
    this.checkSize();
  }

  finish(): Profile {
    return {
      stacks: this.stacks.finish(),
      ...this.samples.finish(),
      sampleTypes: [this.sampleType],
      periodType: undefined,
      period: 0,
      timeNanos: 0n,
      durationNanos: 0,
    };
  }

  /** The leaf of the stack in `line` up to `end`. */
  private leaf(line: string, end: number, number: number): number {
    let node = NO_PARENT;
    let depth = 0;
    for (let start = 0; start <= end; ) {
      const semicolon = line.indexOf(';', start);
      const stop = semicolon === -1 || semicolon > end ? end : semicolon;
      const written = trimmed(line, start, stop);
      start = stop + 1;
      if (written === '') {
        this.tally.add('empty_frame', () => `line ${number} has a frame without a name`);
      } else if (depth++ === this.limits.depthMax) {
        this.tally.add('depth_over_limit', () => `line ${number} has more than ${this.limits.depthMax} frames`);
        const marker = this.stacks.frame(this.stacks.string(STACK_CUT_NAME), 0, 0, 0, 0, 'marker');
        return this.stacks.node(node, marker);
      } else node = this.stacks.node(node, this.frame(written, number));
    }
    return node;
  }

  private frame(written: string, number: number): number {
    let frame = this.frames.get(written);
    if (frame === undefined) {
      const name = unescapeName(written);
      const { nameBytesMax } = this.limits;
      const cut = cutToBytes(name, nameBytesMax);
      if (cut.length !== name.length) {
        this.tally.add('name_over_limit', () => `a name in line ${number} is cut at ${nameBytesMax} bytes`);
      }
      frame = this.stacks.frame(this.stacks.string(cut));
      this.frames.set(written, frame);
    }
    return frame;
  }

  private checkSize(): void {
    const { samplesMax, nodesMax } = this.limits;
    if (this.samples.length > samplesMax) {
      throw new PilotlightError('samples_limit', `collapsed: more than ${samplesMax} stacks`, { limit: samplesMax });
    }
    if (this.stacks.nodeCount > nodesMax) {
      throw new PilotlightError('profile_size_limit', `collapsed: more than ${nodesMax} nodes of stacks`, {
        limit: nodesMax,
      });
    }
  }
}

/** The text between two places without blanks, tabs and carriage returns at its ends; other white space belongs to names. */
function trimmed(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0d;
}
