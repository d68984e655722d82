/** The agent's worker: it profiles the main thread in windows, rests when the governor says so, and uploads. */
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

try {
  await loop.run();
} catch (error) {
  writeLine(`profiling has ended: ${(error as Error).message}`);
  parentPort?.close();
}
