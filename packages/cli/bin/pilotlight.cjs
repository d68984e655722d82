#!/usr/bin/env node
/**
 * The program. CommonJS, because libuv reads the size of its thread pool once, when the first task is queued, and loading an
 * ES module queues one (measured on Node 20: set here it holds, set in an ES module it does not). The engine holds a thread
 * of that pool for each query it runs.
 */
process.env.UV_THREADPOOL_SIZE ??= '16';

import('../dist/main.js').then(({ main }) => main(process.argv));
