/**
 * The stacks of one service in memory: frames, nodes and, once for each node, where it stands in the tree merged by function name.
 *
 * It serves both ways. At ingest it knows what the engine already holds this week, and finds two contents under one id. At a query it turns
 * sums by node into a call tree without touching a string. Rows are in order of arrival; a node comes after its parent, so one pass from
 * the last row to the first adds every node into its parent.
 */
import { FRAME_KINDS, frameId, nodeId, textId } from '@pilotlight/profile';
import { grown, IdTable } from './id-table.js';
import { MergedTree } from './merged-tree.js';
import type { UploadRecord } from './upload-record.js';

/** Name of the frame under which stacks meet whose ids collide with another content (one service in a million). */
export const COLLISION_FRAME = '[two stacks under one id]';
/** Name of the frame for samples whose node is nowhere to be found. */
export const UNKNOWN_FRAME = '[unknown stack]';

const MARKER_KIND = FRAME_KINDS.indexOf('marker');
const COLLIDED = -2;

export interface FrameRow {
  readonly name: string;
  readonly systemName: string;
  readonly file: string;
  readonly startLine: number;
  readonly line: number;
  readonly kind: number;
}

/** Frames and nodes as columns, in the order of their rows; texts are rows of strings. */
export interface StackColumns {
  readonly strings: readonly string[];
  readonly frameId: Float64Array;
  readonly frameName: Int32Array;
  readonly frameSystemName: Int32Array;
  readonly frameFile: Int32Array;
  readonly frameStartLine: Int32Array;
  readonly frameLine: Int32Array;
  readonly frameKind: Uint8Array;
  readonly frameWeek: Uint16Array;
  readonly nodeId: Float64Array;
  readonly nodeParent: Int32Array;
  readonly nodeFrame: Int32Array;
  readonly nodeWeek: Uint16Array;
}

/** What an upload brought that the engine does not hold yet this week. */
export interface Admission {
  /** Row of the service's node for each node of the record. */
  readonly nodes: Int32Array;
  readonly freshFrames: readonly number[];
  readonly freshNodes: readonly number[];
  readonly collisions: number;
}

export class ServiceStacks {
  readonly strings: string[] = [''];
  private readonly stringRow = new Map<string, number>([['', 0]]);

  frames = new IdTable();
  frameName = new Int32Array(256);
  frameSystemName = new Int32Array(256);
  frameFile = new Int32Array(256);
  frameStartLine = new Int32Array(256);
  frameLine = new Int32Array(256);
  frameKind = new Uint8Array(256);
  frameWeek = new Uint16Array(256);

  nodes = new IdTable();
  nodeParent = new Int32Array(256);
  nodeFrame = new Int32Array(256);
  nodeDepth = new Uint16Array(256);
  nodeWeek = new Uint16Array(256);
  /** Row in the merged tree. */
  nodeMerged = new Int32Array(256);

  private readonly merged = new IdTable();
  mergedParent = new Int32Array(256);
  /** Index into strings. */
  mergedName = new Int32Array(256);
  private tree: MergedTree | undefined;

  /** Grows with every change, so that a snapshot knows whether it is stale. */
  changes = 0;

  /** The whole of a service at once: several times quicker than row by row. */
  static from(columns: StackColumns): ServiceStacks {
    const stacks = new ServiceStacks();
    for (const text of columns.strings) stacks.string(text);
    // Copies: what the columns are views of may be larger than they are, and these will grow.
    stacks.frames = IdTable.from(columns.frameId);
    stacks.frameName = columns.frameName.slice();
    stacks.frameSystemName = columns.frameSystemName.slice();
    stacks.frameFile = columns.frameFile.slice();
    stacks.frameStartLine = columns.frameStartLine.slice();
    stacks.frameLine = columns.frameLine.slice();
    stacks.frameKind = columns.frameKind.slice();
    stacks.frameWeek = columns.frameWeek.slice();
    stacks.nodes = IdTable.from(columns.nodeId);
    stacks.nodeParent = columns.nodeParent.slice();
    stacks.nodeFrame = columns.nodeFrame.slice();
    stacks.nodeWeek = columns.nodeWeek.slice();
    stacks.nodeDepth = new Uint16Array(stacks.nodes.length);
    stacks.nodeMerged = new Int32Array(stacks.nodes.length);
    for (let row = 0; row < stacks.nodes.length; row++) stacks.place(row);
    stacks.changes = stacks.nodes.length;
    return stacks;
  }

