/** The server as users run it: a process of its own, on a free port, with a data folder that goes when the test is over. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@pilotlight/protocol';
import { start } from '../real/harness/processes.mjs';

const MAIN = fileURLToPath(new URL('../../packages/server/dist/main.js', import.meta.url));
const END_WITH_PARENT = new URL('../real/harness/end-with-parent.mjs', import.meta.url).href;
const READY = /^pilotlight is ready on (http:\S+)$/m;

/**
 * @typedef {object} ServerProcess
 * @property {string} url For example `http://127.0.0.1:40123`; another one after `restart`.
 * @property {number} pid
 * @property {string} folder The data folder.
 * @property {import('@pilotlight/protocol').PilotlightClient} client
 * @property {() => string} printed Standard output and standard error of the process that runs now.
 * @property {(signal: NodeJS.Signals) => Promise<number | null>} kill Sends the signal and waits for the end; the exit code, null
 *   when the signal ended it.
 * @property {() => Promise<void>} restart Starts it again on the same folder; `kill` comes first.
 * @property {() => { rss: number, peak: number } | undefined} memory Bytes; undefined where /proc does not tell.
 */

/**
 * Starts a server and waits for its ready line.
 *
 * @param {import('node:test').TestContext} t The server and its folder end with this test.
 * @param {{ environment?: Record<string, string>, folder?: string, token?: string }} [options] `environment`: further PILOTLIGHT_…
 *   variables. `folder`: instead of a new one; it stays. `token`: what the client sends.
 * @returns {Promise<ServerProcess>}
 */
export async function startServer(t, { environment = {}, folder, token } = {}) {
  const data = folder ?? mkdtempSync(join(tmpdir(), 'pilotlight-server-'));
  let running;
  // Hooks run in the order they were registered: the process must be gone before its folder is.
  t.after(async () => {
    if (running?.child.exitCode === null) running.child.kill('SIGKILL');
    await running?.ended;
    if (folder === undefined) rmSync(data, { recursive: true, force: true });
  });
  const server = {
    url: '',
    folder: data,
    printed: () => running.printed(),
    get pid() {
      return running.child.pid;
    },
    get client() {
      return createClient({ baseUrl: this.url, ...(token === undefined ? {} : { token }) });
    },
    async kill(signal) {
      running.child.kill(signal);
      await running.ended;
      return running.child.exitCode;
    },
    async restart() {
      running = runServer(t, { PILOTLIGHT_DATA: data, ...environment });
      this.url = await running.ready;
    },
    memory: () => memoryOf(running.child.pid),
  };
  await server.restart();
  return server;
}

/**
 * A server that may well refuse to start: its exit code and what it printed come back when it has ended.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} environment
 * @returns {Promise<{ code: number | null, printed: string }>}
 */
export async function startRefused(t, environment) {
  const running = runServer(t, environment);
  const url = await running.ready.catch(() => undefined);
  if (url !== undefined) throw new Error(`the server started: ${running.printed()}`);
  await running.ended;
  return { code: running.child.exitCode, printed: running.printed() };
}

/** A folder that is removed when the test is over. */
export function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'pilotlight-server-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function runServer(t, environment) {
  const running = start(t, {
    command: process.execPath,
    args: ['--import', END_WITH_PARENT, MAIN],
    environment: { PILOTLIGHT_LISTEN: '127.0.0.1:0', UV_THREADPOOL_SIZE: '16', ...environment },
  });
  const ready = new Promise((resolve, reject) => {
    running.child.stdout.on('data', () => {
      const match = READY.exec(running.printed());
      if (match !== null) resolve(match[1]);
    });
    running.ended.then(() => reject(new Error(`the server did not start: ${running.printed()}`)));
  });
  ready.catch(() => {
    // Whoever asks for it is told; nobody asks for one that was killed on purpose.
  });
  return { ...running, ready };
}

function memoryOf(pid) {
  if (process.platform !== 'linux') return undefined;
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const bytes = (name) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)[1]);
  return { rss: bytes('VmRSS'), peak: bytes('VmHWM') };
}
