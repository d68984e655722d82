/** The server under test, as a process of its own with a data folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@pilotlight/protocol';
import { start } from './processes.mjs';

const MAIN = fileURLToPath(new URL('../../../packages/server/dist/main.js', import.meta.url));
const END_WITH_PARENT = new URL('end-with-parent.mjs', import.meta.url).href;
const READY = /^pilotlight is ready on (http:\S+)$/m;

/**
 * Starts a server on a free port of the loopback address.
 *
 * @param {import('node:test').TestContext} t The server ends with this test.
 * @returns {Promise<{ address: string, client: import('@pilotlight/protocol').PilotlightClient }>}
 */
export async function startPilotlight(t) {
  const data = mkdtempSync(join(tmpdir(), 'pilotlight-real-'));
  const server = start(t, {
    command: process.execPath,
    args: ['--import', END_WITH_PARENT, MAIN],
    environment: { PILOTLIGHT_LISTEN: '127.0.0.1:0', PILOTLIGHT_DATA: data, UV_THREADPOOL_SIZE: '16' },
  });
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const address = await new Promise((resolve, reject) => {
    server.child.stdout.on('data', () => {
      const match = READY.exec(server.printed());
      if (match !== null) resolve(match[1]);
    });
    server.ended.then(() => reject(new Error(`the server did not start: ${server.printed()}`)));
  });
  return { address, client: createClient({ baseUrl: address }) };
}
