interface Step {
  readonly size: number;
  readonly suffix: string;
}

const COUNTS: readonly Step[] = [
  { size: 1, suffix: '' },
  { size: 1e3, suffix: ' k' },
  { size: 1e6, suffix: ' M' },
  { size: 1e9, suffix: ' G' },
];
const STEPS = new Map<string, readonly Step[]>([
  [
    'nanoseconds',
    [
      { size: 1, suffix: ' ns' },
      { size: 1e3, suffix: ' µs' },
      { size: 1e6, suffix: ' ms' },
      { size: 1e9, suffix: ' s' },
      { size: 60e9, suffix: ' min' },
      { size: 3600e9, suffix: ' h' },
    ],
  ],
  [
    'bytes',
    [
      { size: 1, suffix: ' B' },
      { size: 2 ** 10, suffix: ' KiB' },
      { size: 2 ** 20, suffix: ' MiB' },
      { size: 2 ** 30, suffix: ' GiB' },
      { size: 2 ** 40, suffix: ' TiB' },
    ],
  ],
]);

/** A value in the largest unit it has one of, with three significant digits: `1.30 s`, `12 MiB`. What has no unit is counted. */
export function valueText(value: number, unit: string): string {
  const steps = STEPS.get(unit) ?? COUNTS;
  // 999.6 ms would be rounded to "1000 ms": what reads as the next unit is written in it.
  const { size, suffix } = steps.findLast((step) => value >= step.size * 0.9995) ?? (steps[0] as Step);
  const scaled = value / size;
  const digits = size === 1 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  return `${scaled.toFixed(digits)}${suffix}`;
}
