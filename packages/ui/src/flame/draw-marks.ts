import type { FlameLevel } from '@pilotlight/profile';
import type { FlameContext, FlameModel } from './draw-flame.js';
import type { FlameTheme } from './flame-theme.js';
import { boxOf, type FlameViewport, levelTop, visibleLevels, visitLevel } from './viewport.js';

/** Nodes the reader points at; −1: none. */
export interface FlameMarks {
  readonly hover: number;
  readonly selected: number;
}

/** A frame thinner than this could not be seen to be marked. */
const MARK_PIXELS_MIN = 4;

/**
 * Draws what changes with every movement of the pointer, on a canvas of its own above the graph: the frame under the pointer, the selected frame, and
 * where else the selected function is. Transparent elsewhere.
 */
export function drawMarks(
  context: FlameContext,
  model: FlameModel,
  viewport: FlameViewport,
  theme: FlameTheme,
  marks: FlameMarks,
): void {
  const { pixelRatio } = viewport;
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.clearRect(0, 0, viewport.width, viewport.height);
  if (marks.selected > 0) {
    context.strokeStyle = theme.sameFunction;
    context.lineWidth = 1;
    sameFunction(context, model, viewport, marks.selected);
  }
  if (marks.hover >= 0) {
    context.strokeStyle = model.paint.outline ?? theme.hover;
    context.lineWidth = 1;
    outline(context, model, viewport, marks.hover, 0.5);
  }
  if (marks.selected >= 0) {
    context.strokeStyle = model.paint.outline ?? theme.selection;
    context.lineWidth = 2;
    outline(context, model, viewport, marks.selected, 1);
  }
}

function outline(context: FlameContext, model: FlameModel, viewport: FlameViewport, node: number, inset: number): void {
  const box = boxOf(model.layout, viewport, node, model.tree.depth[node] as number);
  if (box === undefined || box.y + box.height < 0 || box.y > viewport.height) return;
  const width = Math.max(box.width - 1, MARK_PIXELS_MIN);
  context.strokeRect(box.x + inset, box.y + inset, width - 2 * inset, box.height - 1 - 2 * inset);
}

function sameFunction(context: FlameContext, model: FlameModel, viewport: FlameViewport, selected: number): void {
  const name = model.tree.name[selected];
  const levels = visibleLevels(model.layout, viewport);
  for (let depth = levels.first; depth < levels.end; depth++) {
    const level = model.layout.levels[depth] as FlameLevel;
    const y = levelTop(model.layout, viewport, depth);
    visitLevel(level, viewport, {
      bar(index, x, width) {
        if (model.tree.name[level.node[index] as number] !== name || width < MARK_PIXELS_MIN) return;
        context.strokeRect(x + 0.5, y + 0.5, width - 2, viewport.rowHeight - 2);
      },
      run() {},
    });
  }
}
