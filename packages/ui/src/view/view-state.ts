import type { MatcherOperator } from '@pilotlight/protocol';
import { DEFAULT_RANGE, type RangeChoice } from './time-range.js';

/** A condition on a label of the series. */
export interface LabelFilter {
  readonly name: string;
  readonly operator: MatcherOperator;
  readonly value: string;
}

/** A frame told by the names on its path, not by an index: indexes change with the data. */
export interface FrameLink {
  /** See `flame/frame-path.ts`. */
  readonly pathId: number;
  /** Name of the function, for when no frame has that path any more. May be cut. */
  readonly name: string;
}

export const SORT_COLUMNS = ['name', 'self', 'total'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

export interface TableSort {
  readonly column: SortColumn;
  readonly descending: boolean;
}

export const PANES = ['both', 'graph', 'table'] as const;
export type Panes = (typeof PANES)[number];

/** Which way the graph grows: down from a root on top, or up from one at the bottom. */
export const ORIENTATIONS = ['icicle', 'flame'] as const;
export type Orientation = (typeof ORIENTATIONS)[number];

/** `focus`: only what is below a function; `merge`: without it, its own time its caller's; `drop`: without stacks that hold it; `collapse`: without what it calls; `recursion`: its direct calls of itself as one. */
export const TRANSFORM_KINDS = ['focus', 'merge', 'drop', 'collapse', 'recursion'] as const;
export type TransformKind = (typeof TRANSFORM_KINDS)[number];

/** A change to the tree before it is shown, by the name of a function. */
export interface Transform {
  readonly kind: TransformKind;
  readonly name: string;
}

/** What the page is about. */
export const PAGES = ['profile', 'status'] as const;
export type PageName = (typeof PAGES)[number];

/** Everything that changes the picture: what the address holds, so that a link restores it. */
export interface ViewState {
  readonly page: PageName;
  /** Empty: the first there is. */
  readonly service: string;
  /** Profile type id; empty: the most telling there is. */
  readonly profileType: string;
  readonly labels: readonly LabelFilter[];
  readonly range: RangeChoice;
  /** Seconds between refreshes; 0: none. */
  readonly refreshSeconds: number;
  readonly search: string;
  /** The selected frame. */
  readonly frame: FrameLink | undefined;
  /** The frame that takes the full width. */
  readonly zoom: FrameLink | undefined;
  readonly sort: TableSort;
  readonly panes: Panes;
  /** What is compared with what is shown, as the parameters of the address that `compare/comparison.ts` reads; empty: nothing is. */
  readonly compare: string;
  readonly orientation: Orientation;
  /** The function whose callers and callees are shown in place of the graph; empty: none. */
  readonly sandwich: string;
  /** In the order they are applied. */
  readonly transforms: readonly Transform[];
}

export const INITIAL_VIEW: ViewState = {
  page: 'profile',
  service: '',
  profileType: '',
  labels: [],
  range: DEFAULT_RANGE,
  refreshSeconds: 0,
  search: '',
  frame: undefined,
  zoom: undefined,
  sort: { column: 'self', descending: true },
  panes: 'both',
  compare: '',
  orientation: 'icicle',
  sandwich: '',
  transforms: [],
};
