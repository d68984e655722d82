import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../packages/server/dist/main.js', import.meta.url));

/** `pilotlight serve`, which profiles itself when asked to. */
const CLI = fileURLToPath(new URL('../../packages/cli/bin/pilotlight.cjs', import.meta.url));

/** Starts the server on a port of its own; resolves when it is ready. */
export async function startServer(data, env = {}, program = [MAIN]) {
  const started = performance.now();
  const child = spawn(process.execPath, program, {
    env: { ...process.env, PILOTLIGHT_DATA: data, PILOTLIGHT_LISTEN: '127.0.0.1:0', UV_THREADPOOL_SIZE: '16', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout.on('data', (text) => {
      const match = /ready on (\S+)/.exec(String(text));
      if (match) resolve(match[1]);
    });
  });
  return {
    url,
    readyMillis: performance.now() - started,
    /** CPU seconds of the process so far, all threads. */
    cpuSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    /** Resident memory now and at its most, bytes. */
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      const kib = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) * 1_024;
      return { now: kib('VmRSS'), most: kib('VmHWM') };
    },
    async stop() {
      const ended = new Promise((resolve) => child.on('exit', resolve));
      child.removeAllListeners('exit');
      child.on('exit', () => {});
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await Promise.race([gone, ended]);
    },
  };
}

/** The same, with the agent in it that profiles the server. */
export function startSelfProfilingServer(data) {
  return startServer(data, { PYROSCOPE_AGENT_ENABLED: 'true' }, [CLI, 'serve']);
}
