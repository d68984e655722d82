import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseFunctionName } from './function-name.js';
import { columnsOf, Labels, labelSteps } from './label.js';
import { cutMiddle, printable } from './printable.js';

test('the parts of a name in each language', () => {
  const cases: [string, string, string, string, string][] = [
    ['org.apache.cassandra.db.ReadCommand.execute', 'jvm', 'org.apache.cassandra.db', 'ReadCommand', 'execute'],
    ['org/apache/cassandra/db/ReadCommand.execute', 'jvm', 'org.apache.cassandra.db', 'ReadCommand', 'execute'],
    ['java.util.Map$Entry.<init>', 'jvm', 'java.util', 'Map$Entry', '<init>'],
    ['Main.main', 'jvm', '', 'Main', 'main'],
    ['github.com/a/b.(*Registry).Gather.func1', 'go', 'github.com/a/b', '(*Registry)', 'Gather.func1'],
    ['net/http.HandlerFunc.ServeHTTP', 'go', 'net/http', 'HandlerFunc', 'ServeHTTP'],
    ['runtime.mallocgc', 'go', 'runtime', '', 'mallocgc'],
    ['query /app/node_modules/pg/lib/client.js:12', 'javascript', 'pg', 'client.js:12', 'query'],
    ['run /app/node_modules/@a/b/x.js:1:2', 'javascript', '@a/b', 'x.js:1:2', 'run'],
    ['/app/src/index.js:7', 'javascript', '/app/src', 'index.js:7', ''],
    ['readFile node:fs:12', 'javascript', 'node', 'node:fs:12', 'readFile'],
    ['/app/shop/views.py render', 'script', '/app/shop', 'views.py', 'render'],
    ['std::map<a::b, c>::insert(int, x::y)', 'native', 'std', 'map<a::b, c>', 'insert(int, x::y)'],
    ['a::B<(x::Y)1>::run<int>(z::Z)', 'native', 'a', 'B<(x::Y)1>', 'run<int>(z::Z)'],
    ['libjvm.so.Compile::Optimize', 'native', 'libjvm.so', 'Compile', 'Optimize'],
    ['libc.so.6.__GI_write', 'native', 'libc.so.6', '', '__GI_write'],
    ['__libc_start_main', 'plain', '', '', '__libc_start_main'],
    ['(garbage collector)', 'plain', '', '', '(garbage collector)'],
    ['', 'plain', '', '', ''],
  ];
  for (const [name, language, pack, owner, method] of cases) {
    assert.deepEqual(parseFunctionName(name), { language, package: pack, owner, method }, name);
  }
});

test('labels step down by the package first and the method last', () => {
  assert.deepEqual(labelSteps('org.apache.cassandra.db.ReadCommand.execute'), [
    'org.apache.cassandra.db.ReadCommand.execute',
    'o.a.c.db.ReadCommand.execute',
    'ReadCommand.execute',
    'execute',
  ]);
  assert.deepEqual(labelSteps('github.com/a/b.(*T).Run'), ['github.com/a/b.(*T).Run', 'b.(*T).Run', '(*T).Run', 'Run']);
  assert.deepEqual(labelSteps('query /app/node_modules/pg/lib/client.js:12'), [
    'query /app/node_modules/pg/lib/client.js:12',
    'query pg/client.js:12',
    'query client.js:12',
    'query client.js',
    'query',
  ]);
  assert.deepEqual(labelSteps('a::B<(x::Y)1>::run<int>(z::Z)'), [
    'a::B<(x::Y)1>::run<int>(z::Z)',
    'B<(x::Y)1>::run<int>(z::Z)',
    'run<int>(z::Z)',
    'run',
  ]);
  assert.deepEqual(labelSteps('/app/src/index.js:7'), ['/app/src/index.js:7', 'src/index.js:7', 'index.js:7']);
  assert.deepEqual(labelSteps('/app/shop/views.py render'), [
    '/app/shop/views.py render',
    'shop/views.py render',
    'views.py render',
    'render',
  ]);
});

test('a label never takes more columns than there are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (name, columns) => {
      assert.ok(columnsOf(new Labels([name]).fit(0, columns)) <= columns);
    }),
  );
});

test('what is left of a method is cut in the middle', () => {
  const labels = new Labels(['a.b.C.readSomething']);
  assert.equal(labels.fit(0, 19), 'a.b.C.readSomething');
  assert.equal(labels.fit(0, 15), 'C.readSomething');
  assert.equal(labels.fit(0, 13), 'readSomething');
  assert.equal(labels.fit(0, 9), 'read…hing');
  assert.equal(labels.fit(0, 3), '');
});

test('a cut never splits a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 30 }),
      (text, max) => {
        const cut = cutMiddle(text, max);
        assert.doesNotThrow(() => encodeURIComponent(cut));
        assert.ok(cut.length <= Math.max(max, 1));
      },
    ),
  );
});

test('signs that hide or turn text are shown as replacements', () => {
  assert.equal(printable('a\u202eb\u0000c\nd'), 'a\ufffdb\ufffdc\ufffdd');
  assert.equal(printable('plain é 漢'), 'plain é 漢');
});
