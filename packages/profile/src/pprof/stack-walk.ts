import type { StackTableBuilder } from '../builder.js';
import { PilotlightError } from '../errors.js';
import type { ReadLimits } from '../limits.js';
import { NO_STACK_NAME, STACK_CUT_NAME } from '../markers.js';
import { NO_PARENT } from '../model.js';
import { PairIndex } from '../pair-index.js';
import { addressFrame, type LocationTable, NO_FUNCTION } from './locations.js';
import { doubled } from './spans.js';

/** The row of a location that is not there; its frame reads 0x0. */
export const NO_LOCATION = -1;

/** How a walk goes on after a step, in the low bits of a state; the node reached is in the others. */
const ENDED = 1;
const CUT = 2;
/** A frame that `drop_frames` does not match was passed. */
const PASSED_KEPT = 4;
const FLAG_BITS = 3;

/** Locations of a stack that are walked at most: each is one frame or more, and the depth is limited. */
export function walkedLocationsMax({ depthMax }: ReadLimits): number {
  return (depthMax + 1) * 2;
}

/**
 * From locations to nodes. What a location with inlined lines does when called from a node is worked out once and
 * remembered, so that a small input cannot ask for the same thousand lines a million times.
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
  private depth = 0;
  /** The frame in the place of locations that are not there. */
  private missingFrame: number | undefined;
  /** (node, location) → the state and depth after it. The flags and the depth before are functions of the node. */
  private readonly steps = new PairIndex();
  private stateAfter = new Int32Array(64);
  private depthAfter = new Int32Array(64);
  /** Of the last stack, from the root side: its locations, and the state and depth after each. Stacks begin alike, so most of the way is known. */
  private readonly passed: Int32Array;
  private readonly passedState: Int32Array;
  private readonly passedDepth: Int32Array;
  private passedCount = 0;

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
    const locationsMax = walkedLocationsMax(limits);
    this.passed = new Int32Array(locationsMax);
    this.passedState = new Int32Array(locationsMax);
    this.passedDepth = new Int32Array(locationsMax);
  }

  /** The leaf of a stack given by `count` rows of locations, leaf first. */
  leaf(rows: Int32Array, count: number): number {
    this.wasCut = false;
    if (count === 0) return this.stacks.node(NO_PARENT, this.marker(NO_STACK_NAME));
    const { passed, passedState, passedDepth } = this;
    const { lineStart } = this.locations;
    let at = 0;
    while (at < count && at < this.passedCount && passed[at] === rows[count - 1 - at]) at++;
    let state = at === 0 ? NO_PARENT << FLAG_BITS : (passedState[at - 1] as number);
    this.depth = at === 0 ? 0 : (passedDepth[at - 1] as number);
    for (; at < count && (state & ENDED) === 0; at++) {
      const row = rows[count - 1 - at] as number;
      if (row === NO_LOCATION) state = this.passLine(state, NO_LOCATION, 0);
      else {
        const line = lineStart[row] as number;
        const isInlining = (lineStart[row + 1] as number) - line > 1;
        state = isInlining ? this.rememberedStep(state, row) : this.passLine(state, row, line);
      }
      passed[at] = row;
      passedState[at] = state;
      passedDepth[at] = this.depth;
    }
    this.passedCount = at;
    this.wasCut = (state & CUT) !== 0;
    const { nodesMax } = this.limits;
    if (this.stacks.nodeCount > nodesMax) {
      throw new PilotlightError('profile_size_limit', `pprof: more than ${nodesMax} nodes of stacks`, {
        limit: nodesMax,
      });
    }
    return state >> FLAG_BITS;
  }

  /** All lines of a location, from the root side. */
  private rememberedStep(from: number, row: number): number {
    let step = this.steps.put(from >> FLAG_BITS, row);
    if (step >= 0) {
      this.depth = this.depthAfter[step] as number;
      return this.stateAfter[step] as number;
    }
    step = ~step;
    let state = from;
    const first = this.locations.lineStart[row] as number;
    for (let line = (this.locations.lineStart[row + 1] as number) - 1; line >= first && (state & ENDED) === 0; line--) {
      state = this.passLine(state, row, line);
    }
    if (step >= this.stateAfter.length) {
      this.stateAfter = doubled(this.stateAfter);
      this.depthAfter = doubled(this.depthAfter);
    }
    this.stateAfter[step] = state;
    this.depthAfter[step] = this.depth;
    return state;
  }

  private passLine(state: number, row: number, line: number): number {
    const { stacks } = this;
    let flags = state & PASSED_KEPT;
    if (this.dropped !== undefined) {
      if (!this.isDropped(row, line)) flags = PASSED_KEPT;
      else if (flags === PASSED_KEPT) return state | ENDED;
    }
    const above = state >> FLAG_BITS;
    if (this.depth === this.limits.depthMax) {
      return (stacks.node(above, this.marker(STACK_CUT_NAME)) << FLAG_BITS) | ENDED | CUT;
    }
    this.depth++;
    const frame =
      row === NO_LOCATION ? (this.missingFrame ??= addressFrame(stacks, 0, 0)) : this.locations.frame(row, line);
    return (stacks.node(above, frame) << FLAG_BITS) | flags;
  }

  private isDropped(row: number, line: number): boolean {
    if (row === NO_LOCATION) return false;
    const called = this.locations.lineFunction[line] as number;
    return called !== NO_FUNCTION && this.dropped?.[called] === 1;
  }

  private marker(name: string): number {
    return this.stacks.frame(this.stacks.string(name), 0, 0, 0, 0, 'marker');
  }
}
