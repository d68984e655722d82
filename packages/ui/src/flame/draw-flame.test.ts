import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallTree, type FlameLevel, flameLayout } from '@pilotlight/profile';
import fc from 'fast-check';
import { Labels } from '../names/label.js';
import { levelPrefixes } from '../search/match-share.js';
import { collapsedTree, nameOf, nodeNamed, randomTree } from '../testing/collapsed-tree.js';
import { drawFlame, type FlameContext, type FlameModel } from './draw-flame.js';
import { drawMarks } from './draw-marks.js';
import { LIGHT_FLAME_THEME as THEME } from './flame-theme.js';
import { boxOf, type FlameViewport, nodeAt } from './viewport.js';

interface Drawn {
  readonly kind: 'fill' | 'stroke' | 'clear' | 'text';
  readonly style: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text: string;
}

/** Takes down what would be drawn. */
class Recorder implements FlameContext {
  fillStyle = '';
  strokeStyle = '';
  lineWidth = 1;
  font = '';
  textBaseline: CanvasTextBaseline = 'alphabetic';
  readonly drawn: Drawn[] = [];
  scale = 0;

  setTransform(transform?: DOMMatrix2DInit | number): void {
    this.scale = transform as number;
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    this.drawn.push({ kind: 'fill', style: this.fillStyle, x, y, width, height, text: '' });
  }
  strokeRect(x: number, y: number, width: number, height: number): void {
    this.drawn.push({ kind: 'stroke', style: this.strokeStyle, x, y, width, height, text: '' });
  }
  clearRect(x: number, y: number, width: number, height: number): void {
    this.drawn.push({ kind: 'clear', style: '', x, y, width, height, text: '' });
  }
  fillText(text: string, x: number, y: number): void {
    this.drawn.push({ kind: 'text', style: this.fillStyle, x, y, width: 0, height: 0, text });
  }
}

function modelOf(tree: CallTree, matching: readonly string[] = []): FlameModel {
  const layout = flameLayout(tree);
  const names = Uint8Array.from(tree.names, (name) => (matching.includes(name) ? 1 : 0));
  return {
    tree,
    layout,
    labels: new Labels(tree.names),
    paint: { fill: () => THEME.slots[0] as string, label: THEME.label, run: () => THEME.thin },
    cutName: -1,
    matches: matching.length === 0 ? undefined : { names, before: levelPrefixes(tree, layout, names) },
  };
}

function viewportOf(model: FlameModel, changes: Partial<FlameViewport> = {}): FlameViewport {
  return {
    width: 100,
    height: 100,
    scrollTop: 0,
    start: 0,
    end: model.layout.total,
    rowHeight: 10,
    rootAt: 'top',
    zoomDepth: 0,
    pixelRatio: 1,
    font: '10px mono',
    glyphWidth: 6,
    ...changes,
  };
}

function draw(model: FlameModel, viewport: FlameViewport): Recorder {
  const recorder = new Recorder();
  drawFlame(recorder, model, viewport, THEME);
  return recorder;
}

/** Rectangles without the background, as `x y width height`, from the top. */
function rectangles(recorder: Recorder): string[] {
  const fills = recorder.drawn.filter((each) => each.kind === 'fill').slice(1);
  return fills.sort((a, b) => a.y - b.y || a.x - b.x).map((each) => `${each.x} ${each.y} ${each.width} ${each.height}`);
}

test('bars lie under their parents, each as wide as its share', () => {
  const model = modelOf(collapsedTree('a;b 20', 'a;c;d 60', 'e 20'));
  const recorder = draw(model, viewportOf(model));
  assert.deepEqual(rectangles(recorder), [
    '0 0 99 9', // total
    '0 10 79 9', // a
    '80 10 19 9', // e
    '0 20 19 9', // b
    '20 20 59 9', // c
    '20 30 59 9', // d
  ]);
  const texts = recorder.drawn.filter((each) => each.kind === 'text').map((each) => each.text);
  assert.deepEqual(texts.sort(), ['a', 'c', 'd', 'total'], 'bars under 22 pixels carry no label');
});

