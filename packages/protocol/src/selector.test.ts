import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { formatSelector, MATCHER_OPERATORS, type Matcher, parseSelector } from './selector.js';

test('reads every operator, quoted names, all three quotes', () => {
  assert.deepEqual(parseSelector('{a="1", b.c!=\'2\' , "d e"=~`\\d+`,f!~"x\\"y\\n"}'), [
    { name: 'a', operator: '=', value: '1' },
    { name: 'b.c', operator: '!=', value: '2' },
    { name: 'd e', operator: '=~', value: '\\d+' },
    { name: 'f', operator: '!~', value: 'x"y\n' },
  ]);
  assert.deepEqual(parseSelector(' {} '), []);
  assert.deepEqual(parseSelector('{a="1",}'), [{ name: 'a', operator: '=', value: '1' }]);
});

test('says where a selector is wrong', () => {
  for (const [selector, message] of [
    ['', /character 1: expected '\{'/],
    ['{a}', /character 3: expected one of/],
    ['{a=1}', /character 4: expected a quoted value/],
    ['{a="1"', /character 7: expected ',' or '\}'/],
    ['{a="1', /closing " is missing/],
    ['{a="1"}x', /character 8: nothing may follow/],
    ['{="1"}', /character 2: expected a label name/],
    [`{a=~"${'x'.repeat(1_025)}"}`, /longer than 1024 characters/],
  ] as const) {
    assert.throws(() => parseSelector(selector), { code: 'malformed_query', message }, selector);
  }
  assert.throws(() => parseSelector(`{${' '.repeat(9_000)}}`), { code: 'query_limit' });
});

test('what is written is read again', () => {
  const matcher = fc.record(
    {
      name: fc.string({ minLength: 1, maxLength: 20 }),
      operator: fc.constantFrom(...MATCHER_OPERATORS),
      value: fc.string({ maxLength: 40 }),
    },
    { noNullPrototype: true },
  ) as fc.Arbitrary<Matcher>;
  fc.assert(
    fc.property(fc.array(matcher, { maxLength: 5 }), (matchers) => {
      assert.deepEqual(parseSelector(formatSelector(matchers)), matchers);
    }),
  );
});
