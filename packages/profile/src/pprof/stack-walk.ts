import type { StackTableBuilder } from '../builder.js';
import { PilotlightError } from '../errors.js';
import type { ReadLimits } from '../limits.js';
import { NO_STACK_NAME, STACK_CUT_NAME } from '../markers.js';
import { NO_PARENT } from '../model.js';
import { PairIndex } from '../pair-index.js';
import { addressFrame, type LocationTable } from './locations.js';
import { doubled } from './spans.js';

/** The row of a location that is not there; its frame reads 0x0. */
export const NO_LOCATION = -1;

/** What a step told, in the low bits of its result; the node is in the others. */
const ENDED = 1;
const CUT = 2;
/** A frame that `drop_frames` does not match was passed. */
const PASSED_KEPT = 4;
const FLAG_BITS = 3;

/**
 * From locations to nodes. A step "location L called from node N" is worked out once and remembered, so that a stack costs one
 * look-up a location, and a small input cannot ask for the same long inlined location a million times.
 *
 * `drop_frames` as in google/pprof: seen from the root, the first frame it matches goes, with everything
 * it called; but not before a frame that it does not match, lest the whole stack go.
 */
export class StackWalk {
  /** Whether the last stack was deeper than the limit. */
  wasCut = false;
  private readonly stacks: StackTableBuilder;
  private readonly locations: LocationTable;
  private readonly dropped: Uint8Array | undefined;
  private readonly limits: ReadLimits;
  private readonly steps = new PairIndex(1024);
  private result = new Int32Array(1024);
  private depthAfter = new Int32Array(1024);

  constructor(
    stacks: StackTableBuilder,
    locations: LocationTable,
    dropped: Uint8Array | undefined,
    limits: ReadLimits,
  ) {
    this.stacks = stacks;
    this.locations = locations;
    this.dropped = dropped;
    this.limits = limits;
  }

  /** The leaf of a stack given by `count` rows of locations, leaf first. */
  leaf(rows: Int32Array, count: number): number {
    this.wasCut = false;
    if (count === 0) return this.stacks.node(NO_PARENT, this.marker(NO_STACK_NAME));
    let state = NO_PARENT << FLAG_BITS;
    let depth = 0;
    for (let i = count - 1; i >= 0; i--) {
      const row = rows[i] as number;
      // The flags are a function of the node, so the node alone is the key.
      let step = this.steps.put(state >> FLAG_BITS, row);
      if (step < 0) {
        step = ~step;
        this.takeStep(step, state, depth, row);
      }
      state = this.result[step] as number;
      depth = this.depthAfter[step] as number;
      if ((state & ENDED) !== 0) break;
    }
    this.wasCut = (state & CUT) !== 0;
    return state >> FLAG_BITS;
  }

  private takeStep(step: number, from: number, depth: number, row: number): void {
    const { stacks, locations, limits } = this;
    let node = from >> FLAG_BITS;
    let flags = from & PASSED_KEPT;
    let depthNow = depth;
    const first = row === NO_LOCATION ? 0 : (locations.lineStart[row] as number);
    const end = row === NO_LOCATION ? 1 : (locations.lineStart[row + 1] as number);
    for (let line = end - 1; line >= first; line--) {
      if (this.isDropped(row, line)) {
        if ((flags & PASSED_KEPT) !== 0) {
          flags |= ENDED;
          break;
        }
      } else flags |= PASSED_KEPT;
      if (depthNow === limits.depthMax) {
        node = stacks.node(node, this.marker(STACK_CUT_NAME));
        flags |= ENDED | CUT;
        break;
      }
      node = stacks.node(node, row === NO_LOCATION ? addressFrame(stacks, 0, 0) : locations.frame(row, line));
      depthNow++;
    }
    if (stacks.nodeCount > limits.nodesMax) {
      const limit = limits.nodesMax;
      throw new PilotlightError('profile_size_limit', `pprof: more than ${limit} nodes of stacks`, { limit });
    }
    if (step >= this.result.length) {
      this.result = doubled(this.result);
      this.depthAfter = doubled(this.depthAfter);
    }
    this.result[step] = (node << FLAG_BITS) | flags;
    this.depthAfter[step] = depthNow;
  }

  private isDropped(row: number, line: number): boolean {
    if (this.dropped === undefined || row === NO_LOCATION) return false;
    const called = this.locations.lineFunction[line] as number;
    return called !== -1 && this.dropped[called] === 1;
  }

  private marker(name: string): number {
    return this.stacks.frame(this.stacks.string(name), 0, 0, 0, 0, 'marker');
  }
}
