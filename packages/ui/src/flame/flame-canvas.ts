import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { drawFlame, type FlameModel } from './draw-flame.js';
import { drawMarks } from './draw-marks.js';
import type { FlameData, FlameFace, FlameStore } from './flame-data.js';
import { DARK_FLAME_THEME, LIGHT_FLAME_THEME } from './flame-theme.js';
import { boxOf, type FlameViewport, levelTop, nodeAt } from './viewport.js';

export const ROW_HEIGHT = 18;
const FONT = '12px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace';
/** The pointer moves this far before a click becomes a drag. */
const DRAG_PIXELS_MIN = 4;
/** How much a notch of the wheel comes closer. */
const WHEEL_FACTOR = 1.2;

interface Size {
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
}

/** Opens the menu of a frame at a place of the page's window. */
export type OpenMenu = (node: number, at: { readonly x: number; readonly y: number }) => void;

export interface FlameElements {
  /** Scrolls, and takes the focus. */
  readonly scroller: HTMLElement;
  /** Stays in view while it scrolls; the canvases lie in it. */
  readonly window: HTMLElement;
  readonly base: HTMLCanvasElement;
  readonly marks: HTMLCanvasElement;
}

/** Keeps two canvases in step with the state, and turns the pointer's movements into changes of it. */
export class FlameCanvas<Data extends FlameData> {
  /** Where the pointer is, relative to the page's window; undefined: not over a frame. */
  readonly pointer: Signal<{ x: number; y: number } | undefined> = signal(undefined);
  private readonly size = signal<Size>({ width: 0, height: 0, pixelRatio: 1 });
  private readonly scrollTop = signal(0);
  private readonly viewport: ReadonlySignal<FlameViewport | undefined>;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly elements: FlameElements,
    private readonly store: FlameStore<Data>,
    face: FlameFace<Data>,
    onMenu: OpenMenu,
    dark: ReadonlySignal<boolean>,
  ) {
    const { flame, search } = store;
    const profile = store.profile.data;
    const base = elements.base.getContext('2d', { alpha: false });
    const marks = elements.marks.getContext('2d');
    if (base === null || marks === null) throw new Error('this browser gives no 2D canvas');
    base.font = FONT;
    const glyphWidth = base.measureText('0'.repeat(64)).width / 64;

    this.viewport = computed(() => {
      const shown = profile.value;
      const { start, end } = flame.horizontal;
      if (shown === undefined) return undefined;
      return {
        ...this.size.value,
        scrollTop: this.scrollTop.value,
        start: start * shown.layout.total,
        end: end * shown.layout.total,
        rowHeight: ROW_HEIGHT,
        rootAt: store.view.get('orientation') === 'flame' ? 'bottom' : 'top',
        zoomDepth: shown.tree.depth[flame.zoomed] as number,
        font: FONT,
        glyphWidth,
      };
    });
    const theme = computed(() => (dark.value ? DARK_FLAME_THEME : LIGHT_FLAME_THEME));
    const model = computed((): FlameModel | undefined => {
      const shown = profile.value;
      if (shown === undefined) return undefined;
      const { tree, layout, labels, cut } = shown;
      const paint = face.paint(shown, theme.value);
      return { tree, layout, labels, paint, cutName: cut.name, matches: search.matchesIn(shown) };
    });

    this.follow(() => {
      const [what, where, colours] = [model.value, this.viewport.value, theme.value];
      if (what === undefined || where === undefined) return;
      return nextPicture(() => {
        fit(elements.base, where);
        drawFlame(base, what, where, colours);
      });
    });
    this.follow(() => {
      const [what, where, colours] = [model.value, this.viewport.value, theme.value];
      const nodes = { hover: flame.hovered.value, selected: flame.selected };
      if (what === undefined || where === undefined) return;
      return nextPicture(() => {
        fit(elements.marks, where);
        drawMarks(marks, what, where, colours, nodes);
      });
    });
    // Another profile has other nodes: the pointer must move before it points at one.
    this.follow(() => {
      profile.value;
      this.leave();
    });
    this.startAtRoot();
    this.keepInView();
    this.watchSize();
    this.watchPointer();
    this.watchMenu(onMenu);
  }

  stop(): void {
    for (const stop of this.stops.splice(0)) stop();
  }

  private follow(run: Parameters<typeof effect>[0]): void {
    this.stops.push(effect(run));
  }

  private listen<Name extends keyof HTMLElementEventMap>(
    target: HTMLElement,
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
    options?: AddEventListenerOptions,
  ): void {
    target.addEventListener(name, listener, options);
    this.stops.push(() => target.removeEventListener(name, listener, options));
  }

  /** The root is seen first, wherever it is. */
  private startAtRoot(): void {
    const { view, profile } = this.store;
    const isShown = computed(() => profile.data.value !== undefined && this.size.value.height > 0);
    this.follow(() => {
      const orientation = view.get('orientation');
      if (!isShown.value) return;
      const { scroller } = this.elements;
      return nextPicture(() => {
        scroller.scrollTop = orientation === 'flame' ? scroller.scrollHeight : 0;
      });
    });
  }

  /** Scrolls just so far that the row of the selected frame is seen. A refresh alone scrolls nothing. */
  private keepInView(): void {
    let before = '';
    this.follow(() => {
      const frame = this.store.view.get('frame');
      const zoom = this.store.view.get('zoom');
      const node = this.store.flame.selected;
      const wanted = `${frame?.pathId} ${zoom?.pathId} ${this.store.view.get('orientation')}`;
      const shown = this.store.profile.data.peek();
      const { height } = this.size.value;
      if (shown === undefined || node < 0 || height === 0 || wanted === before) return;
      before = wanted;
      const { scroller } = this.elements;
      // The scroller grows with a new profile only once that is rendered.
      return nextPicture(() => {
        const viewport = this.viewport.peek();
        if (viewport === undefined) return;
        const top = levelTop(shown.layout, { ...viewport, scrollTop: 0 }, shown.tree.depth[node] as number);
        const above = Math.max(top - 3 * ROW_HEIGHT, 0);
        if (scroller.scrollTop > above) scroller.scrollTop = above;
        else if (scroller.scrollTop + height < top + 2 * ROW_HEIGHT) scroller.scrollTop = top + 2 * ROW_HEIGHT - height;
      });
    });
  }

  private watchSize(): void {
    const measure = () => {
      const { clientWidth, clientHeight } = this.elements.window;
      const pixelRatio = window.devicePixelRatio || 1;
      const { width, height, pixelRatio: ratio } = this.size.peek();
      if (clientWidth === width && clientHeight === height && pixelRatio === ratio) return;
      this.size.value = { width: clientWidth, height: clientHeight, pixelRatio };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(this.elements.window);
    // The browser's zoom changes the pixel ratio, and not always the size.
    window.addEventListener('resize', measure);
    this.stops.push(() => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    });
    this.listen(this.elements.scroller, 'scroll', () => {
      this.scrollTop.value = this.elements.scroller.scrollTop;
      this.leave();
    });
    measure();
  }

  private watchPointer(): void {
    const { flame } = this.store;
    const target = this.elements.window;
    let pressed: { x: number; y: number; dragged: boolean } | undefined;

    this.listen(target, 'pointerdown', (event) => {
      if (event.button !== 0) return;
      pressed = { x: event.clientX, y: event.clientY, dragged: false };
      this.elements.scroller.focus({ preventScroll: true });
      event.preventDefault();
    });
    this.listen(target, 'pointermove', (event) => {
      if (pressed === undefined || (event.buttons & 1) === 0) {
        pressed = undefined;
        flame.hovered.value = this.nodeUnder(event);
        this.pointer.value = flame.hovered.value === -1 ? undefined : { x: event.clientX, y: event.clientY };
        return;
      }
      const movedX = event.clientX - pressed.x;
      const movedY = event.clientY - pressed.y;
      if (!pressed.dragged && Math.hypot(movedX, movedY) < DRAG_PIXELS_MIN) return;
      if (!pressed.dragged) target.setPointerCapture(event.pointerId);
      pressed = { x: event.clientX, y: event.clientY, dragged: true };
      this.leave();
      if (flame.isZoomed) flame.pan(-movedX / Math.max(target.clientWidth, 1));
      this.elements.scroller.scrollTop -= movedY;
    });
    this.listen(target, 'pointerup', (event) => {
      const wasClick = pressed !== undefined && !pressed.dragged;
      pressed = undefined;
      if (!wasClick) return;
      const node = this.nodeUnder(event);
      if (node !== -1) flame.zoomTo(node);
    });
    this.listen(target, 'pointerleave', () => this.leave());
    this.listen(
      target,
      'wheel',
      (event) => {
        // The plain wheel scrolls, as everywhere.
        if (!event.shiftKey) return;
        event.preventDefault();
        const notches = Math.sign(event.deltaY || event.deltaX);
        const place = (event.clientX - target.getBoundingClientRect().left) / Math.max(target.clientWidth, 1);
        flame.scale(WHEEL_FACTOR ** notches, place);
      },
      { passive: false },
    );
  }

  /** The right button, a long press, or the keyboard's key for it. */
  private watchMenu(onMenu: OpenMenu): void {
    this.listen(this.elements.scroller, 'contextmenu', (event) => {
      event.preventDefault();
      // A key has no place: the menu stands below the selected frame.
      const node = this.elements.window.contains(event.target as Node) ? this.nodeUnder(event) : -1;
      if (node === -1) this.openMenu(onMenu);
      else onMenu(node, { x: event.clientX, y: event.clientY });
    });
  }

  /** At the selected frame, or at the root. */
  openMenu(onMenu: OpenMenu): void {
    const node = Math.max(this.store.flame.selected, 0);
    const { left, top } = this.elements.window.getBoundingClientRect();
    const box = this.boxOf(node);
    onMenu(node, { x: left + (box?.x ?? 0), y: top + (box === undefined ? 0 : box.y + box.height) });
  }

  private leave(): void {
    this.store.flame.hovered.value = -1;
    this.pointer.value = undefined;
  }

  private nodeUnder(event: MouseEvent): number {
    const shown = this.store.profile.data.peek();
    const viewport = this.viewport.peek();
    if (shown === undefined || viewport === undefined) return -1;
    const { left, top } = this.elements.window.getBoundingClientRect();
    return nodeAt(shown.layout, viewport, event.clientX - left, event.clientY - top);
  }

  /** Where a frame is drawn within the canvas. */
  private boxOf(node: number) {
    const shown = this.store.profile.data.peek();
    const viewport = this.viewport.peek();
    if (shown === undefined || viewport === undefined) return undefined;
    return boxOf(shown.layout, viewport, node, shown.tree.depth[node] as number);
  }
}

/** However many changes come before it, one drawing a picture. Returns what calls it off. */
function nextPicture(draw: () => void): () => void {
  const id = requestAnimationFrame(draw);
  return () => cancelAnimationFrame(id);
}

/** Setting a canvas' size clears it, so only when it changes. */
function fit(canvas: HTMLCanvasElement, { width, height, pixelRatio }: FlameViewport): void {
  const [columns, rows] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)];
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
}
