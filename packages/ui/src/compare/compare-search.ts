import { summarizeMatches } from '../search/match-share.js';
import { formatShare } from '../values/scale.js';
import { type CompareData, SIDE_NAMES, SIDES } from './compare-data.js';
import { formatPoints } from './diff-text.js';

/** How much of each side is in or below frames whose names match: `12.30 % of A, 15.40 % of B (+3.10 points)`. */
export function matchedText({ diff }: CompareData, names: Uint8Array): string {
  const found = SIDES.map((side) => {
    const total = diff[side].total[0] as number;
    const { value } = summarizeMatches(diff[side], names);
    return { text: `${formatShare(value, total)} of ${SIDE_NAMES[side]}`, share: total > 0 ? value / total : 0 };
  });
  const [left, right] = found as [(typeof found)[0], (typeof found)[0]];
  return `${left.text}, ${right.text} (${formatPoints(right.share - left.share)})`;
}
