import type { TimeRange } from '@pilotlight/protocol';
import { readFilter, writeFilter } from '../view/address.js';
import {
  describeRange,
  fixedRange,
  formatSpan,
  parseSpan,
  type RangeChoice,
  resolveRange,
} from '../view/time-range.js';
import type { LabelFilter } from '../view/view-state.js';

/** When the baseline was: so many seconds before the comparison and as long; undefined: just before it, the one ends where the other begins. */
export type BaselineRange = { readonly kind: 'before'; readonly seconds: number | undefined } | RangeChoice;

/**
 * By which values two sides are compared: as parts of their whole, which unequal ranges and unequal load do not touch; by what they come to a
 * second, which unequal ranges do not touch; or as they are.
 */
export const BASES = ['share', 'rate', 'value'] as const;
export type Basis = (typeof BASES)[number];

/** Which of a function's values the colours tell of. */
export type ComparedValue = 'total' | 'self';

export const CHANGE_COLUMNS = [
  'name',
  'self.left',
  'self.right',
  'self.change',
  'total.left',
  'total.right',
  'total.change',
] as const;
export type ChangeColumn = (typeof CHANGE_COLUMNS)[number];

export interface ChangeSort {
  readonly column: ChangeColumn;
  readonly descending: boolean;
}

/** The left side and how both are compared. The right side is what the page shows otherwise: the view's own labels and range. */
export interface Comparison {
  readonly range: BaselineRange;
  /** Empty: the same as on the right. */
  readonly service: string;
  readonly labels: readonly LabelFilter[];
  readonly basis: Basis;
  readonly of: ComparedValue;
  readonly sort: ChangeSort;
}

export const INITIAL_COMPARISON: Comparison = {
  range: { kind: 'before', seconds: undefined },
  service: '',
  labels: [],
  basis: 'share',
  of: 'total',
  sort: { column: 'self.change', descending: true },
};

/**
 * A comparison as parameters of the address, and back.
 *
 * | parameter | holds |
 * | --- | --- |
 * | `compare` | the range of the left side: `before`, `1d-before`, `0s-before` (the same time), `last-1h`, `1700000000000-1700003600000` |
 * | `compare.service` | text |
 * | `compare.label` | as `label`, once a filter |
 * | `compare.by` | `share`, `rate`, `value` |
 * | `compare.of` | `total`, `self` |
 * | `compare.sort` | a column; with `-` before it: descending |
 *
 * Reading takes anything: a parameter that makes no sense is as if absent.
 */
export function writeComparison(comparison: Comparison): string {
  const query = new URLSearchParams({ compare: writeRange(comparison.range) });
  if (comparison.service !== '') query.set('compare.service', comparison.service);
  for (const filter of comparison.labels) query.append('compare.label', writeFilter(filter));
  if (comparison.basis !== INITIAL_COMPARISON.basis) query.set('compare.by', comparison.basis);
  if (comparison.of !== INITIAL_COMPARISON.of) query.set('compare.of', comparison.of);
  const sort = writeSort(comparison.sort);
  if (sort !== writeSort(INITIAL_COMPARISON.sort)) query.set('compare.sort', sort);
  return query.toString();
}

export function readComparison(text: string): Comparison {
  const query = new URLSearchParams(text);
  return {
    range: readRange(query.get('compare') ?? '') ?? INITIAL_COMPARISON.range,
    service: query.get('compare.service') ?? '',
    labels: query.getAll('compare.label').flatMap((each) => readFilter(each) ?? []),
    basis: BASES.find((each) => each === query.get('compare.by')) ?? INITIAL_COMPARISON.basis,
    of: query.get('compare.of') === 'self' ? 'self' : 'total',
    sort: readSort(query.get('compare.sort') ?? '') ?? INITIAL_COMPARISON.sort,
  };
}

const SAME_TIME = '0s-before';

function writeRange(range: BaselineRange): string {
  switch (range.kind) {
    case 'before':
      if (range.seconds === undefined) return 'before';
      return range.seconds === 0 ? SAME_TIME : `${formatSpan(range.seconds)}-before`;
    case 'last':
      return `last-${formatSpan(range.seconds)}`;
    case 'fixed':
      return `${range.start}-${range.end}`;
  }
}

