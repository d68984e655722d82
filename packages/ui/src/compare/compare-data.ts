import {
  type CallTree,
  type DiffBasis,
  type DiffTable,
  type DiffTree,
  diffTable,
  flameLayout,
  widthTree,
} from '@pilotlight/profile';
import { type CutFrames, cutName } from '../data/profile-data.js';
import type { Snapshots } from '../data/snapshots.js';
import type { FlameData } from '../flame/flame-data.js';
import { subtreeEnds } from '../flame/subtree.js';
import { Labels } from '../names/label.js';
import type { ProfileTypeText } from '../values/profile-type.js';

export const SIDES = ['left', 'right'] as const;
export type Side = (typeof SIDES)[number];

/** What the sides are called on the page: short enough for the heading of a column. */
export const SIDE_NAMES: Readonly<Record<Side, string>> = { left: 'A', right: 'B' };

/** Two profiles laid over each other, with what does not depend on how they are compared. Values are those to be shown: means of snapshots, where it is levels. */
export interface ComparedProfiles {
  readonly type: ProfileTypeText;
  readonly diff: DiffTree;
  readonly notes: Readonly<Record<Side, string>>;
  readonly ends: Int32Array;
  readonly labels: Labels;
  readonly table: DiffTable;
  /** Its value is that of neither side: 0. */
  readonly cut: CutFrames;
  /** Whether every stack has the same share on both sides. */
  readonly isSame: Readonly<Record<DiffBasis, boolean>>;
}

/** What the graph draws. The totals of `tree` are widths, and no value of either side. */
export interface CompareData extends ComparedProfiles, FlameData {
  readonly basis: DiffBasis;
}

/** `diff` holds the values of the server, sums of all snapshots. */
export function comparedProfiles(
  type: ProfileTypeText,
  diff: DiffTree,
  snapshots: Readonly<Record<Side, Snapshots>>,
): ComparedProfiles {
  const shown = {
    ...diff,
    left: dividedBy(diff.left, snapshots.left.divisor),
    right: dividedBy(diff.right, snapshots.right.divisor),
  };
  return {
    type,
    diff: shown,
    notes: { left: snapshots.left.note, right: snapshots.right.note },
    ends: subtreeEnds(shown.left),
    labels: new Labels(shown.names),
    table: diffTable(shown),
    cut: { name: cutName(shown), value: 0 },
    isSame: { share: isSame(shown, 'share'), value: isSame(shown, 'value') },
  };
}

export function compareData(compared: ComparedProfiles, basis: DiffBasis): CompareData {
  const tree = widthTree(compared.diff, basis);
  return { ...compared, basis, tree, layout: flameLayout(tree) };
}

/** The values of one side by the basis: as they are, or as parts of its whole. */
export function scaleOf({ diff, basis }: Pick<CompareData, 'diff' | 'basis'>, side: Side): number {
  const total = diff[side].total[0] as number;
  if (basis === 'value') return 1;
  return total > 0 ? 1 / total : 0;
}

/** Whether one side has nothing at all: then nothing is compared. */
export function emptySides({ diff }: Pick<CompareData, 'diff'>): Side[] {
  return SIDES.filter((side) => !((diff[side].total[0] as number) > 0));
}

function dividedBy(tree: CallTree, divisor: number): CallTree {
  if (divisor === 1) return tree;
  return {
    ...tree,
    self: tree.self.map((value) => value / divisor),
    total: tree.total.map((value) => value / divisor),
  };
}

/** Sums that went different ways differ in their last digits. */
const SAME_TO = 1e-9;

function isSame(diff: DiffTree, basis: DiffBasis): boolean {
  const [left, right] = [scaleOf({ diff, basis }, 'left'), scaleOf({ diff, basis }, 'right')];
  const largest = Math.max((diff.left.total[0] as number) * left, (diff.right.total[0] as number) * right);
  for (let i = 0; i < diff.length; i++) {
    const change = (diff.right.self[i] as number) * right - (diff.left.self[i] as number) * left;
    if (Math.abs(change) > largest * SAME_TO) return false;
  }
  return true;
}
