import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { loaded } from '../page/loaded.js';
import { FlameCanvas, type OpenMenu, ROW_HEIGHT } from './flame-canvas.js';
import type { FlameData, FlameFace, FlameStore } from './flame-data.js';
import { type FlameKeyActions, handleFlameKey } from './flame-keys.js';
import { shownName } from './flame-text.js';
import { siblingPlace } from './navigate.js';
import { ZoomChip } from './zoom-chip.js';

/** Of the line below the graph, with its borders; as in the style. */
const LINE_HEIGHT = 50;

const Tooltip = loaded(() => import('./tooltip.js').then((module) => module.Tooltip));
const FlameMenu = loaded(() => import('./flame-menu.js').then((module) => module.FlameMenu));

/** The page's graph had the focus when another took its place, as a comparison does: that one has it then. */
let focusIsGone = false;

interface FlameGraphProps<Data extends FlameData> {
  readonly store: FlameStore<Data>;
  readonly profile: Data;
  readonly face: FlameFace<Data>;
  readonly dark: ReadonlySignal<boolean>;
  readonly actions: FlameKeyActions;
  /** Of the graph's elements' ids, where there are several graphs. */
  readonly id?: string;
  /** What the graph is called by those who cannot see it. */
  readonly title?: string;
  /** As high as it needs to be, not higher. */
  readonly isLow?: boolean;
}

/**
 * The graph: for eyes a canvas, for everybody else a tree with one item, which always describes the selected frame. The page thus
 * stays as small as one frame, however many there are.
 */
export function FlameGraph<Data extends FlameData>(props: FlameGraphProps<Data>) {
  const { store, profile, face, dark, actions, id = '', title = 'Flame graph', isLow = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const [canvas, setCanvas] = useState<FlameCanvas<Data>>();
  const [menu, setMenu] = useState<{ node: number; at: { x: number; y: number } }>();

  const openMenu: OpenMenu = (node, at) => {
    store.flame.select(node);
    setMenu({ node, at });
  };

  useEffect(() => {
    if (!scroller.current || !frame.current || !base.current || !marks.current) return;
    const elements = { scroller: scroller.current, window: frame.current, base: base.current, marks: marks.current };
    const created = new FlameCanvas(elements, store, face, openMenu, dark);
    setCanvas(created);
    return () => created.stop();
  }, [store, face, dark]);
  useEffect(() => {
    if (id !== '') return;
    const element = scroller.current;
    if (focusIsGone && document.activeElement === document.body) element?.focus({ preventScroll: true });
    focusIsGone = false;
    return () => {
      focusIsGone = element !== null && document.activeElement === element;
    };
  }, [id]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!handleFlameKey(event, store, actions, () => canvas?.openMenu(openMenu))) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const graphHeight = profile.layout.levels.length * ROW_HEIGHT;
  return (
    <div class="flame" style={isLow ? { flexBasis: `${graphHeight + LINE_HEIGHT}px` } : undefined}>
      <div
        class="flame-scroller"
        role="tree"
        id={`${id}flame-graph`}
        aria-label={`${title}, ${profile.type.title}`}
        aria-activedescendant={`${id}selected-frame`}
        aria-describedby={`${id}flame-hint`}
        tabIndex={0}
        ref={scroller}
        onKeyDown={onKeyDown}
      >
        <div class="flame-window" ref={frame} aria-hidden="true">
          <canvas class="flame-base" ref={base} />
          <canvas class="flame-marks" ref={marks} />
        </div>
        <div class="flame-spacer" style={{ height: `${graphHeight}px` }} />
        <SelectedFrame store={store} profile={profile} face={face} id={`${id}selected-frame`} />
      </div>
      <ZoomChip store={store} profile={profile} />
      <span id={`${id}flame-hint`} hidden>
        Arrow keys walk, Enter zooms, Escape goes back, slash searches, the menu key offers more, question mark lists
        all keys.
      </span>
      {menu && menu.node < profile.tree.length && (
        <FlameMenu
          store={store}
          profile={profile}
          node={menu.node}
          at={menu.at}
          actions={actions}
          onClose={() => {
            setMenu(undefined);
            scroller.current?.focus({ preventScroll: true });
          }}
          onFailed={() => setMenu(undefined)}
        />
      )}
      {canvas && !menu && (
        <Tooltip
          store={store}
          tell={(node, zoomed) => face.tooltip(profile, node, zoomed)}
          pointer={canvas.pointer}
          onFailed={() => {}}
        />
      )}
    </div>
  );
}

type SelectedFrameProps<Data extends FlameData> = Pick<FlameGraphProps<Data>, 'store' | 'profile' | 'face'> & {
  readonly id: string;
};

/** The one item of the tree: what is said and shown of the selected frame. */
function SelectedFrame<Data extends FlameData>({ store, profile, face, id }: SelectedFrameProps<Data>): ComponentChild {
  const node = Math.max(store.flame.selected, 0);
  const { position, count } = siblingPlace(profile, node);
  const isLeaf = profile.ends[node] === node + 1;
  return (
    <div
      class="flame-line"
      role="treeitem"
      id={id}
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
