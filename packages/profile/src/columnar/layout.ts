/**
 * The columnar form of a flame graph: what `GET /api/v1/flamegraph` and `GET /api/v1/diff` answer.
 *
 * ```
 * "PLFG"  version  sides          one byte each; 1 side is a flame graph, 2 are a diff
 * texts, bytes of text, nodes     varints: how much of each there is
 * scale                           what every self is a multiple of: samples of 10 ms come to count 1, 2, 3
 * shared     × texts              letters (UTF-16) a text begins with like the one before it
 * own        × texts              letters of its own after those
 * bytes of text                   UTF-8, the own letters of all texts without a gap
 * drop       × nodes − 1          levels up from the node before: 0 is its child, 1 its sibling, …
 * name       × nodes − 1          index of the function's name, from 0
 * self       × nodes, each side   what the function itself took, divided by scale, the root's first
 * ```
 *
 * All numbers are LEB128 varints of whole numbers that are not negative. Nodes are in preorder; the root, which has neither drop nor name, is the
 * first. The texts are sample type, unit, and the names in use. Totals are not in it: they are sums of self, so no input can contradict itself; and
 * most nodes that call something have a self of 0, which is one byte where a total is five.
 */
export const MAGIC = [0x50, 0x4c, 0x46, 0x47] as const;
export const VERSION = 1;
/** Sample type and unit, before the names. */
export const HEADER_TEXTS = 2;

export const FLAME_GRAPH_MEDIA_TYPE = 'application/vnd.pilotlight.flamegraph';

/** What the values of a flame graph are. */
export interface FlameGraphMeaning {
  /** For example `cpu`. */
  readonly sampleType: string;
  /** For example `nanoseconds`. */
  readonly unit: string;
}