test('a zoomed view clips what reaches beyond it, and fades what is above the zoomed frame', () => {
  const model = modelOf(collapsedTree('a;b 20', 'a;c;d 60', 'e 20'));
  const recorder = draw(model, viewportOf(model, { start: 20, end: 80, zoomDepth: 2 }));
  assert.deepEqual(rectangles(recorder), ['0 0 99 9', '0 10 99 9', '0 20 99 9', '0 30 99 9']);
  assert.deepEqual(
    recorder.drawn.filter((each) => each.kind === 'fill').map((each) => each.style),
    [THEME.background, THEME.faded, THEME.faded, THEME.slots[0], THEME.slots[0]],
  );
});

test('a thousand bars thinner than a pixel become one rectangle', () => {
  const lines = Array.from({ length: 1_000 }, (_, i) => `a;n${String(i).padStart(4, '0')} 1`);
  const model = modelOf(collapsedTree(...lines));
  assert.deepEqual(rectangles(draw(model, viewportOf(model))), ['0 0 99 9', '0 10 99 9', '0 20 99 9']);
});

test('the pixel lights up when one of the bars below it matches', () => {
  const lines = Array.from({ length: 1_000 }, (_, i) => `a;n${String(i).padStart(4, '0')} 1`);
  const model = modelOf(collapsedTree(...lines), ['n0500']);
  const row = draw(model, viewportOf(model)).drawn.filter((each) => each.kind === 'fill' && each.y === 20);
  assert.deepEqual(
    row.map((each) => each.style),
    [THEME.match],
  );
});

test('a match has an edge beside its colour, and the rest fades', () => {
  const model = modelOf(collapsedTree('a;b 50', 'a;c 50'), ['b']);
  const styles = draw(model, viewportOf(model)).drawn.map((each) => `${each.kind} ${each.style} ${each.text}`);
  assert.ok(styles.includes(`fill ${THEME.matchEdge} `));
  assert.ok(styles.includes(`text ${THEME.matchLabel} b`));
  assert.ok(styles.includes(`text ${THEME.fadedLabel} c`));
});

test('rows outside the view are not drawn', () => {
  const chain = Array.from({ length: 3_000 }, (_, i) => `f${i}`).join(';');
  const model = modelOf(collapsedTree(`${chain} 7`));
  const recorder = draw(model, viewportOf(model, { scrollTop: 29_905 }));
  const drawnRows = rectangles(recorder);
  assert.deepEqual([drawnRows[0], drawnRows.length], ['0 -5 99 9', 11]);
  assert.ok(recorder.drawn.some((each) => each.text === 'f2999'));
});

test('the same picture takes the same rectangles at twice the pixels', () => {
  const model = modelOf(collapsedTree('a;b 20', 'a;c;d 60', 'e 20'));
  const recorder = draw(model, viewportOf(model, { pixelRatio: 2 }));
  assert.equal(recorder.scale, 2);
  assert.equal(rectangles(recorder).length, 6);
});

test('nothing to draw, or nowhere to draw it, draws nothing', () => {
  const empty = modelOf(collapsedTree());
  assert.deepEqual(rectangles(draw(empty, viewportOf(empty))), []);
  const model = modelOf(collapsedTree('a 1'));
  assert.deepEqual(rectangles(draw(model, viewportOf(model, { width: 0 }))), []);
});

test('the number of rectangles is bounded by the pixels, not by the frames', () => {
  const model = modelOf(randomTree(20_000, 7));
  const viewport = viewportOf(model, { width: 500, height: 300, rowHeight: 10 });
  const count = rectangles(draw(model, viewport)).length;
  assert.ok(count > 100 && count <= 30 * 500, `${count} rectangles`);
});

