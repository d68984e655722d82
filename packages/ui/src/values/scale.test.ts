import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { columnScale, formatExact, formatScaled, formatShare, formatValue, scaleFor } from './scale.js';

/** Blanks are no-break; tests read better with plain ones. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test('a value has three significant digits and a unit', () => {
  const cases: [number, string, string][] = [
    [0, 'nanoseconds', '0 ns'],
    [7, 'nanoseconds', '7 ns'],
    [999, 'nanoseconds', '999 ns'],
    [1_234, 'nanoseconds', '1.23 µs'],
    [12_345, 'nanoseconds', '12.3 µs'],
    [123_456, 'nanoseconds', '123 µs'],
    [999_600, 'nanoseconds', '1.00 ms'],
    [59e9, 'nanoseconds', '59.0 s'],
    [90e9, 'nanoseconds', '1.50 min'],
    [5 * 3600e9, 'nanoseconds', '5.00 h'],
    [1_023, 'bytes', '1023 B'],
    [512, 'bytes', '512 B'],
    [1.5 * 1024 ** 3, 'bytes', '1.50 GiB'],
    [999, 'count', '999'],
    [1_500, 'count', '1.50 k'],
    [2_000_000, 'samples', '2.00 M'],
    [0.35, 'cores', '0.35 cores'],
    [0.016, 'cores', '0.016 cores'],
    [0.0034, 'cores', '0.0034 cores'],
    [0.00002, 'cores', '< 0.0001 cores'],
    [0.4, 'count', '0.40'],
    [12.5, 'count', '12.5'],
    [812.25, 'bytes', '812 B'],
    [1_234_567_890_123, 'count', '1.23 T'],
    [-1_234, 'nanoseconds', '−1.23 µs'],
  ];
  for (const [value, unit, expected] of cases) assert.equal(plain(formatValue(value, unit)), expected);
});

test('the cells of a column share their unit and their decimals', () => {
  const scale = scaleFor('nanoseconds', 12e9);
  assert.deepEqual(
    [12e9, 1e9, 50e6, 1, 0].map((value) => plain(formatScaled(value, scale))),
    ['12.0 s', '1.0 s', '0.1 s', '< 0.1 s', '0.0 s'],
  );
});

test('a long column keeps its small values legible', () => {
  const scale = columnScale('nanoseconds', 756e9);
  assert.deepEqual(
    [756e9, 54.2e9, 0.12e9, 1].map((value) => plain(formatScaled(value, scale))),
    ['756.00 s', '54.20 s', '0.12 s', '< 0.01 s'],
  );
  assert.equal(plain(formatScaled(1.5 * 1024 ** 3, columnScale('bytes', 1.5 * 1024 ** 3))), '1.50 GiB');
  assert.equal(formatScaled(812, columnScale('count', 812)), '812');
  assert.equal(formatScaled(12.5, columnScale('count', 812, false)), '12.50');
});

test('three digits whatever the value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (value) => {
      const [number] = plain(formatValue(value, 'nanoseconds')).split(' ') as [string];
      const digits = number.replace('.', '').length;
      // Above 999 h there is no larger unit.
      if (value < 999 * 3600e9) assert.ok(digits <= 3 && Number(number) > 0, `${value} → ${number}`);
      const shown = Number(number) * scaleFor('nanoseconds', value).divisor;
      assert.ok(Math.abs(shown - value) <= value * 0.0051, `${value} → ${number}`);
    }),
  );
});

test('a share says neither nothing nor everything when it is not', () => {
  const cases: [number, number, string][] = [
    [0, 100, '0 %'],
    [1, 0, '0 %'],
    [1, 1_000_000, '< 0.01 %'],
    [1234, 10_000, '12.34 %'],
    [99_999_999, 100_000_000, '99.99 %'],
    [5, 5, '100 %'],
  ];
  for (const [part, whole, expected] of cases) assert.equal(plain(formatShare(part, whole)), expected);
});

test('the exact value keeps every digit', () => {
  assert.equal(plain(formatExact(1_234_567, 'nanoseconds')), '1,234,567 ns');
  assert.equal(plain(formatExact(-3, 'count')), '−3');
});
