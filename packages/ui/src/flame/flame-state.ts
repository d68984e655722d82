import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { View } from '../view/view.js';
import type { FrameLink } from '../view/view-state.js';
import type { FlameData } from './flame-data.js';
import { shownName } from './flame-text.js';
import { type FoundFrame, findFrame, linkTo, pathNames } from './frame-path.js';
import { isWithin } from './navigate.js';

/** The stretch of the graph that takes the full width, as shares of the whole. */
export interface HorizontalView {
  readonly start: number;
  readonly end: number;
}

/** Closer than this, neighbouring values are no longer told apart by a number. */
const VIEW_SHARE_MIN = 1e-9;

/**
 * Which frame is selected and which is zoomed to. Both are kept as paths of names, so that a refresh finds them again; a frame that is
 * gone for a while is not forgotten.
 */
export class FlameState {
  readonly hovered: Signal<number> = signal(-1);
  /** Set while the reader has panned or zoomed by hand; undefined: the zoomed frame decides. */
  private readonly byHand: Signal<HorizontalView | undefined> = signal(undefined);
  private readonly zoomedBefore: (FrameLink | undefined)[] = [];
  /** Names of the paths that were selected in data at hand: a link holds only their hash. */
  private readonly knownPaths = new Map<number, readonly string[]>();

  private readonly foundSelected: ReadonlySignal<FoundFrame | undefined>;
  private readonly foundZoomed: ReadonlySignal<FoundFrame | undefined>;

  constructor(
    private readonly view: View,
    private readonly profile: ReadonlySignal<FlameData | undefined>,
  ) {
    const frame = computed(() => view.get('frame'));
    const zoom = computed(() => view.get('zoom'));
    this.foundSelected = computed(() => this.find(frame.value));
    this.foundZoomed = computed(() => this.find(zoom.value));
  }

  /** −1: none. */
  get selected(): number {
    return this.foundSelected.value?.node ?? -1;
  }

  /** The root unless something else is zoomed to. A frame found only by its function's name is no place to zoom to. */
  get zoomed(): number {
    const found = this.foundZoomed.value;
    return found === undefined || found.by === 'function' ? 0 : found.node;
  }

  /** Why another frame is selected than the link says; undefined: none is. */
  get notice(): string | undefined {
    const link = this.view.get('frame');
    if (link === undefined || this.profile.value === undefined || this.profile.value.tree.length <= 1) return undefined;
    const name = shownName(link.name);
    const found = this.foundSelected.value;
    if (found === undefined) return `${name} is not in this profile.`;
    if (found.by === 'ancestor') return `${name} is not here now; its nearest caller is selected.`;
    if (found.by === 'function') return `The linked path to ${name} is not here; its largest frame is selected.`;
    return undefined;
  }

  get horizontal(): HorizontalView {
    if (this.byHand.value !== undefined) return this.byHand.value;
    const profile = this.profile.value;
    if (profile === undefined || this.zoomed === 0) return { start: 0, end: 1 };
    return spanOf(profile, this.zoomed);
  }

  select(node: number): void {
    const link = this.link(node);
    if (link !== undefined) this.view.change({ frame: link }, 'replace');
  }

  zoomTo(node: number): void {
    const link = this.link(node);
    if (link === undefined) return;
    const { zoom } = this.view.peek();
    batch(() => {
      this.byHand.value = undefined;
      const next = node === 0 ? undefined : link;
      if (next?.pathId === zoom?.pathId) {
        this.view.change({ frame: link }, 'replace');
        return;
      }
      this.zoomedBefore.push(zoom);
      this.view.change({ frame: link, zoom: next });
    });
  }

  /** To where one was before the last zoom; from a link one came by, to the root. */
  zoomBack(): void {
    batch(() => {
      this.byHand.value = undefined;
      if (this.view.peek().zoom !== undefined) this.view.change({ zoom: this.zoomedBefore.pop() });
    });
  }

  resetZoom(): void {
    batch(() => {
      this.byHand.value = undefined;
      if (this.view.peek().zoom === undefined) return;
      this.zoomedBefore.push(this.view.peek().zoom);
      this.view.change({ zoom: undefined });
    });
  }

  /** Whether anything but the whole is shown. */
  get isZoomed(): boolean {
    const { start, end } = this.horizontal;
    return start > 0 || end < 1;
  }

  /** Zooms by hand around a place (0: left edge, 1: right edge of what is shown); a factor below 1 comes closer. */
  scale(factor: number, place: number): void {
    const { start, end } = this.horizontal;
    const width = Math.min(Math.max((end - start) * factor, VIEW_SHARE_MIN), 1);
    this.show(start + (end - start - width) * place, width);
  }

  /** Moves by a share of what is shown. */
  pan(share: number): void {
    const { start, end } = this.horizontal;
    this.show(start + (end - start) * share, end - start);
  }

  private show(start: number, width: number): void {
    const kept = Math.min(Math.max(start, 0), 1 - width);
    this.byHand.value = { start: kept, end: kept + width };
  }

  /** Selects a frame and makes sure that it can be seen: outside the zoomed frame, or thinner than `shareMin` of the view, the zoom moves out or in. */
  reveal(node: number, shareMin: number): void {
    const profile = this.profile.peek();
    if (profile === undefined) return;
    const { tree } = profile;
    const total = tree.total[node] as number;
    let zoom = isWithin(profile, node, this.zoomed) ? this.zoomed : 0;
    // The widest frame above it in which it is wide enough.
    const wideEnough = (above: number) => total >= (tree.total[above] as number) * shareMin;
    if (!wideEnough(zoom)) {
      for (zoom = node; ; ) {
        const above = tree.parent[zoom] as number;
        if (above === -1 || !wideEnough(above)) break;
        zoom = above;
      }
    }
    batch(() => {
      if (zoom !== this.zoomed || this.byHand.peek() !== undefined) this.zoomTo(zoom);
      this.select(node);
    });
  }

  private find(link: FrameLink | undefined): FoundFrame | undefined {
    const profile = this.profile.value;
    if (link === undefined || profile === undefined) return undefined;
    const found = findFrame(profile.tree, link, this.knownPaths.get(link.pathId));
    if (found?.by === 'path') this.knownPaths.set(link.pathId, pathNames(profile.tree, found.node));
    return found;
  }

  private link(node: number): FrameLink | undefined {
    const profile = this.profile.peek();
    return profile === undefined || node < 0 || node >= profile.tree.length ? undefined : linkTo(profile.tree, node);
  }
}

function spanOf({ layout, tree }: FlameData, node: number): HorizontalView {
  const level = layout.levels[tree.depth[node] as number];
  const index = level?.node.indexOf(node) ?? -1;
  if (level === undefined || index === -1 || layout.total <= 0) return { start: 0, end: 1 };
  return { start: (level.start[index] as number) / layout.total, end: (level.end[index] as number) / layout.total };
}
