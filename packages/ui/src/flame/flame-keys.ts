import { nextMatch } from '../search/match-share.js';
import type { TransformKind } from '../view/view-state.js';
import type { FlameStore } from './flame-data.js';
import * as navigate from './navigate.js';

/** What the graph can ask of the page around it. What a page cannot do, it leaves out. */
export interface FlameKeyActions {
  openSearch(): void;
  openHelp(): void;
  copyLink(): void;
  /** Of the selected frame, all of it. */
  copyName(): void;
  searchFor?(name: string): void;
  toggleTable?(): void;
  /** Turns the graph over. */
  turn?: (() => void) | undefined;
  /** Shows the callers and the callees of a function. */
  openSandwich?(name: string): void;
  addTransform?: ((kind: TransformKind, name: string) => void) | undefined;
  /** To the comparison, and back. */
  compare?(): void;
  /** Ends what is shown in place of the page's own graph. */
  close?(): void;
}

const ZOOM_FACTOR = 1.5;
const PAN_SHARE = 0.2;
/** Narrower than this share of the view, a found frame would be looked for in vain. */
const REVEALED_SHARE_MIN = 0.005;

/** What is above a frame on the screen is what an arrow up leads to. */
const TURNED_KEYS = new Map([
  ['ArrowDown', 'ArrowUp'],
  ['ArrowUp', 'ArrowDown'],
]);

type Step = (walked: navigate.WalkedTree, node: number) => number;

const TRANSFORMS = new Map<string, TransformKind>([
  ['f', 'focus'],
  ['m', 'merge'],
  ['d', 'drop'],
  ['c', 'collapse'],
  ['r', 'recursion'],
]);

const STEPS = new Map<string, Step>([
  ['ArrowDown', navigate.heaviestChild],
  ['ArrowUp', navigate.parentOf],
  ['ArrowRight', navigate.nextSibling],
  ['ArrowLeft', navigate.previousSibling],
  ['Home', navigate.firstSibling],
  ['End', navigate.lastSibling],
]);

/** Handles a key pressed in the graph; true when it meant something there. Single letters work only here, where the graph has the focus. */
export function handleFlameKey(
  event: KeyboardEvent,
  store: FlameStore,
  actions: FlameKeyActions,
  openMenu: () => void,
): boolean {
  const profile = store.profile.data.peek();
  if (profile === undefined || event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return handleWithControl(event, actions);
  const { flame } = store;
  const current = Math.max(flame.selected, 0);

  const isUpsideDown = store.view.peek().orientation === 'flame';
  const step = STEPS.get((isUpsideDown && TURNED_KEYS.get(event.key)) || event.key);
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
  const name = profile.tree.names[profile.tree.name[current] as number] as string;
  const transform = TRANSFORMS.get(event.key);
  if (transform !== undefined && actions.addTransform !== undefined) {
    if (current > 0) actions.addTransform(transform, name);
    return true;
  }
  switch (event.key) {
    case 'ContextMenu':
      openMenu();
      return true;
    case 'F10':
      if (event.shiftKey) openMenu();
      return event.shiftKey;
    case 'i':
      actions.turn?.();
      return true;
    case '4':
      if (current > 0) actions.openSandwich?.(name);
      return true;
    case '6':
      actions.compare?.();
      return true;
    case 'Enter':
      flame.zoomTo(current);
      return true;
    case 'Escape':
      if (actions.close !== undefined && !flame.isZoomed) actions.close();
      else flame.zoomBack();
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
      actions.toggleTable?.();
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
