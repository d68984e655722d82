/** Pixels from line to line, and how fine the tile is drawn: sharp on screens with two pixels a pixel too. */
const DISTANCE = 7;
const FINENESS = 2;

const known = new Map<string, CanvasPattern | undefined>();

/** Slanted lines to lay over a fill: a second channel beside the colour. undefined where a browser gives no canvas. */
export function hatchPattern(colour: string): CanvasPattern | undefined {
  if (!known.has(colour)) known.set(colour, draw(colour));
  return known.get(colour);
}

function draw(colour: string): CanvasPattern | undefined {
  const size = DISTANCE * FINENESS;
  const tile = new OffscreenCanvas(size, size);
  const context = tile.getContext('2d');
  if (context === null) return undefined;
  context.strokeStyle = colour;
  context.lineWidth = FINENESS * 1.5;
  context.beginPath();
  // Three times, so that the corners of the tile meet.
  for (const from of [-size, 0, size]) {
    context.moveTo(from - 1, size + 1);
    context.lineTo(from + size + 1, -1);
  }
  context.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix([1 / FINENESS, 0, 0, 1 / FINENESS, 0, 0]));
  return pattern ?? undefined;
}
