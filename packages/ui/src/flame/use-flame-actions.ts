import { useMemo } from 'preact/hooks';
import { copyText } from '../page/copy-text.js';
import type { ProfileScene } from '../page/profile-scene.js';
import type { FlameKeyActions } from './flame-keys.js';

/** What a graph of a scene asks of the page, done for that scene. */
export function useFlameActions(
  scene: ProfileScene,
  searchInput: { readonly current: HTMLInputElement | null },
  openHelp: () => void,
): FlameKeyActions {
  return useMemo(
    () => ({
      openHelp,
      openSearch() {
        searchInput.current?.focus();
        searchInput.current?.select();
      },
      async copyLink() {
        scene.say((await copyText(location.href)) ? 'Link copied' : 'The link could not be copied');
      },
      copyName: () => copySelectedName(scene),
      searchFor: (search) => scene.view.change({ search }),
      toggleTable() {
        // Never the table alone: these keys work in the graph, and would be gone with it.
        scene.view.change({ panes: scene.view.peek().panes === 'both' ? 'graph' : 'both' }, 'replace');
      },
      turn: () => turnGraph(scene),
      openSandwich: (sandwich) => scene.view.change({ sandwich }),
      addTransform(kind, name) {
        const { transforms } = scene.view.peek();
        scene.view.change({ transforms: [...transforms, { kind, name }] });
      },
    }),
    [scene],
  );
}

export function turnGraph({ view }: ProfileScene): void {
  view.change({ orientation: view.peek().orientation === 'flame' ? 'icicle' : 'flame' }, 'replace');
}

export async function copySelectedName(scene: ProfileScene): Promise<void> {
  const shown = scene.profile.data.peek();
  if (shown === undefined) return;
  const name = shown.tree.names[shown.tree.name[Math.max(scene.flame.selected, 0)] as number] as string;
  scene.say((await copyText(name)) ? 'Name copied' : 'The name could not be copied');
}
