import type { TimeRange } from '@pilotlight/protocol';

/** What the reader asked for: the last while, which moves along with the clock, or a fixed stretch of time. Times in milliseconds. */
export type RangeChoice =
  | { readonly kind: 'last'; readonly seconds: number }
  | { readonly kind: 'fixed'; readonly start: number; readonly end: number };

export interface RangePreset {
  readonly seconds: number;
  readonly label: string;
}

export const RANGE_PRESETS: readonly RangePreset[] = [
  { seconds: 300, label: 'Last 5 minutes' },
  { seconds: 900, label: 'Last 15 minutes' },
  { seconds: 3_600, label: 'Last hour' },
  { seconds: 21_600, label: 'Last 6 hours' },
  { seconds: 86_400, label: 'Last 24 hours' },
  { seconds: 604_800, label: 'Last 7 days' },
];

export const DEFAULT_RANGE: RangeChoice = { kind: 'last', seconds: 3_600 };

/** Shorter than this, no upload falls into it for certain: agents send every ten seconds or so. */
export const RANGE_MILLIS_MIN = 1_000;
const RANGE_SECONDS_MAX = 366 * 86_400;
/** What a `Date` can hold. */
const TIME_MILLIS_MAX = 8.64e15;

const UNITS = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
]);

/** `90s`, `15m`, `6h`, `7d`; undefined when it is none of them. */
export function parseSpan(text: string): number | undefined {
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  if (match === null) return undefined;
  const seconds = Number(match[1]) * (UNITS.get(match[2] as string) as number);
  return seconds >= 1 && seconds <= RANGE_SECONDS_MAX ? seconds : undefined;
}

/** The shortest way to write a number of seconds that `parseSpan` reads. */
export function formatSpan(seconds: number): string {
  for (const [unit, size] of [...UNITS].reverse()) if (seconds % size === 0) return `${seconds / size}${unit}`;
  return `${seconds}s`;
}

/** A fixed range, or undefined when the times are none or stand the wrong way round. */
export function fixedRange(start: number, end: number): RangeChoice | undefined {
  const valid = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end <= TIME_MILLIS_MAX;
  return valid && end - start >= RANGE_MILLIS_MIN ? { kind: 'fixed', start, end } : undefined;
}

export function resolveRange(choice: RangeChoice, nowMillis: number): TimeRange {
  if (choice.kind === 'fixed') return { start: choice.start, end: choice.end };
  return { start: nowMillis - choice.seconds * 1_000, end: nowMillis };
}

/** The range seen from twice as far, around its middle and not past `nowMillis`. */
export function widerRange(range: TimeRange, nowMillis: number): RangeChoice {
  const half = range.end - range.start;
  const middle = (range.start + range.end) / 2;
  const end = Math.min(Math.ceil(middle + half), Math.max(nowMillis, range.end));
  return { kind: 'fixed', start: Math.max(0, Math.floor(end - 2 * half)), end };
}

export function describeRange(choice: RangeChoice): string {
  if (choice.kind === 'fixed') return `${formatTime(choice.start)} – ${formatTime(choice.end)}`;
  const preset = RANGE_PRESETS.find((each) => each.seconds === choice.seconds);
  return preset?.label ?? `Last ${formatSpan(choice.seconds)}`;
}

/** `2026-03-01 14:05:09` in the reader's time zone: sorts as text and is read the same everywhere. */
export function formatTime(millis: number): string {
  return localIso(millis).replace('T', ' ');
}

/** As `<input type="datetime-local">` wants it. */
export function localIso(millis: number): string {
  const date = new Date(millis);
  const two = (value: number) => String(value).padStart(2, '0');
  return (
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}` +
    `T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  );
}
