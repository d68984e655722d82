/**
 * What a profile is: columns joined by indexes, with stacks as a tree.
 *
 * ```
 * samples.node ──► nodes.parent ──► nodes …            a stack trace is a path from a node to the root level
 *                  nodes.frame  ──► frames.name ──► strings
 * ```
 *
 * Invariants, checked once by `checkProfile` and trusted afterwards:
 * - every column of a table has at least `length` entries; entries past it mean nothing;
 * - `strings[0]` is the empty string, each text occurs once;
 * - a node's parent comes before the node (`parent[i] < i`), or is `NO_PARENT`; no two nodes have both parent and frame equal;
 * - no two samples have both node and label set equal.
 *
 * Units: values are in the unit of their sample type. They are whole numbers within ±(2^53 − 1), so exact in a `number`.
 * Absolute times are bigint nanoseconds since the epoch.
 */

import type { DetailTable } from './details.js';

export const NO_PARENT = -1;

/** The largest value a sample may carry: the largest whole number exact in a `number`. */
export const SAMPLE_VALUE_MAX = Number.MAX_SAFE_INTEGER;

/** How a frame came to run. Bound by name in every format that has the notion; 0 where it has not. */
export const FRAME_KINDS = [
  'unknown',
  'interpreted',
  'jit',
  'inlined',
  'native',
  'cpp',
  'kernel',
  'c1',
  'marker',
] as const;
export type FrameKind = (typeof FRAME_KINDS)[number];

/** Distinct frames. A frame is one line of one function; merging by function is done by name, later. */
export interface FrameTable {
  readonly length: number;
  /** Function name as shown; index into strings. */
  readonly name: Int32Array;
  /** Raw name (mangled, generated class); index into strings, 0 when equal to the name. */
  readonly systemName: Int32Array;
  /** Source file; index into strings, 0 when unknown. */
  readonly file: Int32Array;
  /** First line of the function, 1-based; 0 when unknown. */
  readonly startLine: Int32Array;
  /** Line of the frame, 1-based; 0 when unknown. */
  readonly line: Int32Array;
  /** Index into FRAME_KINDS. */
  readonly kind: Uint8Array;
}

/** The stack traces, as a tree: each node is a frame called from its parent. */
export interface NodeTable {
  readonly length: number;
  readonly parent: Int32Array;
  readonly frame: Int32Array;
}

/** Strings, frames and nodes; one may serve several profiles of a recording. */
export interface StackTable {
  readonly strings: readonly string[];
  /** `textId` of each string, where whoever built the table has them. */
  readonly stringIds?: Float64Array;
  readonly frames: FrameTable;
  readonly nodes: NodeTable;
}

/** Labels of samples, sorted by name, names distinct. */
export type LabelSet = readonly Label[];
export interface Label {
  readonly name: string;
  readonly value: string;
}

export interface SampleTable {
  readonly length: number;
  /** The leaf of the stack trace; index into nodes. */
  readonly node: Int32Array;
  /** Index into labelSets of the profile. */
  readonly labelSet: Int32Array;
  /** One column a sample type, in the order of `sampleTypes`. */
  readonly values: readonly Float64Array[];
}

/** Type and unit of a value, as in `cpu`, `nanoseconds`. */
export interface ValueType {
  readonly type: string;
  readonly unit: string;
}

export interface Profile {
  readonly stacks: StackTable;
  readonly samples: SampleTable;
  readonly sampleTypes: readonly ValueType[];
  /** labelSets[0] is the empty set. */
  readonly labelSets: readonly LabelSet[];
  readonly periodType: ValueType | undefined;
  /** Distance of two samples in the unit of the period type; 0 when unknown. */
  readonly period: number;
  /** Nanoseconds since the epoch; 0n when unknown. */
  readonly timeNanos: bigint;
  /** Nanoseconds; 0 when unknown. */
  readonly durationNanos: number;
}

/**
 * Elements of an input that were left out while the rest was kept. Every reader returns them, so that nothing vanishes
 * without a count and a reason.
 */
export interface Refusal {
  /** Stable, for metrics: `negative_value`, `missing_function`, … */
  readonly reason: string;
  readonly count: number;
  /** One sentence on the first case: what and where. */
  readonly first: string;
}

/** What a reader makes of an input. */
export interface Reading {
  readonly profiles: readonly NamedProfile[];
  readonly refusals: readonly Refusal[];
}

/** A profile with the metric it belongs to (`process_cpu`, `memory`, …), where the format or its content names one. */
export interface NamedProfile {
  readonly metric: string;
  readonly profile: Profile;
  /** Labels that hold for the whole profile and come from its content, for example `jfr_event`. */
  readonly labels: LabelSet;
  /** Thread, span, trace and time of samples, where asked for and told. */
  readonly details?: DetailTable;
  /** Where the period was taken from, in words; empty when the format leaves no choice. */
  readonly periodSource: string;
}
