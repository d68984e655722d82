import { HUES, SHADES } from './colour-slot.js';
import { oklch } from './oklch.js';

/** Every colour the graph is drawn with. Labels keep a contrast of at least 4.5 on each fill they may stand on (tested). */
export interface FlameTheme {
  readonly background: string;
  /** By colour slot. */
  readonly slots: readonly string[];
  /** Labels on slots, the root, matches. */
  readonly label: string;
  readonly root: string;
  /** Frames that are no function: what the server cut off. */
  readonly cut: string;
  /** Neighbouring frames too thin to be told apart. */
  readonly thin: string;
  /** During a search: what matches, and all the rest. */
  readonly match: string;
  readonly matchEdge: string;
  readonly matchLabel: string;
  readonly faded: string;
  readonly fadedLabel: string;
  /** Outlines on the upper canvas. */
  readonly hover: string;
  readonly selection: string;
  readonly sameFunction: string;
}

export const LIGHT_FLAME_THEME: FlameTheme = {
  background: '#ffffff',
  slots: slots(0.872, 0.062),
  label: '#14181d',
  root: '#e3e6ea',
  cut: '#d3d7dc',
  thin: '#c2c8cf',
  match: '#ffb84d',
  matchEdge: '#9a5b00',
  matchLabel: '#14181d',
  faded: '#eceef1',
  fadedLabel: '#5a636e',
  hover: '#14181d',
  selection: '#0b57d0',
  sameFunction: '#5f87c9',
};

export const DARK_FLAME_THEME: FlameTheme = {
  background: '#15181c',
  slots: slots(0.44, 0.062),
  label: '#f1f3f5',
  root: '#353b43',
  cut: '#464d56',
  thin: '#4d555f',
  match: '#e09a3a',
  matchEdge: '#ffd699',
  matchLabel: '#14100a',
  faded: '#23282e',
  fadedLabel: '#98a2ad',
  hover: '#f1f3f5',
  selection: '#8ab4f8',
  sameFunction: '#5f87c9',
};

/** Shades step in lightness only, so that a family of packages keeps its hue. */
function slots(lightness: number, chroma: number): string[] {
  const colours: string[] = [];
  for (let hue = 0; hue < HUES; hue++) {
    for (let shade = 0; shade < SHADES; shade++) {
      colours.push(oklch(lightness + (shade - 1) * 0.028, chroma, (hue * 360) / HUES));
    }
  }
  return colours;
}
