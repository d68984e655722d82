import { doubled, FrameIndex } from './frame-index.js';
import {
  FRAME_KINDS,
  type FrameKind,
  type LabelSet,
  NO_PARENT,
  type NodeTable,
  SAMPLE_VALUE_MAX,
  type SampleTable,
  type StackTable,
} from './model.js';
import { textId } from './node-id.js';
import { PairIndex } from './pair-index.js';
import { PairMap } from './pair-map.js';
import { TextIndex } from './text-index.js';

const KIND_INDEX = new Map<FrameKind, number>(FRAME_KINDS.map((kind, index) => [kind, index]));

/** Room for branches made at once, a MiB. */
const BRANCHES_MAX = 2 ** 15;

/** Builds strings, frames and nodes, each distinct one once. */
export class StackTableBuilder {
  private readonly texts: TextIndex;
  private readonly frames: FrameIndex;
  private nodeParent: Int32Array<ArrayBuffer>;
  private nodeFrame: Int32Array<ArrayBuffer>;
  private nodeLength = 0;
  /**
   * What is known of the children of each node, at node + 1: 0 while it has none, 1 + child while it has one, −1 − the
   * child asked for last once it has more. Most nodes have one, so only the children of the others are hashed.
   */
  private children: Int32Array<ArrayBuffer>;
  private readonly branches: PairMap;

  /** What is expected saves growing; any number can come. */
  constructor(nodesExpected = 1024, framesExpected = 256) {
    const frameCapacity = 2 ** Math.ceil(Math.log2(Math.max(64, framesExpected)));
    this.texts = new TextIndex(frameCapacity);
    this.frames = new FrameIndex(frameCapacity);
    const capacity = Math.max(64, Math.ceil(nodesExpected));
    this.nodeParent = new Int32Array(capacity);
    this.nodeFrame = new Int32Array(capacity);
    this.children = new Int32Array(capacity + 1);
    // About every second node is a child among others.
    this.branches = new PairMap(2 ** Math.ceil(Math.log2(Math.min(capacity / 2, BRANCHES_MAX))));
  }

  get nodeCount(): number {
    return this.nodeLength;
  }

  /** The index of a text. A reader that has hashed its bytes hands in the id. */
  string(text: string, id = textId(text)): number {
    return this.texts.put(text, id);
  }

  /** The index of a frame. Texts are indexes from `string`. */
  frame(name: number, systemName = 0, file = 0, startLine = 0, line = 0, kind: FrameKind = 'unknown'): number {
    return this.frameOfKind(name, systemName, file, startLine, line, KIND_INDEX.get(kind) ?? 0);
  }

  /** As `frame`, with the kind as index into FRAME_KINDS. */
  frameOfKind(name: number, systemName: number, file: number, startLine: number, line: number, kind: number): number {
    return this.frames.indexOf(name, systemName, file, startLine, line, kind);
  }

  /** The node of `frame` called from `parent`. */
  node(parent: number, frame: number): number {
    const guess = this.lastChild(parent);
    if (guess < 0) {
      const child = this.append(parent, frame);
      this.children[parent + 1] = child + 1;
      return child;
    }
    if (this.nodeFrame[guess] === frame) return guess;
    return this.branch(parent, frame, guess);
  }

  /** The child of a node that was asked for last: a good guess at the next one. −1 when it has none. */
  lastChild(parent: number): number {
    const known = this.children[parent + 1] as number;
    return known < 0 ? -1 - known : known - 1;
  }

  /** The frame of a node. */
  frameOf(node: number): number {
    return this.nodeFrame[node] as number;
  }

  /** A child of a node that has another one. */
  private branch(parent: number, frame: number, other: number): number {
    const { branches } = this;
    if ((this.children[parent + 1] as number) > 0) branches.add(parent, this.frameOf(other), other);
    let child = branches.get(parent, frame);
    if (child < 0) {
      child = this.append(parent, frame);
      branches.add(parent, frame, child);
    }
    this.children[parent + 1] = -1 - child;
    return child;
  }

