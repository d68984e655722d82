import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MATCHER_OPERATORS } from '@pilotlight/protocol';
import fc from 'fast-check';
import { readAddress, writeAddress } from './address.js';
import {
  INITIAL_VIEW,
  ORIENTATIONS,
  PAGES,
  PANES,
  SORT_COLUMNS,
  TRANSFORM_KINDS,
  type ViewState,
} from './view-state.js';

/** Any text without halves of characters: an address holds UTF-8. */
const anyText = fc.string({ unit: 'binary', maxLength: 30 });
const plainObject = { noNullPrototype: true };
const frame = fc.record({ pathId: fc.integer({ min: 1, max: 2 ** 52 - 1 }), name: anyText }, plainObject);

const views: fc.Arbitrary<ViewState> = fc.record(
  {
    service: anyText,
    profileType: anyText,
    labels: fc.array(
      fc.record(
        {
          name: fc.oneof(anyText, fc.constantFrom('pod', 'a=b', 'a~', '%3d', '!x')).filter((name) => name !== ''),
          operator: fc.constantFrom(...MATCHER_OPERATORS),
          value: fc.oneof(anyText, fc.constantFrom('~x', '%7ex', '=~', '!=')),
        },
        plainObject,
      ),
      { maxLength: 4 },
    ),
    range: fc.oneof(
      fc.record(
        { kind: fc.constant('last' as const), seconds: fc.integer({ min: 1, max: 366 * 86_400 }) },
        plainObject,
      ),
      fc.tuple(fc.nat(2 ** 40), fc.integer({ min: 1_000, max: 2 ** 40 })).map(([start, length]) => ({
        kind: 'fixed' as const,
        start,
        end: start + length,
      })),
    ),
    refreshSeconds: fc.nat(99_999),
    search: anyText,
    frame: fc.option(frame, { nil: undefined }),
    zoom: fc.option(frame, { nil: undefined }),
    sort: fc.record({ column: fc.constantFrom(...SORT_COLUMNS), descending: fc.boolean() }, plainObject),
    panes: fc.constantFrom(...PANES),
    compare: fc
      .array(fc.tuple(fc.constantFrom('compare', 'compare.label', 'compare.by'), anyText), { maxLength: 3 })
      .map((parameters) => new URLSearchParams(parameters).toString()),
    page: fc.constantFrom(...PAGES),
    orientation: fc.constantFrom(...ORIENTATIONS),
    sandwich: anyText,
    transforms: fc.array(fc.record({ kind: fc.constantFrom(...TRANSFORM_KINDS), name: anyText }, plainObject), {
      maxLength: 3,
    }),
  },
  plainObject,
);

test('a view survives its address', () => {
  fc.assert(fc.property(views, (view) => assert.deepEqual(readAddress(writeAddress(view)), view)));
});

test('the view one starts with has an empty address', () => {
  assert.equal(writeAddress(INITIAL_VIEW), '');
  assert.deepEqual(readAddress(''), INITIAL_VIEW);
});

test('any address is a view, and writing what was read changes nothing any more', () => {
  const parameter = fc.constantFrom(
    'service',
    'type',
    'label',
    'last',
    'from',
    'until',
    'refresh',
    'frame',
    'zoom',
    'sort',
    'x',
  );
  const query = fc.array(fc.tuple(parameter, anyText)).map((pairs) => new URLSearchParams(pairs).toString());
  fc.assert(
    fc.property(fc.oneof(anyText, query), (text) => {
      const view = readAddress(text);
      assert.deepEqual(readAddress(writeAddress(view)), view);
    }),
  );
});

test('what makes no sense is as if absent', () => {
  const nonsense = 'last=1y&from=9&until=3&refresh=-1&frame=zz&zoom=&sort=-x&panes=all&label==x&label=y';
  assert.deepEqual(readAddress(nonsense), INITIAL_VIEW);
});

test('an address reads well', () => {
  const view: ViewState = {
    ...INITIAL_VIEW,
    service: 'shop',
    labels: [{ name: 'pod', operator: '=', value: 'shop-1' }],
    range: { kind: 'last', seconds: 900 },
    sort: { column: 'total', descending: true },
  };
  assert.equal(writeAddress(view), 'service=shop&label=pod%3Dshop-1&last=15m&sort=-total');
});
