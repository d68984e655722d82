import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MATCHER_OPERATORS } from '@pilotlight/protocol';
import fc from 'fast-check';
import { beginComparison, readAddress, writeAddress } from '../view/address.js';
import { INITIAL_VIEW } from '../view/view-state.js';
import {
  BASES,
  type BaselineRange,
  CHANGE_COLUMNS,
  type Comparison,
  describeBaseline,
  INITIAL_COMPARISON,
  readComparison,
  resolveBaseline,
  swapSides,
  timelineWindows,
  writeComparison,
} from './comparison.js';

const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const plainObject = { noNullPrototype: true };
const anyText = fc.string({ unit: 'binary', maxLength: 30 });
const seconds = fc.integer({ min: 1, max: 30 * 86_400 });
const ranges: fc.Arbitrary<BaselineRange> = fc.oneof(
  fc.record({ kind: fc.constant('before' as const), seconds: fc.constantFrom(undefined, 0) }, plainObject),
  fc.record({ kind: fc.constant('before' as const), seconds }, plainObject),
  fc.record({ kind: fc.constant('last' as const), seconds }, plainObject),
  fc
    .tuple(fc.integer({ min: 0, max: 2 ** 45 }), fc.integer({ min: 1_000, max: 2 ** 40 }))
    .map(([start, length]) => ({ kind: 'fixed' as const, start, end: start + length })),
);
const comparisons: fc.Arbitrary<Comparison> = fc.record(
  {
    range: ranges,
    service: anyText,
    labels: fc.array(
      fc.record(
        {
          name: fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
          operator: fc.constantFrom(...MATCHER_OPERATORS),
          value: anyText,
        },
        plainObject,
      ),
      { maxLength: 3 },
    ),
    basis: fc.constantFrom(...BASES),
    of: fc.constantFrom('total', 'self'),
    sort: fc.record({ column: fc.constantFrom(...CHANGE_COLUMNS), descending: fc.boolean() }, plainObject),
  },
  plainObject,
);

test('an address holds all of a comparison', () => {
  fc.assert(
    fc.property(comparisons, (comparison) => {
      const address = writeAddress({ ...INITIAL_VIEW, compare: writeComparison(comparison) });
      assert.deepEqual(readComparison(readAddress(address).compare), comparison);
    }),
  );
});

test('what makes no sense in an address is as if absent', () => {
  for (const query of ['compare=', 'compare=1h', 'compare=5-3', 'compare=last-', 'compare=--before', 'compare.by=x']) {
    assert.deepEqual(readComparison(query), INITIAL_COMPARISON, query);
  }
  fc.assert(fc.property(fc.string(), (text) => void readComparison(text)));
});

test('a comparison begins with the same labels, just before', () => {
  const labels = [{ name: 'pod', operator: '=~', value: 'a.*' }] as const;
  assert.deepEqual(readComparison(beginComparison(labels)), { ...INITIAL_COMPARISON, labels });
});

test('a baseline is counted from the other side, or stands for itself', () => {
  const right = { start: NOW - HOUR, end: NOW };
  const before = (shift: number | undefined) => resolveBaseline({ kind: 'before', seconds: shift }, right, NOW);
  assert.deepEqual(before(undefined), { start: NOW - 2 * HOUR, end: NOW - HOUR });
  assert.deepEqual(before(86_400), { start: NOW - 25 * HOUR, end: NOW - 24 * HOUR });
  assert.deepEqual(before(0), right);
  assert.deepEqual(resolveBaseline({ kind: 'last', seconds: 60 }, right, NOW), { start: NOW - 60_000, end: NOW });
  const { start, end } = resolveBaseline({ kind: 'fixed', start: 1_000, end: 5_000 }, right, NOW);
  assert.deepEqual([start, end], [1_000, 5_000]);
});

test('ranges are called what they are', () => {
  assert.equal(describeBaseline({ kind: 'before', seconds: undefined }), 'Just before B');
  assert.equal(describeBaseline({ kind: 'before', seconds: 86_400 }), 'A day before B, same time');
  assert.equal(describeBaseline({ kind: 'before', seconds: 7_200 }), '2h before B');
  assert.equal(describeBaseline({ kind: 'last', seconds: 900 }), 'Last 15 minutes');
});

test('sides that are swapped twice are as they were; a time counted from the other side becomes that time', () => {
  const label = (value: string) => [{ name: 'pod', operator: '=' as const, value }];
  const left = { start: NOW - 2 * HOUR, end: NOW - HOUR };
  const sides = {
    range: { kind: 'last' as const, seconds: 3_600 },
    service: 'shop',
    labels: label('b'),
    comparison: { ...INITIAL_COMPARISON, service: 'till', labels: label('a') },
  };
  const once = swapSides(sides, left);
  assert.deepEqual(once.range, { kind: 'fixed', ...left });
  assert.deepEqual(once.comparison.range, sides.range);
  assert.deepEqual([once.service, once.comparison.service], ['till', 'shop']);
  assert.deepEqual([once.labels, once.comparison.labels], [label('a'), label('b')]);
  const twice = swapSides(once, { start: NOW - HOUR, end: NOW });
  assert.deepEqual(twice, { ...sides, comparison: { ...sides.comparison, range: { kind: 'fixed', ...left } } });
});

test('labels compared at the same time stay at the same time when they are swapped', () => {
  const range = { kind: 'last' as const, seconds: 3_600 };
  const comparison = { ...INITIAL_COMPARISON, range: { kind: 'before' as const, seconds: 0 } };
  const swapped = swapSides({ range, service: 'shop', labels: [], comparison }, { start: NOW - HOUR, end: NOW });
  assert.deepEqual([swapped.range, swapped.comparison.range], [range, comparison.range]);
});

test('timelines of near ranges show the same time, those of far ones their own, none the future', () => {
  const right = { start: NOW - HOUR, end: NOW };
  const near = timelineWindows({ start: NOW - 2 * HOUR, end: NOW - HOUR }, right, NOW);
  assert.deepEqual(near[0], { start: NOW - 2.5 * HOUR, end: NOW });
  assert.deepEqual(near[0], near[1]);
  const far = timelineWindows({ start: NOW - 25 * HOUR, end: NOW - 24 * HOUR }, right, NOW);
  assert.deepEqual(far, [
    { start: NOW - 25.5 * HOUR, end: NOW - 23.5 * HOUR },
    { start: NOW - 1.5 * HOUR, end: NOW },
  ]);
});