  get mergedLength(): number {
    return this.merged.length;
  }

  /** All rows of the merged tree arranged; anew when there are more of them. */
  get mergedTree(): MergedTree {
    if (this.tree?.rows !== this.mergedLength) this.tree = new MergedTree(this);
    return this.tree;
  }

  string(text: string): number {
    let row = this.stringRow.get(text);
    if (row === undefined) {
      // A copy: a slice would keep alive all of what it was cut from.
      const kept = Buffer.from(text).toString();
      row = this.strings.length;
      this.strings.push(kept);
      this.stringRow.set(kept, row);
    }
    return row;
  }

  /** Adds a frame that is not there yet; its row. `name`, `systemName`, `file` are rows of strings. */
  addFrame(
    id: number,
    name: number,
    systemName: number,
    file: number,
    startLine: number,
    line: number,
    kind: number,
    week: number,
  ): number {
    const row = this.frames.add(id);
    const length = row + 1;
    this.frameName = grown(this.frameName, length);
    this.frameSystemName = grown(this.frameSystemName, length);
    this.frameFile = grown(this.frameFile, length);
    this.frameStartLine = grown(this.frameStartLine, length);
    this.frameLine = grown(this.frameLine, length);
    this.frameKind = grown(this.frameKind, length);
    this.frameWeek = grown(this.frameWeek, length);
    this.frameName[row] = name;
    this.frameSystemName[row] = systemName;
    this.frameFile[row] = file;
    this.frameStartLine[row] = startLine;
    this.frameLine[row] = line;
    this.frameKind[row] = kind;
    this.frameWeek[row] = week;
    return row;
  }

  /** Adds a node that is not there yet, after its parent (a row, or −1). */
  addNode(id: number, parent: number, frame: number, week: number): number {
    const row = this.nodes.add(id);
    const length = row + 1;
    this.nodeParent = grown(this.nodeParent, length);
    this.nodeFrame = grown(this.nodeFrame, length);
    this.nodeDepth = grown(this.nodeDepth, length);
    this.nodeWeek = grown(this.nodeWeek, length);
    this.nodeMerged = grown(this.nodeMerged, length);
    this.nodeParent[row] = parent;
    this.nodeFrame[row] = frame;
    this.nodeWeek[row] = week;
    this.place(row);
    this.changes++;
    return row;
  }

  /** Gives a node its depth and its row in the merged tree; its parent has them. */
  private place(row: number): void {
    const parent = this.nodeParent[row] as number;
    const name = this.frameName[this.nodeFrame[row] as number] as number;
    this.nodeDepth[row] = parent < 0 ? 1 : Math.min(0xffff, (this.nodeDepth[parent] as number) + 1);
    this.nodeMerged[row] = this.mergedNode(parent < 0 ? -1 : (this.nodeMerged[parent] as number), name);
  }

  /** Takes in the frames and nodes of an upload. `week` is the week of now: what was last written in another one is written again. */
  admit(record: UploadRecord, week: number): Admission {
    const freshFrames: number[] = [];
    const freshNodes: number[] = [];
    let collisions = 0;
    const frames = this.admitFrames(record, week, freshFrames);

    const nodes = new Int32Array(record.nodes.length);
    for (let i = 0; i < nodes.length; i++) {
      const recordParent = record.nodes.parent[i] as number;
      const parent = recordParent < 0 ? -1 : (nodes[recordParent] as number);
      const frame = frames[record.nodes.frame[i] as number] as number;
      if (parent === COLLIDED || frame === COLLIDED) {
        nodes[i] = COLLIDED;
        continue;
      }
      const id = record.nodes.id[i] as number;
      let row = this.nodes.find(id);
      if (row < 0) {
        row = this.addNode(id, parent, frame, 0);
      } else if (this.nodeParent[row] !== parent || this.nodeFrame[row] !== frame) {
        nodes[i] = COLLIDED;
        continue;
      }
      if (this.nodeWeek[row] !== week) {
        this.nodeWeek[row] = week;
        freshNodes.push(row);
      }
      nodes[i] = row;
    }
    for (let i = 0; i < nodes.length; i++) {
      if (nodes[i] !== COLLIDED) continue;
      collisions++;
      nodes[i] = this.marker(COLLISION_FRAME, week, freshFrames, freshNodes);
    }
    return { nodes, freshFrames, freshNodes, collisions };
  }

