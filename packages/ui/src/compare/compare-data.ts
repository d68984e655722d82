import { type CallTree, type DiffTable, type DiffTree, diffTable, flameLayout, widthTree } from '@pilotlight/profile';
import { type CutFrames, cutName } from '../data/profile-data.js';
import type { Snapshots } from '../data/snapshots.js';
import type { FlameData } from '../flame/flame-data.js';
import { subtreeEnds } from '../flame/subtree.js';
import { Labels } from '../names/label.js';
import { type ProfileTypeText, rateOf } from '../values/profile-type.js';
import type { Basis } from './comparison.js';

export const SIDES = ['left', 'right'] as const;
export type Side = (typeof SIDES)[number];

/** What the sides are called on the page: short enough for the heading of a column. */
export const SIDE_NAMES: Readonly<Record<Side, string>> = { left: 'A', right: 'B' };

/** Two profiles laid over each other, with what does not depend on how they are compared. Values are those to be shown: means of snapshots, where it is levels. */
export interface ComparedProfiles {
  readonly type: ProfileTypeText;
  readonly diff: DiffTree;
  readonly notes: Readonly<Record<Side, string>>;
  /** How long the sides are. */
  readonly seconds: Readonly<Record<Side, number>>;
  readonly ends: Int32Array;
  readonly labels: Labels;
  readonly table: DiffTable;
  /** Its value is that of neither side: 0. */
  readonly cut: CutFrames;
}

/** What the graph draws. The totals of `tree` are widths, and no value of either side; `diff` and `table` hold what the basis makes of the values. */
export interface CompareData extends ComparedProfiles, FlameData {
  readonly basis: Basis;
  /** Of the values. */
  readonly unit: string;
  /** Whether every stack is the same on both sides, by the basis. */
  readonly isSame: boolean;
}

/** `diff` holds the values of the server, sums of all snapshots. */
export function comparedProfiles(
  type: ProfileTypeText,
  diff: DiffTree,
  snapshots: Readonly<Record<Side, Snapshots>>,
  seconds: Readonly<Record<Side, number>>,
): ComparedProfiles {
  const shown = scaled(diff, (side) => 1 / snapshots[side].divisor);
  return {
    type,
    diff: shown,
    notes: { left: snapshots.left.note, right: snapshots.right.note },
    ends: subtreeEnds(shown.left),
    labels: new Labels(shown.names),
    table: diffTable(shown),
    cut: { name: cutName(shown), value: 0 },
    seconds,
  };
}

/** What stands at a moment has no rate: it is compared as it is. */
export function compareData(compared: ComparedProfiles, wanted: Basis): CompareData {
  const { type, seconds } = compared;
  const basis = wanted === 'rate' && type.over === 'nothing' ? 'value' : wanted;
  const isRate = basis === 'rate';
  const diff = isRate ? scaled(compared.diff, (side) => rateOf(1, seconds[side], type)) : compared.diff;
  const tree = widthTree(diff, basis === 'share' ? 'share' : 'value');
  return {
    ...compared,
    diff,
    table: isRate ? diffTable(diff) : compared.table,
    basis,
    unit: isRate ? type.rateUnit : type.unit,
    tree,
    layout: flameLayout(tree),
    isSame: isSame(diff, basis),
  };
}

/** What makes a value of one side one to compare: a part of its whole, or as it is. */
export function scaleOf({ diff, basis }: Pick<CompareData, 'diff' | 'basis'>, side: Side): number {
  const total = diff[side].total[0] as number;
  if (basis !== 'share') return 1;
  return total > 0 ? 1 / total : 0;
}

/** Whether one side has nothing at all: then nothing is compared. */
export function emptySides({ diff }: Pick<CompareData, 'diff'>): Side[] {
  return SIDES.filter((side) => !((diff[side].total[0] as number) > 0));
}

function scaled(diff: DiffTree, factorOf: (side: Side) => number): DiffTree {
  const { left, right } = diff;
  return { ...diff, left: times(left, factorOf('left')), right: times(right, factorOf('right')) };
}

function times(tree: CallTree, factor: number): CallTree {
  if (factor === 1) return tree;
  return { ...tree, self: tree.self.map((value) => value * factor), total: tree.total.map((value) => value * factor) };
}

/** Sums that went different ways differ in their last digits. */
const SAME_TO = 1e-9;

function isSame(diff: DiffTree, basis: Basis): boolean {
  const [left, right] = [scaleOf({ diff, basis }, 'left'), scaleOf({ diff, basis }, 'right')];
  const largest = Math.max((diff.left.total[0] as number) * left, (diff.right.total[0] as number) * right);
  for (let i = 0; i < diff.length; i++) {
    const change = (diff.right.self[i] as number) * right - (diff.left.self[i] as number) * left;
    if (Math.abs(change) > largest * SAME_TO) return false;
  }
  return true;
}
