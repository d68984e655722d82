import type { CallTree, FlameLayout, FlameLevel } from '@pilotlight/profile';
import type { Labels } from '../names/label.js';
import type { FlameTheme } from './flame-theme.js';
import { type FlameViewport, levelTop, visibleLevels, visitLevel } from './viewport.js';

/** What of a 2D context the graph is drawn with: a canvas here, a recorder in tests, a file writer one day. */
export type FlameContext = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'font'
  | 'textBaseline'
  | 'fillRect'
  | 'strokeRect'
  | 'clearRect'
  | 'fillText'
  | 'setTransform'
>;

/** What is drawn. */
export interface FlameModel {
  readonly tree: CallTree;
  readonly layout: FlameLayout;
  readonly labels: Labels;
  readonly paint: FramePaint;
  /** Index of the name under which the server sums what it cut off; −1: nothing was. */
  readonly cutName: number;
  readonly matches: MatchMarks | undefined;
}

/** The colours of frames where no search and no zoom has a say, and signs beside the colour. */
export interface FramePaint {
  fill(node: number): string;
  /** Colour of labels on any of the fills. */
  readonly label: string;
  /** Bars `first` to `last` of a level, too thin to be told apart. */
  run(depth: number, first: number, last: number): string;
  /** Of the selected frame and the one under the pointer, where the theme's own could not be told from the fills. */
  readonly outline?: string;
  /** Put before the label: one character, or nothing. */
  sign?(node: number): string;
  /** Laid over the fill. */
  hatch?(node: number): CanvasPattern | undefined;
}

/** What a search found. */
export interface MatchMarks {
  /** 1 where the name matches, by name index. */
  readonly names: Uint8Array;
  /** By level: how many of the bars before an index match, so that a run of bars is asked in one step. */
  readonly before: readonly Int32Array[];
}

/** Narrower bars have no room for a word. */
const LABEL_PIXELS_MIN = 22;
const LABEL_PADDING = 3;
/** From this width on, a bar leaves a pixel to its neighbour. */
const GAP_FROM_PIXELS = 3;

/**
 * Draws the graph. Touches nothing but the context. Rectangles are collected by colour, so that the fill style changes once a colour and
 * not once a frame; labels come last, on top.
 */
export function drawFlame(context: FlameContext, model: FlameModel, viewport: FlameViewport, theme: FlameTheme): void {
  const { pixelRatio, rowHeight, width, height } = viewport;
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, width, height);
  const rectangles = new Map<Fill, number[]>();
  const labels = new Map<string, Label[]>();
  const snap = (pixels: number) => Math.round(pixels * pixelRatio) / pixelRatio;

  const rectangle = (fill: Fill, x: number, y: number, end: number, barHeight: number) => {
    const left = snap(x);
    const gap = end - x >= GAP_FROM_PIXELS ? 1 : 0;
    const drawn = Math.max(snap(end) - gap - left, 1 / pixelRatio);
    collect(rectangles, fill).push(left, y, drawn, barHeight);
  };

  const levels = visibleLevels(model.layout, viewport);
  for (let depth = levels.first; depth < levels.end; depth++) {
    const level = model.layout.levels[depth] as FlameLevel;
    const before = model.matches?.before[depth];
    const y = levelTop(model.layout, viewport, depth);
    visitLevel(level, viewport, {
      bar(index, x, barWidth) {
        const node = level.node[index] as number;
        const name = model.tree.name[node] as number;
        const { fill, label, edge, hatch } = styleOf(node, depth, model, viewport, theme);
        rectangle(fill, x, y, x + barWidth, rowHeight - 1);
        if (hatch !== undefined) rectangle(hatch, x, y, x + barWidth, rowHeight - 1);
        // A second channel beside the colour.
        if (edge !== undefined) rectangle(edge, x, y + rowHeight - 3, x + barWidth, 2);
        if (barWidth < LABEL_PIXELS_MIN) return;
        const columns = Math.floor((barWidth - 2 * LABEL_PADDING) / viewport.glyphWidth);
        const sign = model.paint.sign?.(node) ?? '';
        const text = sign + model.labels.fit(name, columns - sign.length);
        if (text !== '') collect(labels, label).push({ text, x: x + LABEL_PADDING, y: y + rowHeight / 2 });
      },
      run(first, last, x, runWidth) {
        const matching = before !== undefined && (before[last + 1] as number) > (before[first] as number);
        const faded = before !== undefined || depth < viewport.zoomDepth;
        const fill = matching ? theme.match : faded ? theme.faded : model.paint.run(depth, first, last);
        rectangle(fill, x, y, x + Math.max(runWidth, 1), rowHeight - 1);
      },
    });
  }
  for (const [fill, boxes] of rectangles) {
    context.fillStyle = fill;
    for (let i = 0; i < boxes.length; i += 4) {
      context.fillRect(boxes[i] as number, boxes[i + 1] as number, boxes[i + 2] as number, boxes[i + 3] as number);
    }
  }
  context.font = viewport.font;
  context.textBaseline = 'middle';
  for (const [fill, texts] of labels) {
    context.fillStyle = fill;
    for (const { text, x, y } of texts) context.fillText(text, x, y);
  }
}

type Fill = string | CanvasPattern;

interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

function styleOf(
  node: number,
  depth: number,
  { tree, paint, cutName, matches }: FlameModel,
  { zoomDepth }: FlameViewport,
  theme: FlameTheme,
): { fill: string; label: string; edge?: string; hatch?: CanvasPattern | undefined } {
  const name = tree.name[node] as number;
  if (matches?.names[name] === 1) return { fill: theme.match, label: theme.matchLabel, edge: theme.matchEdge };
  if (matches !== undefined || depth < zoomDepth) return { fill: theme.faded, label: theme.fadedLabel };
  if (depth === 0) return { fill: theme.root, label: theme.label };
  if (name === cutName) return { fill: theme.cut, label: theme.label };
  return { fill: paint.fill(node), label: paint.label, hatch: paint.hatch?.(node) };
}

function collect<Key, T>(lists: Map<Key, T[]>, key: Key): T[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}
