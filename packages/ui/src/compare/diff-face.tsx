import type { FlameLevel } from '@pilotlight/profile';
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import type { FramePaint } from '../flame/draw-flame.js';
import type { FlameFace } from '../flame/flame-data.js';
import { DARK_FLAME_THEME, type FlameTheme } from '../flame/flame-theme.js';
import { type CompareData, emptySides, SIDE_NAMES, SIDES, scaleOf } from './compare-data.js';
import type { ComparedValue } from './comparison.js';
import { type ChangeStep, changeStep, nodeSteps } from './diff-scale.js';
import { nodeText, type SidesText } from './diff-text.js';
import { DARK_DIFF_THEME, LIGHT_DIFF_THEME, stepColour } from './diff-theme.js';
import { hatchPattern } from './hatch.js';

/** Two profiles: the colour of what changed, signs beside it, and the values of both. `of`: which value the colours are of. */
export function diffFace(of: ReadonlySignal<ComparedValue>): FlameFace<CompareData> {
  return {
    paint: (data, theme) => diffPaint(data, theme, of.value),
    line: (data, node) => (
      <>
        {(['total', 'self'] as const).map((kind) => (
          <LineText key={kind} kind={kind} data={data} text={nodeText(data, node, kind)} />
        ))}
      </>
    ),
    tooltip: (data, node) => <DiffTooltip data={data} node={node} />,
  };
}

function diffPaint(data: CompareData, theme: FlameTheme, of: ComparedValue): FramePaint {
  const colours = theme === DARK_FLAME_THEME ? DARK_DIFF_THEME : LIGHT_DIFF_THEME;
  const steps = nodeSteps(data, of);
  const stepOf = (node: number) => steps[node] as ChangeStep;
  const isCompared = emptySides(data).length === 0;
  const hatch = hatchPattern(colours.hatch);
  const sums = new Map<number, LevelSums>();
  const sumsOf = (depth: number) => {
    let found = sums.get(depth);
    if (found === undefined) {
      found = levelSums(data, data.layout.levels[depth] as FlameLevel, of);
      sums.set(depth, found);
    }
    return found;
  };
  return {
    fill: (node) => stepColour(colours, stepOf(node)),
    label: colours.label,
    outline: colours.label,
    // Frames too thin to be told apart: what they come to together.
    run(depth, first, last) {
      if (!isCompared) return stepColour(colours, 0);
      const { change, left, right } = sumsOf(depth);
      const between = (column: Float64Array) => (column[last + 1] as number) - (column[first] as number);
      const [before, after] = [between(left), between(right)];
      return stepColour(colours, changeStep(between(change), Math.max(before, after), before > 0 && after > 0));
    },
    sign: (node) => (stepOf(node) === 0 ? '' : stepOf(node) > 0 ? '+' : '−'),
    hatch: (node) => (Math.abs(stepOf(node)) === 4 ? hatch : undefined),
  };
}

/** What the bars of a level before an index come to. One longer than the level. */
interface LevelSums {
  readonly change: Float64Array;
  readonly left: Float64Array;
  readonly right: Float64Array;
}

function levelSums(data: CompareData, level: FlameLevel, of: ComparedValue): LevelSums {
  const [leftScale, rightScale] = [scaleOf(data, 'left'), scaleOf(data, 'right')];
  const { left, right } = data.diff;
  const sums = {
    change: new Float64Array(level.length + 1),
    left: new Float64Array(level.length + 1),
    right: new Float64Array(level.length + 1),
  };
  for (let i = 0; i < level.length; i++) {
    const node = level.node[i] as number;
    const change = (right[of][node] as number) * rightScale - (left[of][node] as number) * leftScale;
    sums.change[i + 1] = (sums.change[i] as number) + change;
    sums.left[i + 1] = (sums.left[i] as number) + (left.total[node] as number) * leftScale;
    sums.right[i + 1] = (sums.right[i] as number) + (right.total[node] as number) * rightScale;
  }
  return sums;
}

interface LineTextProps {
  readonly kind: ComparedValue;
  readonly data: CompareData;
  readonly text: SidesText;
}

function LineText({ kind, data, text }: LineTextProps): ComponentChild {
  const isShare = data.basis === 'share';
  const values = isShare ? text.shares : text.values;
  const factor = isShare ? text.shareFactor : text.valueFactor;
  return (
    <>
      <span>
        <b>{kind}</b>{' '}
        {SIDES.map((side) => (
          <span class="diff-side" key={side}>
            <b>{SIDE_NAMES[side]}</b> {values[side]}{' '}
          </span>
        ))}
        {isShare ? text.shareChange : text.valueChange}
        {factor && ` (${factor})`}
      </span>{' '}
    </>
  );
}

function DiffTooltip({ data, node }: { data: CompareData; node: number }): ComponentChild {
  const texts = { total: nodeText(data, node, 'total'), self: nodeText(data, node, 'self') };
  return (
    <table class="diff-tooltip">
      <thead>
        <tr>
          <td />
          {SIDES.map((side) => (
            <th scope="col" key={side}>
              {SIDE_NAMES[side]}
            </th>
          ))}
          <th scope="col" colSpan={2}>
            change
          </th>
        </tr>
      </thead>
      <tbody>
        {(['total', 'self'] as const).map((kind) => {
          const text = texts[kind];
          return [
            <tr key={`${kind} share`}>
              <th scope="row">{kind}</th>
              {SIDES.map((side) => (
                <td key={side}>{text.shares[side]}</td>
              ))}
              <td>{text.shareChange}</td>
              <td>{text.shareFactor}</td>
            </tr>,
            <tr key={`${kind} value`} class="muted">
              <td />
              {SIDES.map((side) => (
                <td key={side}>{text.values[side]}</td>
              ))}
              <td>{text.valueChange}</td>
              <td>{text.valueFactor}</td>
            </tr>,
          ];
        })}
      </tbody>
    </table>
  );
}
