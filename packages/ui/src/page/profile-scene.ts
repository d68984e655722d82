import { computed, type ReadonlySignal } from '@preact/signals';
import type { ProfileData } from '../data/profile-data.js';
import type { FlameStore } from '../flame/flame-data.js';
import { FlameState } from '../flame/flame-state.js';
import type { ExpressionSearch } from '../search/expression-search.js';
import { SearchState } from '../search/search-state.js';
import { type AddressBar, View } from '../view/view.js';
import type { ViewState } from '../view/view-state.js';

/**
 * One profile and how it is looked at: all that a graph, a table and a search need. The page has one; a file that was opened has its own, and so has each half of
 * what is shown of one function.
 */
export interface ProfileScene extends FlameStore<ProfileData> {
  /** Says what was done and nothing else shows, aloud and for a while. */
  say(message: string): void;
}

/** A scene beside the page's address: what is zoomed to in it, no link holds. */
export function sceneBeside(
  data: ReadonlySignal<ProfileData | undefined>,
  expressions: ExpressionSearch,
  say: (message: string) => void,
  initial: Partial<ViewState> = {},
  searched?: ReadonlySignal<string>,
): ProfileScene {
  const view = new View(NO_ADDRESS);
  view.change(initial, 'replace');
  const typed = searched ?? computed(() => view.get('search'));
  return {
    view,
    profile: { data },
    flame: new FlameState(view, data),
    search: new SearchState(typed, data, expressions),
    say,
  };
}

const NO_ADDRESS: AddressBar = { read: () => '', write() {}, listen() {} };
