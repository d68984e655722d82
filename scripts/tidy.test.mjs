import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { RULES } from './tidy/rules.mjs';
import { readSource } from './tidy/source.mjs';
import { npmName, WALLS } from './tidy/walls.mjs';
import { tidy } from './tidy.mjs';

/** Of each rule: a path, texts it must refuse there, texts it must let pass there. */
const EXAMPLES = [
  [
    'imports',
    'packages/profile/src/a.ts',
    ["import { x } from '@pilotlight/protocol';"],
    ["import { x } from './b.js';"],
  ],
  [
    'imports',
    'packages/agent/src/a.ts',
    ["import '@pilotlight/server';", "export * from '@pilotlight/protocol';", "await import('@pilotlight/ui');"],
    [
      "import { writePprof } from '@pilotlight/profile';",
      "// import '@pilotlight/server';",
      "/*\n import '@pilotlight/ui'; */",
    ],
  ],
  ['imports', 'packages/server/src/a.ts', ["import '@pilotlight/agent/register';"], ["import '@pilotlight/protocol';"]],
  [
    'imports',
    'packages/ui/src/a.tsx',
    ["import { startServer } from '@pilotlight/server';"],
    ["import '@pilotlight/profile';"],
  ],
  [
    'imports',
    'packages/cli/src/a.ts',
    ["import '@pilotlight/ui';", "import('@pilotlight/agent/register');"],
    ["import '@pilotlight/server';", "import.meta.resolve('@pilotlight/agent/register');"],
  ],
  [
    'places',
    'packages/server/src/store/a.ts',
    ["import '../../../profile/src/model.js';"],
    ["import '../ingest/limits.js';"],
  ],
  [
    'nodeAndDom',
    'packages/profile/src/a.ts',
    [
      "import { gunzipSync } from 'node:zlib';",
      "import fs from 'fs';",
      'process.exit(1);',
      'Buffer.from(a);',
      'document.title;',
    ],
    ['// as `Buffer.from` does', "const text = 'window.open';"],
  ],
  ['nodeAndDom', 'packages/server/src/a.ts', ['window.open();'], ["import { gunzipSync } from 'node:zlib';"]],
  ['nodeAndDom', 'packages/ui/src/a.ts', ["import 'node:fs';"], ['document.title;']],
  [
    'thirdParties',
    'packages/agent/src/a.ts',
    ["import pino from 'pino';"],
    ["import { Worker } from 'node:worker_threads';"],
  ],
  [
    'thirdParties',
    'packages/profile/src/a.ts',
    ["import { create } from '@bufbuild/protobuf';", "require('long');"],
    ["import './b.js';", "Array.from('abc');"],
  ],
  [
    'storeKnowsNoHttp',
    'packages/server/src/store/a.ts',
    [
      "import type { FastifyRequest } from 'fastify';",
      "import { request } from 'node:http';",
      "import '../http/routes.js';",
    ],
    ["import { open } from 'lmdb';"],
  ],
  [
    'httpKnowsNoSql',
    'packages/server/src/http/a.ts',
    ["import { Session } from 'chdb';", "query('SELECT 1');", 'query(`INSERT INTO a`);'],
    ["import fastify from 'fastify';", '// answered by one SELECT in the store'],
  ],
  [
    'uiSpeaksThroughProtocol',
    'packages/ui/src/a.ts',
    ["await fetch('/ready');", "new EventSource('/live');"],
    ['client.fetch(query);', '// no fetch(…) here'],
  ],
  [
    'scriptsNeedNoInstall',
    'scripts/a.mjs',
    ["import fc from 'fast-check';"],
    ["import './b.mjs';", "import 'node:fs';"],
  ],
  [
    'relativeImportsEndInJs',
    'packages/ui/src/a.tsx',
    ["import { a } from './b';", "import { a } from './b.ts';", "import '.';"],
    ["import { a } from './b.js';", "import './a.css';"],
  ],
  [
    'markupFromText',
    'packages/ui/src/a.tsx',
    ['element.innerHTML = name;', '<p dangerouslySetInnerHTML={x} />', 'document.write(name);'],
    ['element.textContent = name;', '// never innerHTML'],
  ],
  [
    'everyTestRuns',
    'packages/profile/src/a.test.ts',
    ["test.only('a', f);", "describe.skip('a', f);", "test('a', { skip: true }, f);", "it.todo('a');"],
    ["test('a', { skip: reason }, f);", "test('never test.only', f);"],
  ],
  [
    'longFilesSayWhy',
    'packages/profile/src/a.ts',
    ['x;\n'.repeat(500), `// Reads JFR.\n${'x;\n'.repeat(500)}`],
    ['x;\n'.repeat(499), `// So long because the table has a row for each event.\n${'x;\n'.repeat(600)}`],
  ],
  [
    'nothingOfThisMachine',
    'docs/a.md',
    [`see ${'/work'}/docs`, `in ${'/home'}/somebody`, `from registry.${'npmjs'}.org`, `repo1.${'maven'}.org`],
    ['see docs/options.md', 'https://example.com/work/index.html', 'the npm registry'],
  ],
  ['names', 'packages/profile/src/utils/a.ts', ['x;'], []],
  ['names', 'packages/profile/src/common.ts', ['x;'], []],
  ['names', 'packages/profile/src/commonality.ts', [], ['x;']],
  [
    'manifests',
    'packages/agent/package.json',
    ['{"dependencies": {"pino": "1"}}', '{"dependencies": {"@pilotlight/server": "1"}}'],
    ['{"dependencies": {"@pilotlight/profile": "1"}}', '{"devDependencies": {"pino": "1"}}'],
  ],
  ['manifests', 'packages/new/package.json', ['{}'], []],
  ['manifests', 'packages/cli/package.json', [], ['{"dependencies": {"@pilotlight/ui": "1", "commander": "1"}}']],
];

