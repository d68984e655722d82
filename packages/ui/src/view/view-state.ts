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

/** Everything that changes the picture: what the address holds, so that a link restores it. */
export interface ViewState {
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
}

export const INITIAL_VIEW: ViewState = {
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
};
