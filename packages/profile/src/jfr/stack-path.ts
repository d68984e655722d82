import type { Cursor } from './wire.js';

/** No other stack trace of a chunk is remembered beyond these frames; the oldest are then forgotten at once. */
const ENTRIES_MAX = 2 ** 18;
const SENTINEL = -1;

/**
 * Where the frames of one chunk's stack traces stand in the file, with the node that each led to.
 *
 * Most of a stack trace was seen before: its root side is that of an earlier one, byte for byte. So a stack trace is not
 * decoded from frame to frame but compared with an earlier one, four bytes at a time, from the root, which stands last;
 * only where it leaves the earlier one behind is a frame decoded. In a varint's last byte the top bit is clear, and a
 * plain frame is four varints: so counting clear top bits counts frames.
 *
 * Entries are runs of adjoining frames, from the root side to the leaf side, each run closed by a sentinel.
 */
export class StackPath {
  private length = 0;
  private nodes = new Int32Array(1024);
  /** Offset behind the frame, which is where the entry before it in the run begins. */
  private ends = new Int32Array(1024);
  /** The sentinel of the entry's run. */
  private sentinels = new Int32Array(1024);
  /** Entry of each of the recording's nodes. Whether it still holds is told by the entry itself. */
  private entries = new Int32Array(1024);
  private runStart = 0;

  constructor(private readonly cursor: Cursor) {}

  /** Bytes mean other frames in the next chunk. */
  forget(): void {
    this.length = 0;
    this.runStart = 0;
  }

  /** Makes room for a stack trace. */
  expect(frames: number): void {
    const needed = this.length + 2 * frames + 1;
    if (needed <= this.nodes.length) return;
    if (needed > ENTRIES_MAX) this.forget();
    const length = Math.max(this.length + 2 * frames + 1, Math.min(this.nodes.length * 2, ENTRIES_MAX));
    if (length <= this.nodes.length) return;
    this.nodes = grown(this.nodes, length);
    this.ends = grown(this.ends, length);
    this.sentinels = grown(this.sentinels, length);
  }

  /** The entry of a node, −1 when it has none. */
  find(node: number): number {
    if (node >= this.entries.length) return -1;
    const entry = this.entries[node] as number;
    return entry < this.length && this.nodes[entry] === node ? entry : -1;
  }

  nodeAt(entry: number): number {
    return this.nodes[entry] as number;
  }

  /** How many bytes the frames of a run take, from one of its entries. */
  bytes(entry: number, frames: number): number {
    return (this.ends[entry] as number) - (this.ends[entry + frames] as number);
  }

  /**
   * How many frames that end at `end`, of a stack trace that begins at `start`, are those of a run, from one of its
   * entries.
   */
  match(entry: number, start: number, end: number): number {
    const { bytes, view } = this.cursor;
    let here = end;
    let there = this.ends[entry] as number;
    const stop = here - Math.min(here - start, there - (this.ends[this.sentinels[entry] as number] as number));
    let varints = 0;
    while (here - 4 >= stop) {
      const word = view.getUint32(here - 4, true);
      if (word !== view.getUint32(there - 4, true)) break;
      varints += Math.imul((~word & 0x80808080) >>> 7, 0x01010101) >>> 24;
      here -= 4;
      there -= 4;
    }
    while (here > stop && bytes[here - 1] === bytes[there - 1]) {
      if ((bytes[here - 1] as number) < 0x80) varints++;
      here--;
      there--;
    }
    // The last varint counted may go on to the left, in one of the two.
    const whole = ((bytes[here - 1] as number) | (bytes[there - 1] as number)) < 0x80;
    return whole ? varints >> 2 : (varints - 1) >> 2;
  }

  /** Adds the frame that ends at `end` to the run that is open. */
  add(node: number, end: number): void {
    if (node >= this.entries.length) this.entries = grown(this.entries, Math.max(node + 1, this.entries.length * 2));
    const entry = this.length++;
    this.nodes[entry] = node;
    this.ends[entry] = end;
    this.entries[node] = entry;
  }

  /** Ends the open run at the start of its last frame. */
  close(start: number): void {
    const { length } = this;
    if (length === this.runStart) return;
    this.nodes[length] = SENTINEL;
    this.ends[length] = start;
    this.sentinels.fill(length, this.runStart, length + 1);
    this.length = length + 1;
    this.runStart = this.length;
  }
}

function grown(column: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(column);
  return copy;
}
