import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PilotlightError } from '@pilotlight/profile';
import fc from 'fast-check';
import { parseAppName } from './app-name.js';

test('names and labels as agents write them', () => {
  const written: [string, string, Record<string, string>][] = [
    ['shop', 'shop', {}],
    ['shop{}', 'shop', {}],
    [' shop { a = b , c = d } ', 'shop', { a: 'b', c: 'd' }],
    ['my app{path=/users/{id},q=a b}', 'my app', { path: '/users/{id}', q: 'a b' }],
    ['a/b.c-d{k=v=w}', 'a/b.c-d', { k: 'v=w' }],
    ['shop{deployment.environment=test/real,team=a+b}', 'shop', { 'deployment.environment': 'test/real', team: 'a+b' }],
    ['shop{a=}', 'shop', { a: '' }],
    ['shop{a=1,}', 'shop', { a: '1' }],
    ['shop{,,a=1}', 'shop', { a: '1' }],
    ['shop{a=}}', 'shop', { a: '}' }],
    ['schön{größe=weiß☃}', 'schön', { größe: 'weiß☃' }],
    ['shop{a={b={c}}}', 'shop', { a: '{b={c}}' }],
  ];
  for (const [text, name, labels] of written) {
    const read = parseAppName(text);
    assert.equal(read.name, name, text);
    assert.deepEqual(Object.fromEntries(read.labels.map((label) => [label.name, label.value])), labels, text);
  }
});

test('what is wrong is told with its place and sign', () => {
  const wrong: [string, RegExp][] = [
    ['', /character 1: the application name is missing/],
    ['   ', /character 1: the application name is missing/],
    ['{a=1}', /character 1: the application name is missing/],
    ['app{', /character 5: the closing '}' is missing/],
    ['app{a=1', /character 8: the closing '}' is missing/],
    ['app}', /character 4: a '}' without its '{'/],
    ['app{a=1,a=2}', /character 9: the label "a" a second time/],
    ['app{a}', /character 5: a label without '=' \("a"\)/],
    ['app{a=1, b}', /character 9: a label without '=' \("b"\)/],
    ['app{=1}', /character 5: a label without a name before '='/],
    ['app{a=1}x', /the closing '}' is missing/],
  ];
  for (const [text, message] of wrong) {
    assert.throws(() => parseAppName(text), { code: 'malformed_name', message }, text);
  }
});

test('a long text is cut in the message', () => {
  assert.throws(
    () => parseAppName(`app{${'x'.repeat(100_000)}}`),
    (thrown) => thrown instanceof PilotlightError && thrown.message.length < 500,
  );
});

test('labels named like members of objects are labels', () => {
  const { labels } = parseAppName('app{__proto__=a,constructor=b,toString=c}');
  assert.deepEqual(
    labels.map(({ name, value }) => [name, value]),
    [
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['toString', 'c'],
    ],
  );
});

test('what is written is read again', () => {
  const text = (banned: RegExp) => fc.string({ maxLength: 20 }).map((drawn) => drawn.replace(banned, '').trim());
  fc.assert(
    fc.property(
      text(/[{}]/g).filter((name) => name !== ''),
      fc.uniqueArray(
        fc.record({ name: text(/[,=}]/g).filter((name) => name !== ''), value: text(/,/g) }, { noNullPrototype: true }),
        { selector: ({ name }) => name, maxLength: 6 },
      ),
      (name, labels) => {
        const pairs = labels.map((label) => `${label.name}=${label.value}`);
        assert.deepEqual(parseAppName(`${name}{${pairs.join(',')}}`), { name, labels });
      },
    ),
  );
});

test('any text is read or refused by name', () => {
  const signs = fc.constantFrom('{', '}', '=', ',', ' ', 'a', 'b', '"', '\n');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: signs })), (text) => {
      try {
        const { name, labels } = parseAppName(text);
        assert.notEqual(name, '');
        assert.equal(new Set(labels.map((label) => label.name)).size, labels.length);
      } catch (thrown) {
        assert.ok(thrown instanceof PilotlightError, String(thrown));
        assert.equal(thrown.code, 'malformed_name');
      }
    }),
    { numRuns: 500 },
  );
});
