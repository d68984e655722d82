/** The agent's part on the main thread: spawn the worker, and let it go when the process ends. Everything else is the worker's. */
import { isMainThread, Worker } from 'node:worker_threads';
import { type AgentConfiguration, configurationFrom } from './configuration.js';
import { EXIT_GATE_BYTES, ExitGate } from './exit-gate.js';
import { writeLine } from './log.js';

export interface WorkerData {
  readonly configuration: AgentConfiguration;
  readonly exitGate: SharedArrayBuffer;
  readonly workingDirectory: string;
}

/** How long the process may be held on its way out: for the session, and then for the last window. */
const SESSION_CLOSE_MILLIS_MAX = 250;
const LAST_WINDOW_MILLIS_MAX = 500;
/** Far above what the agent needs: should it ever leak, it does not eat what the application has. */
const WORKER_HEAP_MEGABYTES_MAX = 256;

/** Starts the agent if the environment asks for it, once for a process. Prints at most one line and never throws. */
export function startAgent(environment: NodeJS.ProcessEnv): void {
  // `--import` is inherited by the application's workers; the agent profiles the main thread.
  if (!isMainThread) return;
  const { configuration, problems } = configurationFrom(environment);
  if (configuration === undefined) {
    if (problems.length > 0) writeLine(`profiling is off: ${problems.join('; ')}`);
    return;
  }
  if (problems.length > 0 && configuration.logLevel !== 'error') writeLine(`defaults are used: ${problems.join('; ')}`);
  if (!isInspectorAllowed()) {
    writeLine('profiling is off: the permission model is on and does not allow the inspector');
    return;
  }
  try {
    spawnWorker(configuration);
  } catch (error) {
    // For example under --permission without --allow-worker.
    writeLine(`profiling is off: ${(error as Error).message}`);
  }
}

/** Without this, connecting from a worker does not throw under the permission model: it aborts the process (Node 20.20). */
function isInspectorAllowed(): boolean {
  const { permission } = process as { permission?: { has(scope: string): boolean } };
  return permission?.has('inspector') ?? true;
}

function spawnWorker(configuration: AgentConfiguration): void {
  const exitGate = new SharedArrayBuffer(EXIT_GATE_BYTES);
  const workerData: WorkerData = { configuration, exitGate, workingDirectory: process.cwd() };
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    name: 'pilotlight-agent',
    workerData,
    // Neither the application's --import (this module again) nor its environment, which may hold secrets, is for the worker.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MEGABYTES_MAX },
  });
  worker.on('error', (error) => writeLine(`profiling has ended: ${error.message}`));

  const gate = new ExitGate(exitGate);
  // Nobody is left to answer.
  worker.once('exit', () => gate.detach());
  worker.unref();

  // The application may add as many listeners as before without being warned.
  if (process.getMaxListeners() > 0) process.setMaxListeners(process.getMaxListeners() + 1);
  process.once('exit', () => {
    if (!gate.exit()) return;
    worker.postMessage('exit');
    gate.wait(SESSION_CLOSE_MILLIS_MAX, LAST_WINDOW_MILLIS_MAX);
  });
}
