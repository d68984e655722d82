import { nextMatch } from '../search/match-share.js';
import type { FlameStore } from './flame-data.js';
import * as navigate from './navigate.js';

/** What a key in the graph can ask of the page around it. */
export interface FlameKeyActions {
  openSearch(): void;
  openHelp(): void;
  copyLink(): void;
  copyName(): void;
}

const ZOOM_FACTOR = 1.5;
const PAN_SHARE = 0.2;
/** Narrower than this share of the view, a found frame would be looked for in vain. */
const REVEALED_SHARE_MIN = 0.005;

type Step = (walked: navigate.WalkedTree, node: number) => number;

const STEPS = new Map<string, Step>([
  ['ArrowDown', navigate.heaviestChild],
  ['ArrowUp', navigate.parentOf],
  ['ArrowRight', navigate.nextSibling],
  ['ArrowLeft', navigate.previousSibling],
  ['Home', navigate.firstSibling],
  ['End', navigate.lastSibling],
]);

/** Handles a key pressed in the graph; true when it meant something there. Single letters work only here, where the graph has the focus. */
export function handleFlameKey(event: KeyboardEvent, store: FlameStore, actions: FlameKeyActions): boolean {
  const profile = store.profile.data.peek();
  if (profile === undefined || event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return handleWithControl(event, actions);
  const { flame } = store;
  const current = Math.max(flame.selected, 0);

  const step = STEPS.get(event.key);
  if (step !== undefined) {
    if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      flame.pan(event.key === 'ArrowLeft' ? -PAN_SHARE : PAN_SHARE);
      return true;
    }
    // The first key shows where one is; only then does it move.
    const next = flame.selected === -1 ? 0 : step(profile, current);
    if (next !== -1) flame.select(next);
    return true;
  }
  switch (event.key) {
    case 'Enter':
      flame.zoomTo(current);
      return true;
    case 'Escape':
      flame.zoomBack();
      return true;
    case '0':
      flame.resetZoom();
      return true;
    case '+':
    case '=':
      flame.scale(1 / ZOOM_FACTOR, 0.5);
      return true;
    case '-':
    case '_':
      flame.scale(ZOOM_FACTOR, 0.5);
      return true;
    case '/':
      actions.openSearch();
      return true;
    case 'n':
      goToMatch(store, 1);
      return true;
    case 'N':
      goToMatch(store, -1);
      return true;
    case 't':
      // Never the table alone: these keys work in the graph, and would be gone with it.
      store.view.change({ panes: store.view.peek().panes === 'both' ? 'graph' : 'both' }, 'replace');
      return true;
    case 'y':
      actions.copyLink();
      return true;
    case '?':
      actions.openHelp();
      return true;
    default:
      return false;
  }
}

function handleWithControl(event: KeyboardEvent, actions: FlameKeyActions): boolean {
  if (event.key === 'f') actions.openSearch();
  // A text marked with the mouse is copied as always.
  else if (event.key === 'c' && getSelection()?.isCollapsed !== false) actions.copyName();
  else return false;
  return true;
}

/** Selects the next or previous frame that matches the search, round the end. */
export function goToMatch(store: FlameStore, direction: 1 | -1): void {
  const profile = store.profile.data.peek();
  const matches = store.search.matchesIn(profile);
  if (profile === undefined || matches === undefined) return;
  const from = Math.max(store.flame.selected, 0);
  const node = nextMatch(profile.tree, matches.names, from, direction);
  if (node !== -1) store.flame.reveal(node, REVEALED_SHARE_MIN);
}

/** Selects the heaviest frame of a function, where it can be seen. */
export function goToFunction(store: FlameStore, node: number): void {
  store.flame.reveal(node, REVEALED_SHARE_MIN);
}
