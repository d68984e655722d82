import { formatValue } from '../values/scale.js';
import { formatTime } from '../view/time-range.js';
import { type CompareData, emptySides, SIDE_NAMES, SIDES, type Side } from './compare-data.js';
import type { CompareStore } from './compare-store.js';

/** What a reader must know to read a comparison rightly. */
export interface Notice {
  readonly text: string;
}

export function notices(store: CompareStore, data: CompareData): Notice[] {
  const selections = store.selections.value;
  if (selections === undefined) return [];
  const empty = emptySides(data);
  const said: string[] = [];
  const retentionSeconds = store.status.data.value?.retention.ageSeconds ?? 0;
  const oldest = store.page.clock.now.value - retentionSeconds * 1_000;
  for (const side of SIDES) {
    const { start } = selections[side];
    const isOlder = retentionSeconds > 0 && start < oldest;
    if (empty.includes(side)) said.push(emptyText(store, side));
    if (isOlder) {
      said.push(
        `${SIDE_NAMES[side]} begins at ${formatTime(start)}, and this server keeps profiles for ${spanText(retentionSeconds)}: what came in earlier may be gone.`,
      );
    }
  }
  if (empty.length > 0) return said.map((text) => ({ text }));
  const [left, right] = [selections.left, selections.right];
  if (left.start === right.start && left.end === right.end && left.selector === right.selector) {
    said.push('A and B ask for the same profiles: choose another time or other labels for one of them.');
  } else if (data.isSame) {
    said.push(`A and B are the same: every function has the same ${data.basis} on both sides.`);
  }
  const [leftMillis, rightMillis] = [left.end - left.start, right.end - right.start];
  if (data.basis === 'value' && data.type.over === 'time' && leftMillis !== rightMillis) {
    said.push(
      `A is ${spanText(leftMillis / 1_000)} long and B ${spanText(rightMillis / 1_000)}: absolute values grow with time, shares and rates do not.`,
    );
  }
  return said.map((text) => ({ text }));
}

function emptyText(store: CompareStore, side: Side): string {
  const { labels, service } = store.comparison.value;
  const who = (side === 'left' && service) || store.page.service.value;
  const filters = side === 'left' ? labels : store.view.get('labels');
  const { start, end } = store.ranges[side].value;
  const fits = filters.length > 0 ? ' that fits its filters' : '';
  return `${SIDE_NAMES[side]} is empty: ${who} sent nothing${fits} between ${formatTime(start)} and ${formatTime(end)}. With nothing to compare with, the graph shows the other side.`;
}

function spanText(seconds: number): string {
  const days = seconds / 86_400;
  return Number.isInteger(days)
    ? `${days}\u00a0day${days === 1 ? '' : 's'}`
    : formatValue(seconds * 1e9, 'nanoseconds');
}
