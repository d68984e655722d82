import { ExpressionSearch } from './expression-search.js';

/** A search with a thread of its own, which starts with the first expression. */
export function startSearch(): ExpressionSearch {
  return new ExpressionSearch(() => new Worker(new URL('./expression-worker.ts', import.meta.url), { type: 'module' }));
}
