import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  describeRange,
  fixedRange,
  formatSpan,
  formatTime,
  parseSpan,
  resolveRange,
  widerRange,
} from './time-range.js';

test('a span survives its text', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 366 * 86_400 }), (seconds) =>
      assert.equal(parseSpan(formatSpan(seconds)), seconds),
    ),
  );
  assert.deepEqual([300, 3_600, 604_800, 90].map(formatSpan), ['5m', '1h', '7d', '90s']);
  for (const text of ['', '0s', '5', 'm', '1y', '-5m', '999999999d']) assert.equal(parseSpan(text), undefined, text);
});

test('the last hour moves along, a fixed range stays', () => {
  assert.deepEqual(resolveRange({ kind: 'last', seconds: 3_600 }, 10_000_000), { start: 6_400_000, end: 10_000_000 });
  assert.deepEqual(resolveRange({ kind: 'fixed', start: 5_000, end: 9_000 }, 10_000_000), { start: 5_000, end: 9_000 });
});

test('a range the wrong way round, too short or beyond time is none', () => {
  assert.equal(fixedRange(2_000, 1_000), undefined);
  assert.equal(fixedRange(1_000, 1_500), undefined);
  assert.equal(fixedRange(Number.NaN, 5_000), undefined);
  assert.equal(fixedRange(0, 9e15), undefined);
});

test('a wider range holds the narrow one, is twice as long and does not reach into the future', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10_000, max: 1e12 }),
      fc.integer({ min: 1_000, max: 9_000 }),
      fc.nat(1e9),
      (start, length, later) => {
        const end = start + length;
        const wide = resolveRange(widerRange({ start, end }, end + later), 0);
        assert.ok(wide.start <= start && wide.end >= end && wide.end <= end + later + 1);
        assert.ok(Math.abs(wide.end - wide.start - 2 * length) <= 2);
      },
    ),
  );
});

test('times and ranges in words', () => {
  const millis = new Date(2026, 2, 1, 14, 5, 9).getTime();
  assert.equal(formatTime(millis), '2026-03-01 14:05:09');
  assert.equal(describeRange({ kind: 'last', seconds: 900 }), 'Last 15 minutes');
  assert.equal(describeRange({ kind: 'last', seconds: 90 }), 'Last 90s');
  assert.match(describeRange({ kind: 'fixed', start: millis, end: millis + 60_000 }), /14:05:09 – .*14:06:09/);
});
