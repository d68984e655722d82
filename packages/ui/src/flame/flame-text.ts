import type { ProfileData } from '../data/profile-data.js';
import { cutMiddle, printable } from '../names/printable.js';
import { formatExact, formatShare, formatValue } from '../values/scale.js';

/** What is told of a frame, in words: tooltip, status line and screen reader say the same. */
export interface FrameText {
  readonly name: string;
  /** `1.23 s`, `12.30 % of view, 4.10 % of total`, `1,230,000,000 ns` */
  readonly self: ValueText;
  readonly total: ValueText;
  /** What the values are, where that is not plainly what was measured. */
  readonly note: string;
}

export interface ValueText {
  readonly value: string;
  readonly shares: string;
  readonly exact: string;
}

/** A name of 64 KiB would be the whole page; copies have it all. */
export const SHOWN_NAME_LENGTH_MAX = 400;

/** `zoomed` is the node that takes the full width: the base of "of view". */
export function frameText(profile: ProfileData, node: number, zoomed: number): FrameText {
  const { tree, snapshots } = profile;
  const valueText = (value: number): ValueText => ({
    value: formatValue(value / snapshots.divisor, profile.type.unit),
    shares: sharesText(value, tree.total[zoomed] as number, tree.total[0] as number, profile.whole),
    exact: formatExact(value / snapshots.divisor, profile.type.unit),
  });
  return {
    name: shownName(tree.names[tree.name[node] as number] as string),
    self: valueText(tree.self[node] as number),
    total: valueText(tree.total[node] as number),
    note: snapshots.note,
  };
}

/** Names its base always: a percentage of what? */
function sharesText(value: number, view: number, total: number, whole: string): string {
  if (view === total) return `${formatShare(value, total)} of ${whole}`;
  return `${formatShare(value, view)} of view, ${formatShare(value, total)} of ${whole}`;
}

export function shownName(name: string): string {
  return name === '' ? '(no name)' : printable(cutMiddle(name, SHOWN_NAME_LENGTH_MAX));
}
