import { formatExact, formatShare, formatValue } from '../values/scale.js';
import { type CompareData, SIDES, type Side } from './compare-data.js';
import type { ComparedValue } from './comparison.js';

/** What is told of a frame, or of a function, that two profiles have: tooltip, status line and screen reader say the same. */
export interface SidesText {
  readonly shares: Readonly<Record<Side, string>>;
  readonly values: Readonly<Record<Side, string>>;
  readonly exact: Readonly<Record<Side, string>>;
  /** `+3.10 points`, `no change`. */
  readonly shareChange: string;
  /** `+300 ms`, `no change`. */
  readonly valueChange: string;
  /** `×1.25`, `new`, `gone`; empty where there is nothing to divide by, or nothing changed. Of shares, and of values. */
  readonly shareFactor: string;
  readonly valueFactor: string;
}

export function sidesText(data: CompareData, left: number, right: number): SidesText {
  const { unit } = data;
  const totals = both((side) => data.diff[side].total[0] as number);
  const values = { left, right };
  const shares = both((side) => (totals[side] > 0 ? values[side] / totals[side] : 0));
  return {
    shares: both((side) => formatShare(values[side], totals[side])),
    values: both((side) => formatValue(values[side], unit)),
    exact: both((side) => formatExact(values[side], unit)),
    shareChange: formatPoints(shares.right - shares.left),
    valueChange: formatDifference(right - left, unit),
    shareFactor: factorText(shares.left, shares.right),
    valueFactor: factorText(left, right),
  };
}

export function nodeText(data: CompareData, node: number, of: ComparedValue): SidesText {
  const { left, right } = data.diff;
  return sidesText(data, left[of][node] as number, right[of][node] as number);
}

function both<T>(of: (side: Side) => T): Record<Side, T> {
  return Object.fromEntries(SIDES.map((side) => [side, of(side)])) as Record<Side, T>;
}

/** A change of share, −1 to 1, in percentage points. What is not nothing never reads as nothing. */
export function formatPoints(change: number): string {
  const digits = pointDigits(change);
  return digits === '0' ? 'no change' : `${digits} points`;
}

/** The same without its unit, for a column. */
export function pointDigits(change: number): string {
  if (change === 0) return '0';
  const size = Math.abs(change) * 100;
  const sign = change < 0 ? '−' : '+';
  return size < 0.005 ? `${sign}<\u00a00.01` : `${sign}${size.toFixed(2)}`;
}

export function formatDifference(change: number, unit: string): string {
  if (change === 0) return 'no change';
  return `${change < 0 ? '−' : '+'}${formatValue(Math.abs(change), unit)}`;
}

function factorText(left: number, right: number): string {
  if (left === right) return '';
  if (left === 0) return 'new';
  if (right === 0) return 'gone';
  const factor = right / left;
  if (factor >= 1_000) return `×${Math.round(factor).toLocaleString('en-US')}`;
  return `×${factor < 0.001 ? '<\u00a00.001' : factor.toPrecision(3)}`;
}
