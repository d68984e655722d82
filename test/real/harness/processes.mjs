/** Child processes of a test: none outlives it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';

const running = new Set();

// A test that is cut off runs no `after`: its children end with this process. Each program also ends by itself in time.
process.on('exit', () => {
  for (const child of running) kill(child);
});

/**
 * Starts a program in a process group of its own and kills the group when the test is over.
 *
 * @param {import('node:test').TestContext} t
 * @param {{ command: string, args: string[], cwd?: string, environment: Record<string, string> }} program Of this process's
 *   environment it sees only PATH, HOME and the temporary folder: a developer's own PYROSCOPE_… must not reach it.
 */
export function start(t, { command, args, cwd, environment }) {
  const { PATH, HOME } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: { PATH, HOME, TMPDIR: tmpdir(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const ended = new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', (error) => resolve((printed += error.message)));
  }).finally(() => running.delete(child));
  t.after(async () => {
    kill(child);
    await ended;
  });
  return { child, ended, printed: () => printed };
}

/** CPU time a process has used, in seconds; undefined where /proc does not tell. */
export function cpuSeconds(pid) {
  if (process.platform !== 'linux') return undefined;
  // The name of the program, in parentheses, may hold spaces; utime and stime are the 12th and 13th fields after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  const TICKS_PER_SECOND = 100;
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function kill(child) {
  try {
    process.kill(-child.pid, constants.signals.SIGKILL);
  } catch {
    // The whole group has ended already.
  }
}
