import type { CallTree, FlameLayout } from '@pilotlight/profile';
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import type { CutFrames } from '../data/profile-data.js';
import type { Labels } from '../names/label.js';
import type { SearchState } from '../search/search-state.js';
import type { ProfileTypeText } from '../values/profile-type.js';
import type { View } from '../view/view.js';
import type { FramePaint } from './draw-flame.js';
import type { FlameState } from './flame-state.js';
import type { FlameTheme } from './flame-theme.js';

/** What the graph needs of a profile, or of two that are compared. Bars are as wide as the totals of the tree. */
export interface FlameData {
  readonly type: ProfileTypeText;
  readonly tree: CallTree;
  /** See `subtreeEnds`. */
  readonly ends: Int32Array;
  readonly layout: FlameLayout;
  readonly labels: Labels;
  /** What the server summed up as too small to send. */
  readonly cut: CutFrames;
}

/** What the graph and the search need of the page around them. */
export interface FlameStore<Data extends FlameData = FlameData> {
  readonly view: View;
  readonly profile: { readonly data: ReadonlySignal<Data | undefined> };
  readonly flame: FlameState;
  readonly search: SearchState;
}

/** How one kind of data is shown: its colours, and its words. `zoomed` is the node that takes the full width: the base of "of view". */
export interface FlameFace<Data extends FlameData = FlameData> {
  paint(data: Data, theme: FlameTheme): FramePaint;
  /** Said of a frame below its name in the line under the graph, and by a screen reader. */
  line(data: Data, node: number, zoomed: number): ComponentChild;
  /** The same beside the pointer, where there is room for more. */
  tooltip(data: Data, node: number, zoomed: number): ComponentChild;
}
