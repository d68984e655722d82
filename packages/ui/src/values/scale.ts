/**
 * How values of one unit are written: three significant digits, the unit chosen for a whole column, so that its cells compare by eye.
 */
export interface Scale {
  /** Values are divided by this. */
  readonly divisor: number;
  /** Written after the number, with its blank where there is one. */
  readonly suffix: string;
  /** Digits after the point, the same in every cell. */
  readonly decimals: number;
}

interface Step {
  readonly divisor: number;
  readonly suffix: string;
}

/** No-break: a number and its unit stay on one line. */
const BLANK = '\u00a0';

const COUNT_STEPS: readonly Step[] = [
  { divisor: 1, suffix: '' },
  { divisor: 1e3, suffix: `${BLANK}k` },
  { divisor: 1e6, suffix: `${BLANK}M` },
  { divisor: 1e9, suffix: `${BLANK}G` },
  { divisor: 1e12, suffix: `${BLANK}T` },
];

const STEPS: ReadonlyMap<string, readonly Step[]> = new Map([
  [
    'nanoseconds',
    [
      { divisor: 1, suffix: `${BLANK}ns` },
      { divisor: 1e3, suffix: `${BLANK}µs` },
      { divisor: 1e6, suffix: `${BLANK}ms` },
      { divisor: 1e9, suffix: `${BLANK}s` },
      { divisor: 60e9, suffix: `${BLANK}min` },
      { divisor: 3600e9, suffix: `${BLANK}h` },
    ],
  ],
  [
    'bytes',
    [
      { divisor: 1, suffix: `${BLANK}B` },
      { divisor: 1024, suffix: `${BLANK}KiB` },
      { divisor: 1024 ** 2, suffix: `${BLANK}MiB` },
      { divisor: 1024 ** 3, suffix: `${BLANK}GiB` },
      { divisor: 1024 ** 4, suffix: `${BLANK}TiB` },
    ],
  ],
]);

/** Units whose values come in fractions and have no smaller unit. Whole numbers of any other show no point at their smallest step. */
const FRACTIONAL = new Set(['cores', 'threads']);
/** Digits after the point that fractions get at most: a thousandth of a core is a number, a millionth is noise. */
const DECIMALS_MAX = 4;

/** The scale of a column from its unit and its largest value. An unknown unit is counted. */
export function scaleFor(unit: string, largest: number): Scale {
  const size = Math.abs(largest);
  const steps = STEPS.get(unit) ?? COUNT_STEPS;
  let step = steps[0] as Step;
  for (const next of steps) {
    // 999.6 µs would be rounded to "1000 µs": what reads as the next unit is written in it.
    if (size >= next.divisor * 0.9995) step = next;
  }
  const scaled = size / step.divisor;
  const whole = step.divisor === 1 && !FRACTIONAL.has(unit) && Number.isInteger(size);
  const decimals = whole ? 0 : decimalsFor(scaled);
  const suffix = FRACTIONAL.has(unit) && step.divisor === 1 ? `${BLANK}${unit}` : step.suffix;
  return { divisor: step.divisor, suffix, decimals };
}

/** For three significant digits, as far as that goes; at least two where there is a point at all. */
function decimalsFor(scaled: number): number {
  if (scaled >= 99.95) return 0;
  if (scaled >= 9.995) return 1;
  if (scaled >= 0.0995 || scaled === 0) return 2;
  return scaled >= 0.00995 ? 3 : DECIMALS_MAX;
}

/**
 * The scale of a table's columns: the finest unit in which the largest value stays below 1,000, so that the many small ones do not all read "< 0.01",
 * and as many decimals in each cell, so that they stand below each other. `whole`: there are no fractions of the unit itself.
 */
export function columnScale(unit: string, largest: number, whole = true): Scale {
  const steps = STEPS.get(unit) ?? COUNT_STEPS;
  const size = Math.abs(largest);
  const { divisor, suffix } = steps.find((step) => size / step.divisor < 999.995) ?? (steps[steps.length - 1] as Step);
  return { divisor, suffix, decimals: divisor === 1 && whole ? 0 : 2 };
}

/** A cell. What is not zero never reads as zero. */
export function formatScaled(value: number, scale: Scale): string {
  const scaled = value / scale.divisor;
  const text = scaled.toFixed(scale.decimals);
  if (scaled !== 0 && Number(text) === 0) {
    const smallest = (10 ** -scale.decimals).toFixed(scale.decimals);
    return `${scaled < 0 ? '>' : '<'}${BLANK}${scaled < 0 ? '−' : ''}${smallest}${scale.suffix}`;
  }
  return `${text.replace('-', '−')}${scale.suffix}`;
}

/** A value that stands alone. */
export function formatValue(value: number, unit: string): string {
  return formatScaled(value, scaleFor(unit, value));
}

const EXACT_SUFFIXES = new Map([
  ['nanoseconds', 'ns'],
  ['bytes', 'B'],
  ['count', ''],
]);

/** All digits, in the unit the profile came in: for tooltips and copies. */
export function formatExact(value: number, unit: string): string {
  const digits = value.toLocaleString('en-US', { maximumFractionDigits: 3 }).replace('-', '−');
  const suffix = EXACT_SUFFIXES.get(unit) ?? unit;
  return suffix === '' ? digits : `${digits}${BLANK}${suffix}`;
}

/** A share in percent with two decimals. What is not nothing never reads as nothing, what is not all never as all. */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return `0${BLANK}%`;
  const percent = (part / whole) * 100;
  if (percent < 0.01) return `<${BLANK}0.01${BLANK}%`;
  if (percent < 100 && percent >= 99.995) return `99.99${BLANK}%`;
  return `${percent === 100 ? '100' : percent.toFixed(2)}${BLANK}%`;
}
