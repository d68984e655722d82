import type { CallTree, FlameLayout } from '@pilotlight/profile';

/** What a search found in a tree. */
export interface MatchSummary {
  readonly functionCount: number;
  readonly frameCount: number;
  /** Value in or below matching frames; frames below another match are not counted again. */
  readonly value: number;
}

/** `names` holds 1 where a name matches. The root matches nothing: it is no function. */
export function summarizeMatches(tree: CallTree, names: Uint8Array): MatchSummary {
  let frameCount = 0;
  let value = 0;
  const seen = new Set<number>();
  // Deeper than this, we are below a match already.
  let coveredDepth = Number.POSITIVE_INFINITY;
  for (let i = 1; i < tree.length; i++) {
    const depth = tree.depth[i] as number;
    if (depth <= coveredDepth) coveredDepth = Number.POSITIVE_INFINITY;
    const name = tree.name[i] as number;
    if (names[name] !== 1) continue;
    frameCount++;
    seen.add(name);
    if (coveredDepth === Number.POSITIVE_INFINITY) {
      value += tree.total[i] as number;
      coveredDepth = depth;
    }
  }
  return { functionCount: seen.size, frameCount, value };
}

/** The next matching node after `from` in drawing order, round the end; −1 when none matches. */
export function nextMatch(tree: CallTree, names: Uint8Array, from: number, direction: 1 | -1): number {
  const count = tree.length - 1;
  for (let step = 1; step <= count; step++) {
    const node = ((((from - 1 + direction * step) % count) + count) % count) + 1;
    if (names[tree.name[node] as number] === 1) return node;
  }
  return -1;
}

/** By level: how many of the bars before an index match. One longer than the level. */
export function levelPrefixes(tree: CallTree, layout: FlameLayout, names: Uint8Array): Int32Array[] {
  return layout.levels.map((level, depth) => {
    const before = new Int32Array(level.length + 1);
    for (let i = 0; i < level.length; i++) {
      const matches = depth > 0 && names[tree.name[level.node[i] as number] as number] === 1;
      before[i + 1] = (before[i] as number) + (matches ? 1 : 0);
    }
    return before;
  });
}
