import type { CallTree } from '../call-tree.js';
import { clampCallTree } from '../clamp-call-tree.js';
import { PilotlightError } from '../errors.js';
import { flameLayout } from '../flame-layout.js';
import { textId } from '../node-id.js';
import { valueText } from './value-text.js';
import { xmlText } from './xml-text.js';

export interface SvgOptions {
  /** The heading, for example the service and what was measured. */
  readonly title: string;
  /** Under the heading, for example the range. */
  readonly subtitle: string;
  /** Unit of the values, as in a sample type. */
  readonly unit: string;
  /** Bars that are drawn at most; default 200,000, which is 50 MB. */
  readonly barsMax?: number;
}

const BARS_MAX = 200_000;

const WIDTH = 1200;
const MARGIN = 10;
const HEAD = 56;
const ROW = 18;
const FONT_SIZE = 12;
/** Of a fixed-pitch letter, in parts of its size: labels are cut by counting letters, nothing is measured. */
const LETTER = 0.6;
/** Bars below this many pixels are not drawn: they would be a megabyte of nothing to see. */
const BAR_WIDTH_MIN = 0.3;
/** Text below this many letters says nothing. */
const LABEL_LETTERS_MIN = 3;
/** Light, of equal lightness, so that a label reads well on each. */
const FILLS = [
  '#f2c6c0',
  '#f0cbb0',
  '#e8d2a6',
  '#d9d9a6',
  '#c6dfb0',
  '#b3e3c4',
  '#abe3d9',
  '#b0dfee',
  '#bfd9f7',
  '#d1d1f7',
  '#e2caf0',
  '#eec5dd',
] as const;
const ROOT_FILL = '#e3e6ea';

/**
 * A flame graph as one static SVG file: no script, no style sheet, no font or picture from elsewhere. The root is on top; a bar's text is cut
 * to its width and its tooltip has the whole name, the value and its share. Names come from outside and are escaped, see `xmlText`.
 *
 * @throws PilotlightError `query_limit` above `barsMax`
 */
export function writeSvg(callTree: CallTree, { title, subtitle, unit, barsMax = BARS_MAX }: SvgOptions): string {
  const { tree } = clampCallTree(callTree);
  const layout = flameLayout(tree);
  const scale = layout.total > 0 ? (WIDTH - 2 * MARGIN) / layout.total : 0;
  const fills = tree.names.map((name, index) => (index === 0 ? ROOT_FILL : fillOf(name)));
  const bars: string[] = [];
  let depthMax = 0;
  layout.levels.forEach((level, depth) => {
    for (let i = 0; i < level.length; i++) {
      const start = level.start[i] as number;
      const width = ((level.end[i] as number) - start) * scale;
      // The root stands for the picture even when there is nothing in it.
      if (width < BAR_WIDTH_MIN && depth > 0) continue;
      depthMax = depth;
      if (bars.length === barsMax) {
        throw new PilotlightError('query_limit', `the picture has more than ${barsMax} bars`, { limit: barsMax });
      }
      const node = level.node[i] as number;
      const name = tree.names[tree.name[node] as number] as string;
      const [x, y] = [MARGIN + start * scale, HEAD + depth * ROW];
      const tip = `${name} — ${partText(tree.total[node] as number, layout.total, unit)}; self ${valueText(tree.self[node] as number, unit)}`;
      const label = labelOf(name, width);
      bars.push(
        `<g><title>${xmlText(tip)}</title><rect x="${round(x)}" y="${y}" width="${round(Math.max(width - 0.5, BAR_WIDTH_MIN))}" height="${ROW - 1}" fill="${fills[tree.name[node] as number]}"/>` +
          (label === '' ? '' : `<text x="${round(x + 3)}" y="${y + ROW - 5.5}">${xmlText(label)}</text>`) +
          '</g>\n',
      );
    }
  });
  const height = HEAD + (depthMax + 1) * ROW + MARGIN;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="${FONT_SIZE}" fill="#14181d">
<title>${xmlText(title)}</title>
<desc>${xmlText(`Flame graph, the root on top; the width of a bar is its share of ${valueText(layout.total, unit)}. ${subtitle}`)}</desc>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="${MARGIN}" y="22" font-size="16">${xmlText(cutTo(title, 120))}</text>
<text x="${MARGIN}" y="42" fill="#5a636e">${xmlText(cutTo(subtitle, 160))}</text>
${bars.join('')}</svg>
`;
}

/** `1.30 s, 12.34 % of 10.5 s`. */
function partText(value: number, total: number, unit: string): string {
  const percent = total > 0 ? (value / total) * 100 : 0;
  const share = percent > 0 && percent < 0.005 ? '< 0.01' : percent.toFixed(2);
  return `${valueText(value, unit)}, ${share} % of ${valueText(total, unit)}`;
}

/** As much of a name as there is room for: whole, else without its package, else cut. */
function labelOf(name: string, width: number): string {
  const room = Math.floor((width - 6) / (FONT_SIZE * LETTER));
  if (room < LABEL_LETTERS_MIN) return '';
  if (name.length <= room) return name;
  const short = /[^./\\:]+[.:]+[^./\\:]+$/.exec(name)?.[0] ?? name;
  return cutTo(short, room);
}

function cutTo(text: string, lettersMax: number): string {
  return text.length <= lettersMax ? text : `${text.slice(0, lettersMax - 1)}…`;
}

/** One colour a package, the same in every picture; what has no package by its name. */
function fillOf(name: string): string {
  const pack = /^[^./\\:]+[./\\:]+[^./\\:]+(?=[./\\:])/.exec(name)?.[0] ?? name;
  return FILLS[textId(pack) % FILLS.length] as string;
}

function round(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
