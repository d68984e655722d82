import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ProfileData } from '../data/profile-data.js';
import type { PageStore } from '../page/page-store.js';
import { FlameCanvas, ROW_HEIGHT } from './flame-canvas.js';
import { type FlameKeyActions, handleFlameKey } from './flame-keys.js';
import { frameText } from './flame-text.js';
import { siblingPlace } from './navigate.js';
import { Tooltip } from './tooltip.js';
import { ZoomChip } from './zoom-chip.js';

interface FlameGraphProps {
  readonly store: PageStore;
  readonly profile: ProfileData;
  readonly dark: ReadonlySignal<boolean>;
  readonly actions: FlameKeyActions;
}

/**
 * The graph: for eyes a canvas, for everybody else a tree with one item, which always describes the selected frame. The page thus
 * stays as small as one frame, however many there are.
 */
export function FlameGraph({ store, profile, dark, actions }: FlameGraphProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const [canvas, setCanvas] = useState<FlameCanvas>();

  useEffect(() => {
    if (!scroller.current || !frame.current || !base.current || !marks.current) return;
    const elements = { scroller: scroller.current, window: frame.current, base: base.current, marks: marks.current };
    const created = new FlameCanvas(elements, store, dark);
    setCanvas(created);
    return () => created.stop();
  }, [store, dark]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!handleFlameKey(event, store, actions)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="flame">
      <div
        class="flame-scroller"
        role="tree"
        id="flame-graph"
        aria-label={`Flame graph, ${profile.type.title}`}
        aria-activedescendant="selected-frame"
        aria-describedby="flame-hint"
        tabIndex={0}
        ref={scroller}
        onKeyDown={onKeyDown}
      >
        <div class="flame-window" ref={frame} aria-hidden="true">
          <canvas class="flame-base" ref={base} />
          <canvas class="flame-marks" ref={marks} />
        </div>
        <div class="flame-spacer" style={{ height: `${profile.layout.levels.length * ROW_HEIGHT}px` }} />
        <SelectedFrame store={store} profile={profile} />
      </div>
      <ZoomChip store={store} profile={profile} />
      <span id="flame-hint" hidden>
        Arrow keys walk, Enter zooms, Escape goes back, slash searches, question mark lists all keys.
      </span>
      {canvas && <Tooltip store={store} pointer={canvas.pointer} />}
    </div>
  );
}

/** The one item of the tree: what is said and shown of the selected frame. */
function SelectedFrame({ store, profile }: { store: PageStore; profile: ProfileData }): ComponentChild {
  const node = Math.max(store.flame.selected, 0);
  const text = frameText(profile, node, store.flame.zoomed);
  const { position, count } = siblingPlace(profile, node);
  const isLeaf = profile.ends[node] === node + 1;
  return (
    <div
      class="flame-line"
      role="treeitem"
      id="selected-frame"
      aria-level={(profile.tree.depth[node] as number) + 1}
      aria-posinset={position}
      aria-setsize={count}
      aria-selected={store.flame.selected === node}
      aria-expanded={isLeaf ? undefined : true}
      aria-live="polite"
      aria-atomic="true"
      tabIndex={-1}
    >
      <span class="flame-line-name">{text.name}</span>{' '}
      <span class="flame-line-values">
        <span>
          <b>total</b> {text.total.value} ({text.total.shares})
        </span>{' '}
        <span>
          <b>self</b> {text.self.value} ({text.self.shares})
        </span>{' '}
        {text.note && <span class="muted">{text.note}</span>}
      </span>
    </div>
  );
}
