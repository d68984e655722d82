import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FlameCanvas, ROW_HEIGHT } from './flame-canvas.js';
import type { FlameData, FlameFace, FlameStore } from './flame-data.js';
import { type FlameKeyActions, handleFlameKey } from './flame-keys.js';
import { shownName } from './flame-text.js';
import { siblingPlace } from './navigate.js';
import { Tooltip } from './tooltip.js';
import { ZoomChip } from './zoom-chip.js';

interface FlameGraphProps<Data extends FlameData> {
  readonly store: FlameStore<Data>;
  readonly profile: Data;
  readonly face: FlameFace<Data>;
  readonly dark: ReadonlySignal<boolean>;
  readonly actions: FlameKeyActions;
}

/**
 * The graph: for eyes a canvas, for everybody else a tree with one item, which always describes the selected frame. The page thus
 * stays as small as one frame, however many there are.
 */
export function FlameGraph<Data extends FlameData>({ store, profile, face, dark, actions }: FlameGraphProps<Data>) {
  const scroller = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const [canvas, setCanvas] = useState<FlameCanvas<Data>>();

  useEffect(() => {
    if (!scroller.current || !frame.current || !base.current || !marks.current) return;
    const elements = { scroller: scroller.current, window: frame.current, base: base.current, marks: marks.current };
    const created = new FlameCanvas(elements, store, face, dark);
    setCanvas(created);
    return () => created.stop();
  }, [store, face, dark]);

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
        <SelectedFrame store={store} profile={profile} face={face} />
      </div>
      <ZoomChip store={store} profile={profile} />
      <span id="flame-hint" hidden>
        Arrow keys walk, Enter zooms, Escape goes back, slash searches, question mark lists all keys.
      </span>
      {canvas && <Tooltip store={store} face={face} pointer={canvas.pointer} />}
    </div>
  );
}

type SelectedFrameProps<Data extends FlameData> = Pick<FlameGraphProps<Data>, 'store' | 'profile' | 'face'>;

/** The one item of the tree: what is said and shown of the selected frame. */
function SelectedFrame<Data extends FlameData>({ store, profile, face }: SelectedFrameProps<Data>): ComponentChild {
  const node = Math.max(store.flame.selected, 0);
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
      <span class="flame-line-name">{shownName(profile.tree.names[profile.tree.name[node] as number] as string)}</span>{' '}
      <span class="flame-line-values">{face.line(profile, node, store.flame.zoomed)}</span>
    </div>
  );
}
