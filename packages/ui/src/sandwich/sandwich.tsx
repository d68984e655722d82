import { computed, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { derivedData, type ProfileData } from '../data/profile-data.js';
import { FlameGraph } from '../flame/flame-graph.js';
import type { FlameKeyActions } from '../flame/flame-keys.js';
import { shownName } from '../flame/flame-text.js';
import { PROFILE_FACE } from '../flame/profile-face.js';
import { copySelectedName } from '../flame/use-flame-actions.js';
import { type ProfileScene, sceneBeside } from '../page/profile-scene.js';
import { startSearch } from '../search/start-search.js';
import { formatShare, formatValue } from '../values/scale.js';
import { callersAndCallees } from './callers-callees.js';

interface SandwichProps {
  readonly scene: ProfileScene;
  readonly dark: ReadonlySignal<boolean>;
  readonly actions: FlameKeyActions;
}

/** One function between those that call it, which grow up from it, and those it calls, which hang down. */
export function Sandwich({ scene, dark, actions }: SandwichProps) {
  const { callers, callees } = useMemo(() => halvesOf(scene), [scene]);
  const name = scene.view.get('sandwich');
  const close = () => {
    scene.view.change({ sandwich: '' });
    // Once the graph is there again, the keys go on in it.
    requestAnimationFrame(() => document.getElementById('flame-graph')?.focus());
  };
  useEffect(() => {
    // What had the focus is gone with the graph.
    if (document.activeElement === document.body) document.getElementById('callees-flame-graph')?.focus();
    return () => {
      callers.search.stop();
      callees.search.stop();
    };
  }, [callers, callees]);

  const below = callees.profile.data.value;
  const above = callers.profile.data.value;
  const actionsIn = (half: ProfileScene): FlameKeyActions => ({
    ...actions,
    addTransform: undefined,
    turn: undefined,
    copyName: () => copySelectedName(half),
    close,
  });
  return (
    <section class="sandwich" aria-label="Callers and callees">
      <header class="sandwich-head">
        <h2 title={shownName(name)}>{shownName(name)}</h2>
        {below && <span>{sumText(below, scene.profile.data.value)}</span>}
        <button type="button" onClick={close}>
          Back to the graph
        </button>
      </header>
      {above && below ? (
        <>
          <FlameGraph
            store={callers}
            face={PROFILE_FACE}
            profile={above}
            dark={dark}
            actions={actionsIn(callers)}
            id="callers-"
            isLow
            title={`Callers of ${shownName(name)}`}
          />
          <FlameGraph
            store={callees}
            face={PROFILE_FACE}
            profile={below}
            dark={dark}
            actions={actionsIn(callees)}
            id="callees-"
            title={`Callees of ${shownName(name)}`}
          />
        </>
      ) : (
        <p class="nothing">This function is not in this profile.</p>
      )}
    </section>
  );
}

function sumText({ tree, snapshots, type }: ProfileData, outer: ProfileData | undefined): string {
  const [total, self] = [tree.total[0] as number, tree.self[0] as number];
  const share = outer && `${formatShare(total, outer.tree.total[0] as number)} of ${outer.whole}`;
  const amountOf = (value: number) => formatValue(value / snapshots.divisor, type.unit);
  return `${amountOf(total)} (${share}), ${amountOf(self)} of it in itself`;
}

function halvesOf(scene: ProfileScene): { callers: ProfileScene; callees: ProfileScene } {
  const name = computed(() => scene.view.get('sandwich'));
  const both = computed(() => {
    const outer = scene.profile.data.value;
    const trees = outer && callersAndCallees(outer.tree, name.value);
    if (outer === undefined || trees === undefined) return undefined;
    return {
      callers: derivedData(outer, trees.callers, 'this function'),
      callees: derivedData(outer, trees.callees, 'this function'),
    };
  });
  const searched = computed(() => scene.view.get('search'));
  const half = (which: 'callers' | 'callees', orientation: 'flame' | 'icicle') =>
    sceneBeside(
      computed(() => both.value?.[which]),
      startSearch(),
      (message) => scene.say(message),
      { orientation },
      searched,
    );
  return { callers: half('callers', 'flame'), callees: half('callees', 'icicle') };
}
