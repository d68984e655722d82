import type { ChangeStep } from './diff-scale.js';

/**
 * Blue for less, orange for more, grey between: told apart by those who confuse red and green, and labels keep a contrast of at least 4.5 on
 * each (tested).
 */
export interface DiffTheme {
  readonly less: string;
  readonly same: string;
  readonly more: string;
  readonly label: string;
  /** Lines over what is on one side only. */
  readonly hatch: string;
}

export const LIGHT_DIFF_THEME: DiffTheme = {
  less: '#5aa3dc',
  same: '#d9dce1',
  more: '#f28e3c',
  label: '#14181d',
  hatch: '#14181d40',
};

export const DARK_DIFF_THEME: DiffTheme = {
  less: '#6fb1e6',
  same: '#7d838d',
  more: '#f59b4d',
  label: '#0d1013',
  hatch: '#0d101359',
};

/** How far a step is from grey to the end of its side. */
const STRENGTHS = [0, 0.35, 0.6, 0.85, 1] as const;

export function stepColour({ less, same, more }: DiffTheme, step: ChangeStep): string {
  return mix(same, step < 0 ? less : more, STRENGTHS[Math.abs(step)] as number);
}

/** A colour between two `#rrggbb`. */
function mix(from: string, to: string, share: number): string {
  const part = (at: number) => {
    const [a, b] = [from, to].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number];
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${part(1)}${part(3)}${part(5)}`;
}
