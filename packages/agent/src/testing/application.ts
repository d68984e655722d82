/** Applications for the agent to profile, as real processes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const REGISTER = new URL('../register.js', import.meta.url).href;

/** Half of them on, so that a test of a few seconds sees several windows. */
export const AGENT_ON = {
  PYROSCOPE_AGENT_ENABLED: 'true',
  PYROSCOPE_APPLICATION_NAME: 'tested',
  PYROSCOPE_UPLOAD_INTERVAL: '1s',
  // Tests are about what the agent does, not about when it rests.
  PILOTLIGHT_OVERHEAD_BUDGET: '100',
};

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
  readonly millis: number;
}

export interface RunOptions {
  readonly environment?: Record<string, string>;
  readonly arguments?: readonly string[];
  /** `cjs` or `mjs`. */
  readonly extension?: string;
  readonly nodeOptions?: readonly string[];
  /** Sent once the application has printed something. */
  readonly signal?: NodeJS.Signals;
}

/** Runs a program of the given text with the agent registered, to its end. */
export async function runApplication(text: string, options: RunOptions = {}): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'application-'));
  const file = join(folder, `application.${options.extension ?? 'mjs'}`);
  writeFileSync(file, text);
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [...(options.nodeOptions ?? ['--import', REGISTER]), file, ...(options.arguments ?? [])],
    { cwd: folder, env: { PATH: process.env['PATH'], ...options.environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let out = '';
  let err = '';
  child.stdout.on('data', (data) => {
    out += data;
    if (options.signal !== undefined) child.kill(options.signal);
  });
  child.stderr.on('data', (data) => (err += data));
  try {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (...ended) => resolve(ended));
    });
    return { code, signal, out, err, millis: performance.now() - began };
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

/**
 * Burns CPU in `hotLoop` for `millis`. It is long and its runs are short on purpose: a short one would be inlined, a long run would
 * be optimised while it is on the stack, and code of both kinds that is older than the profiler V8 shows as its caller.
 */
export const HOT = `
function hotLoop(rounds) {
  let x = 1;
  for (let i = 0; i < rounds; i++) { ${Array.from({ length: 60 }, (_, k) => `x = Math.sqrt(x * i + ${k});`).join(' ')} }
  return x;
}
function burn(millis) {
  for (const end = Date.now() + millis; Date.now() < end; ) hotLoop(500);
}
async function burnInTurns(millis) {
  for (const end = Date.now() + millis; Date.now() < end; ) {
    burn(50);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
`;