  /** What was taken for written was not: the next upload that has it writes it again. */
  forgetWritten(frames: readonly number[], nodes: readonly number[]): void {
    for (const row of frames) this.frameWeek[row] = 0;
    for (const row of nodes) this.nodeWeek[row] = 0;
  }

  frame(row: number): FrameRow {
    return {
      name: this.strings[this.frameName[row] as number] as string,
      systemName: this.strings[this.frameSystemName[row] as number] as string,
      file: this.strings[this.frameFile[row] as number] as string,
      startLine: this.frameStartLine[row] as number,
      line: this.frameLine[row] as number,
      kind: this.frameKind[row] as number,
    };
  }

  /** A text that is where it is expected is only compared; nearly all are, and a map would have to hash each of them. */
  private admitFrames({ strings, frames }: UploadRecord, week: number, fresh: number[]): Int32Array {
    const rowOf = new Int32Array(strings.length).fill(-1);
    const isText = (index: number, row: number): boolean => {
      const known = rowOf[index] as number;
      if (known >= 0) return known === row;
      const text = strings[index] as string;
      rowOf[index] = text === this.strings[row] ? row : this.string(text);
      return rowOf[index] === row;
    };
    const rowOfText = (index: number): number => {
      if ((rowOf[index] as number) < 0) rowOf[index] = this.string(strings[index] as string);
      return rowOf[index] as number;
    };
    const rows = new Int32Array(frames.length);
    const { id, name, systemName, file, startLine, line, kind } = frames;
    for (let i = 0; i < rows.length; i++) {
      let row = this.frames.find(id[i] as number);
      if (row < 0) {
        row = this.addFrame(
          id[i] as number,
          rowOfText(name[i] as number),
          rowOfText(systemName[i] as number),
          rowOfText(file[i] as number),
          startLine[i] as number,
          line[i] as number,
          kind[i] as number,
          0,
        );
      } else if (
        this.frameStartLine[row] !== startLine[i] ||
        this.frameLine[row] !== line[i] ||
        this.frameKind[row] !== kind[i] ||
        !isText(name[i] as number, this.frameName[row] as number) ||
        !isText(systemName[i] as number, this.frameSystemName[row] as number) ||
        !isText(file[i] as number, this.frameFile[row] as number)
      ) {
        rows[i] = COLLIDED;
        continue;
      }
      if (this.frameWeek[row] !== week) {
        this.frameWeek[row] = week;
        fresh.push(row);
      }
      rows[i] = row;
    }
    return rows;
  }

  /** The node at the root level that stands for something that has no place in the tree. */
  private marker(name: string, week: number, freshFrames: number[], freshNodes: number[]): number {
    const id = frameId(textId(name), 0, 0, 0, 0, MARKER_KIND);
    let frame = this.frames.find(id);
    if (frame < 0) frame = this.addFrame(id, this.string(name), 0, 0, 0, 0, MARKER_KIND, 0);
    if (this.frameWeek[frame] !== week) {
      this.frameWeek[frame] = week;
      freshFrames.push(frame);
    }
    const markerId = nodeId(0, id);
    let row = this.nodes.find(markerId);
    if (row < 0) row = this.addNode(markerId, -1, frame, 0);
    if (this.nodeWeek[row] !== week) {
      this.nodeWeek[row] = week;
      freshNodes.push(row);
    }
    return row;
  }

  private mergedNode(parent: number, name: number): number {
    // Exact, not a hash: two whole numbers below 2^26 in one number below 2^53.
    const key = (parent + 1) * 0x400_0000 + name;
    const known = this.merged.find(key);
    if (known >= 0) return known;
    const row = this.merged.add(key);
    this.mergedParent = grown(this.mergedParent, row + 1);
    this.mergedName = grown(this.mergedName, row + 1);
    this.mergedParent[row] = parent;
    this.mergedName[row] = name;
    return row;
  }
}