  private append(parent: number, frame: number): number {
    const node = this.nodeLength++;
    if (node === this.nodeParent.length) {
      this.nodeParent = doubled(this.nodeParent);
      this.nodeFrame = doubled(this.nodeFrame);
      this.children = doubled(this.children);
    }
    this.nodeParent[node] = parent;
    this.nodeFrame[node] = frame;
    return node;
  }

  /** The leaf of a stack trace given by frames from the root to the leaf. */
  stack(frames: readonly number[]): number {
    let node = NO_PARENT;
    for (const frame of frames) node = this.node(node, frame);
    return node;
  }

  finish(): StackTable {
    const nodes: NodeTable = {
      length: this.nodeLength,
      parent: this.nodeParent.slice(0, this.nodeLength),
      frame: this.nodeFrame.slice(0, this.nodeLength),
    };
    const { texts } = this.texts;
    return { strings: texts, stringIds: this.texts.finishIds(), frames: this.frames.finish(), nodes };
  }
}

/** Builds the samples of one profile; samples of equal node and label set are added up. */
export class SampleTableBuilder {
  private readonly pairs = new PairIndex(256);
  private readonly values: Float64Array[];
  private readonly labelSets: LabelSet[] = [[]];
  private readonly labelSetIndex = new Map<string, number>([['[]', 0]]);

  constructor(sampleTypeCount: number) {
    this.values = Array.from({ length: sampleTypeCount }, () => new Float64Array(256));
  }

  get length(): number {
    return this.pairs.length;
  }

  /** The index of a label set, whatever the order of its labels. Names must be distinct. */
  labelSet(labels: LabelSet): number {
    if (labels.length === 0) return 0;
    const sorted = [...labels].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    const key = JSON.stringify(sorted.map((label) => [label.name, label.value]));
    let index = this.labelSetIndex.get(key);
    if (index === undefined) {
      index = this.labelSets.length;
      this.labelSets.push(sorted);
      this.labelSetIndex.set(key, index);
    }
    return index;
  }

  /**
   * Adds to the sample of `node` and `labelSet`; `second` is the value of the second sample type, where there are two.
   * False, with nothing added, when a sum would go over SAMPLE_VALUE_MAX.
   */
  add(node: number, labelSet: number, first: number, second = 0): boolean {
    return this.addToRow(this.row(node, labelSet), first, second);
  }

  /** As `add`, given the row. */
  addToRow(row: number, first: number, second: number): boolean {
    const { values } = this;
    const column = values[0] as Float64Array;
    const other = values.length > 1 ? (values[1] as Float64Array) : undefined;
    const sum = (column[row] as number) + first;
    const otherSum = other === undefined ? 0 : (other[row] as number) + second;
    if (!fits(sum) || !fits(otherSum)) return false;
    column[row] = sum;
    if (other !== undefined) other[row] = otherSum;
    return true;
  }

  /** Adds one value a sample type; false as for `add`. */
  addAll(node: number, labelSet: number, values: ArrayLike<number>): boolean {
    const row = this.row(node, labelSet);
    const columns = this.values;
    for (let i = 0; i < columns.length; i++) {
      if (!fits((columns[i]?.[row] as number) + (values[i] as number))) return false;
    }
    for (let i = 0; i < columns.length; i++) columns[i]![row]! += values[i] as number;
    return true;
  }

  finish(): { samples: SampleTable; labelSets: readonly LabelSet[] } {
    const length = this.pairs.length;
    return {
      samples: {
        length,
        node: this.pairs.first.slice(0, length),
        labelSet: this.pairs.second.slice(0, length),
        values: this.values.map((column) => column.slice(0, length)),
      },
      labelSets: this.labelSets,
    };
  }

  /** The row of a node and label set, made with values of 0 at their first sight. */
  row(node: number, labelSet: number): number {
    const index = this.pairs.put(node, labelSet);
    if (index >= 0) return index;
    const row = ~index;
    for (let i = 0; i < this.values.length; i++) {
      const column = this.values[i] as Float64Array;
      if (row < column.length) continue;
      const grown = new Float64Array(column.length * 2);
      grown.set(column);
      this.values[i] = grown;
    }
    return row;
  }
}

function fits(sum: number): boolean {
  return sum <= SAMPLE_VALUE_MAX && sum >= -SAMPLE_VALUE_MAX;
}
