import { InvalidArgumentError } from 'commander';

const UNIT_MILLIS = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

export const TIME_SYNTAX = 'now, now-1h (s, m, h, d), 2026-11-30T18:00Z, or seconds since 1970';

/**
 * Reads a point in time as people type it.
 *
 * @returns Milliseconds since the epoch.
 * @throws InvalidArgumentError which commander shows with the option's name.
 */
export function parseTime(text: string, nowMillis: number = Date.now()): number {
  const relative = /^now(?:-(\d{1,6})([smhd]))?$/.exec(text);
  if (relative !== null) return nowMillis - Number(relative[1] ?? 0) * (UNIT_MILLIS.get(relative[2] ?? 's') as number);
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000;
  const millis = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(millis)) throw new InvalidArgumentError(`It is none of: ${TIME_SYNTAX}.`);
  return millis;
}
