/** `node scripts/run.cjs FILE ARG…`: the set-up, then a program of this repository (ledger, bench, fuzz). See start.cjs on CommonJS. */
process.env.UV_THREADPOOL_SIZE ??= '16';

const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');

import('./setup.mjs').then(({ ROOT, setUp }) => {
  setUp();
  const program = resolve(ROOT, process.argv[2]);
  process.argv.splice(1, 2, program);
  return import(pathToFileURL(program));
});