function readRange(text: string): BaselineRange | undefined {
  if (text === 'before') return { kind: 'before', seconds: undefined };
  if (text === SAME_TIME) return { kind: 'before', seconds: 0 };
  const [first = '', second = '', more] = text.split('-');
  if (more !== undefined) return undefined;
  if (second === 'before') {
    const seconds = parseSpan(first);
    return seconds === undefined ? undefined : { kind: 'before', seconds };
  }
  if (first === 'last') {
    const seconds = parseSpan(second);
    return seconds === undefined ? undefined : { kind: 'last', seconds };
  }
  if (!/^\d{1,16}$/.test(first) || !/^\d{1,16}$/.test(second)) return undefined;
  return fixedRange(Number(first), Number(second));
}

function writeSort({ column, descending }: ChangeSort): string {
  return `${descending ? '-' : ''}${column}`;
}

function readSort(text: string): ChangeSort | undefined {
  const descending = text.startsWith('-');
  const column = CHANGE_COLUMNS.find((each) => each === text.slice(descending ? 1 : 0));
  return column === undefined ? undefined : { column, descending };
}

/** The time of the left side. `right` is that of the other. */
export function resolveBaseline(range: BaselineRange, right: TimeRange, nowMillis: number): TimeRange {
  if (range.kind !== 'before') return resolveRange(range, nowMillis);
  const shift = range.seconds === undefined ? right.end - right.start : range.seconds * 1_000;
  return { start: Math.max(right.start - shift, 0), end: Math.max(right.end - shift, 0) };
}

/** What a baseline can be chosen as without naming a time. */
export const BASELINE_PRESETS: readonly { readonly seconds: number | undefined; readonly label: string }[] = [
  { seconds: undefined, label: 'Just before B' },
  { seconds: 3_600, label: 'An hour before B' },
  { seconds: 86_400, label: 'A day before B, same time' },
  { seconds: 604_800, label: 'A week before B, same time' },
  { seconds: 0, label: 'The same time as B' },
];

export function describeBaseline(range: BaselineRange): string {
  if (range.kind !== 'before') return describeRange(range);
  const preset = BASELINE_PRESETS.find(({ seconds }) => seconds === range.seconds);
  return preset?.label ?? `${formatSpan(range.seconds ?? 0)} before B`;
}

/** What of the view and of the comparison tells the sides apart. */
export interface Sides {
  readonly range: RangeChoice;
  readonly service: string;
  readonly labels: readonly LabelFilter[];
  readonly comparison: Comparison;
}

/** Left becomes right and right left. A time that was counted from the other side becomes the one it stands for now: `left`. */
export function swapSides({ range, service, labels, comparison }: Sides, left: TimeRange): Sides {
  const chosen = comparison.range;
  const leftRange = chosen.kind !== 'before' ? chosen : { kind: 'fixed' as const, start: left.start, end: left.end };
  const isSameTime = chosen.kind === 'before' && chosen.seconds === 0;
  return {
    range: isSameTime ? range : leftRange,
    service: comparison.service || service,
    labels: comparison.labels,
    comparison: {
      ...comparison,
      range: isSameTime ? chosen : range,
      service: comparison.service === '' ? '' : service,
      labels,
    },
  };
}

/** Room beside a range in its timeline, as a part of its length. */
const CONTEXT_SHARE = 0.5;
/** Over a stretch longer than so many times a range, that range would be too thin to be seen and moved. */
const STRETCH_MAX = 8;

/**
 * What the two timelines show: the ranges with some time around them, so that one sees where they lie and can mark others. Ranges near each
 * other get the same stretch, so that a place in one timeline is the same place in the other. Nothing after `nowMillis` is shown.
 */
export function timelineWindows(left: TimeRange, right: TimeRange, nowMillis: number): [TimeRange, TimeRange] {
  const shortest = Math.min(left.end - left.start, right.end - right.start);
  const both = { start: Math.min(left.start, right.start), end: Math.max(left.end, right.end) };
  if (both.end - both.start <= shortest * STRETCH_MAX) {
    const shown = widened(both, shortest, nowMillis);
    return [shown, shown];
  }
  return [widened(left, left.end - left.start, nowMillis), widened(right, right.end - right.start, nowMillis)];
}

function widened({ start, end }: TimeRange, length: number, nowMillis: number): TimeRange {
  const room = Math.round(length * CONTEXT_SHARE);
  return { start: Math.max(start - room, 0), end: Math.max(Math.min(end + room, nowMillis), end) };
}
