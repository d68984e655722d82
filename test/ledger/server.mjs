/** One life of the server under test: started, killed, never left behind. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../packages/server/dist/main.js', import.meta.url));
const END_WITH_PARENT = new URL('../real/harness/end-with-parent.mjs', import.meta.url).href;
const READY = /^pilotlight is ready on (http:\S+)$/m;

export class ServerLife {
  startedAt = performance.now();
  /** What it wrote to standard error. */
  complaints = '';
  /** The exit code or the signal, once it is gone. */
  ending;
  #child;

  /**
   * @param {string} program
   * @param {Record<string, string>} environment
   */
  constructor(program, environment) {
    const { PATH, HOME } = process.env;
    this.#child = spawn(process.execPath, ['--import', END_WITH_PARENT, program], {
      env: { PATH, HOME, UV_THREADPOOL_SIZE: '16', ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.setEncoding('utf8').on('data', (text) => (this.complaints += text));
    /** Resolves when the process is gone. */
    this.gone = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve((this.ending = signal ?? code)));
    });
    /** The address, or undefined when the process ended before it was ready. */
    this.ready = new Promise((resolve) => {
      let printed = '';
      this.#child.stdout.setEncoding('utf8').on('data', (text) => {
        printed += text;
        const address = READY.exec(printed)?.[1];
        if (address !== undefined) resolve(address);
      });
      this.gone.then(() => resolve(undefined));
    });
  }

  terminate() {
    this.#child.kill('SIGTERM');
  }

  /** @returns {Promise<boolean>} Whether it was still there to be killed. */
  async kill() {
    const alive = this.ending === undefined && this.#child.exitCode === null && this.#child.signalCode === null;
    if (alive) this.#child.kill('SIGKILL');
    await this.gone;
    return this.ending === 'SIGKILL';
  }
}
