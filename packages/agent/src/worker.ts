/** The agent's worker: it profiles the main thread in windows, rests when the governor says so, and uploads. */
import { parentPort, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { writePprof } from '@pilotlight/profile';
import { ExitGate } from './exit-gate.js';
import { ingestTo, type Upload } from './ingest.js';
import { Log, writeLine } from './log.js';
import { ProfilingLoop, type Window } from './profiling-loop.js';
import type { WorkerData } from './start.js';
import { Uploader } from './uploader.js';

const { configuration, exitGate, workingDirectory } = workerData as WorkerData;
const gate = new ExitGate(exitGate);
const log = new Log(configuration.logLevel);
const uploader = new Uploader(
  ingestTo(configuration),
  { triesMax: configuration.ingestTriesMax, queueCapacity: configuration.pushQueueCapacity },
  log,
);
const loop = new ProfilingLoop(configuration, workingDirectory, gate, log, (window) => uploader.push(pack(window)));

// The listener is what keeps this thread alive between two messages of the inspector; the main thread has unref'ed the thread.
parentPort?.on('message', async () => {
  await loop.exit(uploader.isServerReachable);
  if (uploader.isServerReachable) await uploader.drained();
  gate.lastWindowSent();
});

try {
  await loop.run();
} catch (error) {
  writeLine(`profiling has ended: ${(error as Error).message}`);
  parentPort?.close();
}

function pack({ profile, intervalMicros }: Window): Upload {
  const fromMillis = Number(profile.timeNanos / 1_000_000n);
  return {
    fromMillis,
    untilMillis: fromMillis + profile.durationNanos / 1e6,
    intervalMicros,
    // In this thread and not in zlib's pool, which is the application's. Level 1: 15 % larger, twice as fast.
    body: gzipSync(writePprof(profile), { level: 1 }),
  };
}
