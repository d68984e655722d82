import { useMemo } from 'preact/hooks';
import { copyText } from '../page/copy-text.js';
import type { ProfileScene } from '../page/profile-scene.js';
import { toggleComparison } from '../view/toggle-comparison.js';
import type { FlameStore } from './flame-data.js';
import type { FlameKeyActions } from './flame-keys.js';

/** A graph, and a way to say what was done to it. */
export interface SpeakingStore extends FlameStore {
  say(message: string): void;
}

interface PageActions {
  readonly searchInput: { readonly current: HTMLInputElement | null };
  openHelp(): void;
}

/** What any graph asks of the page. */
export function graphActions(store: SpeakingStore, { searchInput, openHelp }: PageActions) {
  return {
    openHelp,
    openSearch() {
      searchInput.current?.focus();
      searchInput.current?.select();
    },
    async copyLink() {
      store.say((await copyText(location.href)) ? 'Link copied' : 'The link could not be copied');
    },
    copyName: () => copySelectedName(store),
    searchFor: (search: string) => store.view.change({ search }),
    toggleTable() {
      // Never the table alone: these keys work in the graph, and would be gone with it.
      store.view.change({ panes: store.view.peek().panes === 'both' ? 'graph' : 'both' }, 'replace');
    },
    turn: () => turnGraph(store),
    compare: () => toggleComparison(store.view),
  } satisfies FlameKeyActions;
}

/** What the graph of one profile asks of the page. */
export function useFlameActions(
  scene: ProfileScene,
  searchInput: { readonly current: HTMLInputElement | null },
  openHelp: () => void,
): FlameKeyActions {
  return useMemo(
    () => ({
      ...graphActions(scene, { searchInput, openHelp }),
      openSandwich: (sandwich) => scene.view.change({ sandwich }),
      addTransform(kind, name) {
        const { transforms } = scene.view.peek();
        scene.view.change({ transforms: [...transforms, { kind, name }] });
      },
    }),
    [scene],
  );
}

export function turnGraph({ view }: FlameStore): void {
  view.change({ orientation: view.peek().orientation === 'flame' ? 'icicle' : 'flame' }, 'replace');
}

export async function copySelectedName(scene: SpeakingStore): Promise<void> {
  const shown = scene.profile.data.peek();
  if (shown === undefined) return;
  const name = shown.tree.names[shown.tree.name[Math.max(scene.flame.selected, 0)] as number] as string;
  scene.say((await copyText(name)) ? 'Name copied' : 'The name could not be copied');
}
