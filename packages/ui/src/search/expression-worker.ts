/**
 * Runs regular expressions over names on a thread of its own: an expression such as `(a+)+$` may take for ever, and only a whole thread can be stopped.
 */
import type { WorkerAnswer, WorkerRequest } from './expression-search.js';

let names: readonly string[] = [];

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<WorkerRequest>) => void) | null;
  postMessage(message: WorkerAnswer): void;
};

scope.onmessage = ({ data }) => {
  if (data.names !== undefined) names = data.names;
  const expression = new RegExp(data.source, data.flags);
  const matches = Uint8Array.from(names, (name) => (expression.test(name) ? 1 : 0));
  scope.postMessage({ id: data.id, matches });
};
