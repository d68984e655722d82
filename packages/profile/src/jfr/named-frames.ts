import type { StackTableBuilder } from '../builder.js';
import type { RefusalTally } from '../refusal-tally.js';
import type { LetterBudget } from './letter-budget.js';
import type { MethodNames } from './method-names.js';

/** The frames of a recording, by the index of their names. */
export class NamedFrames {
  /** The builder's strings of each name; 0 before its first use. */
  private shown = new Int32Array(0);
  private written = new Int32Array(0);
  /** 1 + line and kind, and frame, of each name's last use. */
  private lastPlace = new Int32Array(0);
  private lastFrame = new Int32Array(0);
  /** Names from here on have been taken off the budget when they were made. */
  private readonly known: number;

  constructor(
    readonly names: MethodNames,
    private readonly stacks: StackTableBuilder,
    readonly budget: LetterBudget,
    private readonly refusals: RefusalTally,
  ) {
    this.known = names.length;
  }

  /** The builder's frame of a name, line and kind; the latter is an index into FRAME_KINDS. */
  frame(name: number, line: number, kind: number): number {
    if (name >= this.shown.length) this.grow();
    if (this.shown[name] === 0) this.use(name);
    // Most methods are seen at one line, in every chunk.
    const place = line * 16 + kind + 1;
    if (this.lastPlace[name] === place) return this.lastFrame[name] as number;
    const frame = this.stacks.frameOfKind(this.shown[name] as number, this.written[name] as number, 0, 0, line, kind);
    this.lastPlace[name] = place;
    this.lastFrame[name] = frame;
    return frame;
  }

  private use(name: number): void {
    const { names, stacks } = this;
    const shown = names.shown[name] as string;
    const written = names.written[name] as string;
    if (name < this.known) this.budget.take(shown.length + written.length);
    for (let i = 0; i < (names.cuts[name] as number); i++) {
      this.refusals.add('name_over_limit', () => `the name of a method is cut at ${names.nameBytesMax} bytes`);
    }
    this.shown[name] = stacks.string(shown, names.shownIds[name]);
    if (written !== '') this.written[name] = stacks.string(written, names.writtenIds[name]);
  }

  private grow(): void {
    const length = Math.max(this.names.length, this.shown.length * 2);
    this.shown = grown(this.shown, length);
    this.written = grown(this.written, length);
    this.lastPlace = grown(this.lastPlace, length);
    this.lastFrame = grown(this.lastFrame, length);
  }
}

function grown(column: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(column);
  return copy;
}
