import type { PilotlightClient } from '@pilotlight/protocol';

/** A client that answers what a test says, and fails at everything else. */
export function testClient(answers: Partial<PilotlightClient>): PilotlightClient {
  return new Proxy(answers as PilotlightClient, {
    get(target, method: keyof PilotlightClient) {
      return target[method] ?? (() => Promise.reject(new Error(`the test gives no answer to ${String(method)}`)));
    },
  });
}

/** Lets every promise that can settle do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