for (const [rule, path, refused, allowed] of EXAMPLES) {
  test(`${rule} in ${path}`, () => {
    for (const text of refused) assert.notDeepEqual(faults(rule, path, text), [], `let pass: ${text.slice(0, 80)}`);
    for (const text of allowed) assert.deepEqual(faults(rule, path, text), []);
  });
}

test('each rule has an example it refuses', () => {
  const shown = new Set(EXAMPLES.filter(([, , refused]) => refused.length > 0).map(([rule]) => rule));
  assert.deepEqual(
    Object.keys(RULES).filter((rule) => !shown.has(rule)),
    [],
  );
});

test('a fault names the place and the rule', () => {
  assert.deepEqual(tidy('packages/profile/src/a.ts', "// why\n\nimport 'node:fs';\n"), [
    'packages/profile/src/a.ts:3: profile runs in browsers too and may not import node:fs (nodeAndDom)',
  ]);
});

test('written by programs: exempt', () => {
  assert.deepEqual(tidy('packages/protocol/src/gen/a.ts', "import 'node:fs';"), []);
});

test('tests may use Node', () => {
  assert.deepEqual(tidy('packages/profile/src/a.test.ts', "import 'node:fs';"), []);
});

test('the table is the one of the architecture page', () => {
  const page = readFileSync(new URL('../docs/ARCHITECTURE.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| \d +\| `(\w+)` +\|[^|]+\| ([^|]+?) +\|/gm)];
  assert.deepEqual(rows.map(([, name]) => name).sort(), Object.keys(WALLS).sort());
  for (const [, name, cell] of rows) {
    const named = Object.keys(WALLS).filter((other) => new RegExp(`\\b${other}\\b`).test(cell));
    // Of the command line the page says "floors 1 and 2, and starts `server`".
    const expected = name === 'cli' ? ['server'] : [...WALLS[name].mayImport];
    assert.deepEqual(named, expected, `${npmName(name)}: ${cell}`);
  }
});

test('comments and texts are told apart', () => {
  const source = readSource('a.ts', "const url = 'http://a/*b'; // c\nimport 'd'; /* e\n */ x;");
  assert.equal(source.code, "const url = 'http://a/*b';     \nimport 'd';     \n    x;");
  assert.equal(source.bare, 'const url =              ;     \nimport    ;     \n    x;');
  assert.deepEqual(source.imports, [{ specifier: 'd', resolveOnly: false, line: 2 }]);
});

function faults(rule, path, text) {
  return tidy(path, text).filter((fault) => fault.endsWith(`(${rule})`));
}
