/**
 * `npm start`: the set-up, then `pilotlight serve` in this same process, so that signals and the exit code are its own.
 *
 * CommonJS, because libuv reads the size of its thread pool once, when the first task is queued, and loading an ES module
 * queues one. The engine holds a thread of that pool for each query it runs.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';

import('./setup.mjs').then(({ setUp }) => {
  setUp();
  process.argv.splice(2, 0, 'serve');
  require('../packages/cli/bin/pilotlight.cjs');
});
