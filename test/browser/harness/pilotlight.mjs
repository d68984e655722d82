/** The real server with the built page, as a process of its own with a data folder of its own, and ways to send it profiles. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCollapsed, writePprof } from '@pilotlight/profile';
import { siteDirectory } from '@pilotlight/ui';
import { start } from '../../real/harness/processes.mjs';

const MAIN = fileURLToPath(new URL('../../../packages/server/dist/main.js', import.meta.url));
const READY = /^pilotlight is ready on (http:\S+)$/m;

/**
 * Starts a server on a free port of the loopback address.
 *
 * @param {{ after: (end: () => unknown) => void }} owner A test, or a file scope: the server ends with it.
 * @returns {Promise<string>} Its address.
 */
export async function startPilotlight(owner) {
  const data = mkdtempSync(join(tmpdir(), 'pilotlight-page-'));
  const environment = {
    PILOTLIGHT_LISTEN: '127.0.0.1:0',
    PILOTLIGHT_DATA: data,
    PILOTLIGHT_SITE: siteDirectory,
    UV_THREADPOOL_SIZE: '8',
  };
  const server = start(owner, { command: process.execPath, args: [MAIN], environment });
  owner.after(() => rmSync(data, { recursive: true, force: true }));
  return new Promise((resolve, reject) => {
    server.child.stdout.on('data', () => {
      const match = READY.exec(server.printed());
      if (match !== null) resolve(match[1]);
    });
    server.ended.then(() => reject(new Error(`the server did not start: ${server.printed()}`)));
  });
}

/**
 * Sends stacks as people write them, `main;work 7`, each count 10 ms of CPU.
 *
 * @param {string} name `service{pod=a}`
 * @param {{ secondsAgo?: number, seconds?: number }} [options] When it began, and how long it took.
 */
export async function pushCollapsed(address, name, lines, { secondsAgo = 60, seconds = 10 } = {}) {
  const from = Math.floor(Date.now() / 1000) - secondsAgo;
  const query = new URLSearchParams({ name, format: 'collapsed', from, until: from + seconds, sampleRate: '100' });
  const response = await fetch(`${address}/ingest?${query}`, { method: 'POST', body: lines.join('\n') });
  if (!response.ok) throw new Error(`the server refused ${name}: ${await response.text()}`);
}

/** Sends the same by the other door, which takes any text for a label. Returns the answer. */
export function pushLabelled(address, labels, lines) {
  const reading = readCollapsed(new TextEncoder().encode(lines.join('\n')), {
    sampleType: { type: 'cpu', unit: 'nanoseconds' },
  });
  const rawProfile = Buffer.from(writePprof(reading.profiles[0].profile)).toString('base64');
  const all = { __name__: 'process_cpu', ...labels };
  const series = [{ labels: Object.entries(all).map(([name, value]) => ({ name, value })), samples: [{ rawProfile }] }];
  return fetch(`${address}/push.v1.PusherService/Push`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ series }),
  });
}