test('every pixel of a bar belongs to its frame', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.integer({ min: 1, max: 400 }),
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      (seed, nodes, left) => {
        const tree = randomTree(nodes, seed);
        const model = modelOf(tree);
        const { total } = model.layout;
        const viewport = viewportOf(model, { start: total * left, end: total * (left + 0.1), height: 1_000 });
        model.layout.levels.forEach((level: FlameLevel, depth) => {
          for (const node of level.node) {
            const box = boxOf(model.layout, viewport, node, depth);
            if (box === undefined || box.width < 0.01) continue;
            assert.equal(nodeAt(model.layout, viewport, box.x + box.width / 2, box.y + 5), node);
          }
        });
      },
    ),
    { numRuns: 40 },
  );
});

test('a level drawn in bars and runs leaves no frame out', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 3_000 }), (seed, nodes) => {
      const model = modelOf(randomTree(nodes, seed));
      const covered = rectangles(draw(model, viewportOf(model, { height: 10 * model.layout.levels.length })));
      const rows = new Set(covered.map((each) => each.split(' ')[1]));
      assert.equal(rows.size, model.layout.levels.length);
    }),
    { numRuns: 30 },
  );
});

test('marks: the selected frame, the one under the pointer, and the selected function elsewhere', () => {
  const tree = collapsedTree('a;x 30', 'b;x 30', 'c 40');
  const model = modelOf(tree);
  const recorder = new Recorder();
  const marks = { selected: nodeNamed(tree, 'x'), hover: nodeNamed(tree, 'c') };
  drawMarks(recorder, model, viewportOf(model), THEME, marks);
  const strokes = recorder.drawn.filter((each) => each.kind === 'stroke');
  assert.deepEqual(
    strokes.map((each) => `${each.style} ${each.x} ${each.y}`),
    [
      `${THEME.sameFunction} 0.5 20.5`,
      `${THEME.sameFunction} 30.5 20.5`,
      `${THEME.hover} 60.5 10.5`,
      `${THEME.selection} 1 21`,
    ],
  );
  assert.equal(nameOf(tree, nodeAt(model.layout, viewportOf(model), 65, 15)), 'c');
});

test('a root at the bottom: the rows stand on it, also in a graph lower than its place', () => {
  const model = modelOf(collapsedTree('a;b 1'));
  const viewport = viewportOf(model, { rootAt: 'bottom' });
  assert.deepEqual(rectangles(draw(model, viewport)), ['0 70 99 9', '0 80 99 9', '0 90 99 9']);
  assert.equal(nodeAt(model.layout, viewport, 50, 95), 0);
  assert.equal(nameOf(model.tree, nodeAt(model.layout, viewport, 50, 75)), 'b');
  assert.equal(nodeAt(model.layout, viewport, 50, 65), -1);
});

test('both ways round, what is drawn is what is pointed at', () => {
  const trees = fc.record({
    tree: fc.integer({ min: 2, max: 300 }).map((nodes) => randomTree(nodes, nodes)),
    scrollTop: fc.nat(400),
    height: fc.integer({ min: 10, max: 200 }),
    rootAt: fc.constantFrom('top' as const, 'bottom' as const),
  });
  fc.assert(
    fc.property(trees, ({ tree, rootAt, scrollTop, height }) => {
      const model = modelOf(tree);
      const rows = Math.max(model.layout.levels.length * 10, height);
      const viewport = viewportOf(model, { rootAt, height, scrollTop: Math.min(scrollTop, rows - height) });
      for (let node = 0; node < tree.length; node++) {
        const box = boxOf(model.layout, viewport, node, tree.depth[node] as number);
        if (box === undefined || box.y < 0 || box.y + 5 >= height || box.width < 1) continue;
        assert.equal(nodeAt(model.layout, viewport, box.x + box.width / 2, box.y + 5), node);
        const drawn = rectangles(draw(model, viewport)).some((each) =>
          each.startsWith(`${Math.round(box.x)} ${box.y} `),
        );
        assert.ok(drawn, `${node} at ${box.x} ${box.y}`);
      }
    }),
    { numRuns: 30 },
  );
});
