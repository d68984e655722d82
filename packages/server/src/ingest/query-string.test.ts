import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery } from './query-string.js';

test('parameters as clients write them', () => {
  assert.deepEqual([...parseQuery('')], []);
  assert.deepEqual(
    [...parseQuery('name=shop%7Bteam%3Da%2Bb%2Czone%3Deu+west%201%7D&from=1&units=&aggregationType&=x')],
    [
      ['name', 'shop{team=a+b,zone=eu west 1}'],
      ['from', '1'],
      ['units', ''],
      ['aggregationType', ''],
      ['', 'x'],
    ],
  );
});

test('of two parameters with one name the first counts', () => {
  assert.equal(parseQuery('a=1&a=2').get('a'), '1');
  assert.equal(parseQuery('%61=1&a=2').get('a'), '1');
});

test('a value may hold = and names of object members are names', () => {
  const query = parseQuery('__proto__=a=b&constructor=c');
  assert.equal(query.get('__proto__'), 'a=b');
  assert.equal(query.get('constructor'), 'c');
  assert.equal(query.get('toString'), undefined);
});

test('bytes that are no UTF-8 are refused, naming the parameter', () => {
  for (const bad of ['%FF%FE', '%C3%28', '%', '%4', '%zz', '%ED%A0%80', '%C0%80']) {
    assert.throws(() => parseQuery(`a=1&name=x${bad}`), {
      code: 'malformed_request',
      message: /^the query parameter "name" is not percent-encoded UTF-8: x%/,
    });
    assert.throws(() => parseQuery(`${bad}=1`), { code: 'malformed_request', message: /^a query parameter is not/ });
  }
});

test('at most 100 parameters', () => {
  assert.equal(parseQuery('a=1&'.repeat(99)).size, 2);
  assert.throws(() => parseQuery('a=1&'.repeat(100)), { code: 'malformed_request', message: /more than 100/ });
});

test('what is encoded is decoded', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), (drawn) => {
      const pairs = Object.entries(drawn);
      assert.deepEqual([...parseQuery(new URLSearchParams(pairs).toString())], pairs);
    }),
  );
});
