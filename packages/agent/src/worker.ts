/**
 * The agent's worker: it profiles the main thread in windows, rests when the governor says so, and uploads.
 *
 * Whatever fails, the thread stays, parked. Node 20.20 aborts the whole process when a worker ends while the main thread is still
 * letting go of its inspector session (the main thread posts to an interface that is being torn down). When the process itself ends,
 * the main thread does nothing else meanwhile.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { ExitGate } from './exit-gate.js';
import { Log, writeLine } from './log.js';
import { ProfilingLoop } from './profiling-loop.js';
import type { WorkerData } from './start.js';

const { configuration, exitGate, workingDirectory } = workerData as WorkerData;
const gate = new ExitGate(exitGate);
const loop = new ProfilingLoop(configuration, workingDirectory, gate, new Log(configuration.logLevel));

// The listener is what keeps this thread alive between two messages of the inspector; the main thread has unref'ed the thread.
parentPort?.on('message', async () => {
  await loop.exit();
  gate.lastWindowSent();
});

let hasGivenUp = false;
function giveUp(error: unknown): void {
  loop.abandon();
  if (hasGivenUp) return;
  hasGivenUp = true;
  writeLine(`profiling has ended: ${error instanceof Error ? error.message : error}`);
}

process.on('uncaughtException', giveUp);
await loop.run().catch(giveUp);
