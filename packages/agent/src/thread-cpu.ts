/**
 * CPU time of single threads, in milliseconds, from Linux' /proc: what profiling itself costs cannot be told from
 * `process.cpuUsage()`, which mixes it with the application.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The thread V8's profiler runs in; one for each profiler that is running. */
const SAMPLER_THREAD = 'v8:ProfEvntProc';

function threadCpuMillis(threadId: string): number | undefined {
  try {
    // First field: nanoseconds on a CPU. `stat` would only count in ticks of 10 ms.
    const nanos = Number(readFileSync(`/proc/self/task/${threadId}/schedstat`, 'latin1').split(' ', 1)[0]);
    return nanos >= 0 ? nanos / 1e6 : undefined;
  } catch {
    // The thread has ended, or this kernel has no schedstat.
    return undefined;
  }
}

/** Id of the thread that calls this; undefined where there is no /proc. */
function ownThreadId(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1);
  } catch {
    // Not Linux, or /proc is not mounted.
    return undefined;
  }
}

export interface CpuReading {
  /** The application's main thread. */
  readonly mainMillis: number;
  /** The thread that reads, which is the agent's. */
  readonly agentMillis: number;
  /** The threads of V8's profiler; 0 while it does not run. */
  readonly samplerMillis: number;
}

/**
 * Reads what the threads have used so far; gives undefined where /proc does not say. Call it from the agent's worker. Looking for the
 * sampler is most of the price of a reading, so it is only done while there is one.
 */
export function threadCpuReader(): (isProfiling: boolean) => CpuReading | undefined {
  const agentThread = ownThreadId();
  const mainThread = String(process.pid);
  let samplerThreads: readonly string[] = [];
  return (isProfiling) => {
    if (agentThread === undefined) return undefined;
    const mainMillis = threadCpuMillis(mainThread);
    const agentMillis = threadCpuMillis(agentThread);
    if (mainMillis === undefined || agentMillis === undefined) return undefined;
    if (!isProfiling) return { mainMillis, agentMillis, samplerMillis: 0 };
    let readings = samplerThreads.map(threadCpuMillis);
    if (readings.length === 0 || readings.includes(undefined)) {
      samplerThreads = readdirSync('/proc/self/task').filter(isSampler);
      readings = samplerThreads.map(threadCpuMillis);
    }
    return { mainMillis, agentMillis, samplerMillis: readings.reduce<number>((sum, millis) => sum + (millis ?? 0), 0) };
  };
}

function isSampler(threadId: string): boolean {
  try {
    return readFileSync(`/proc/self/task/${threadId}/comm`, 'latin1').trim() === SAMPLER_THREAD;
  } catch {
    // It ended between the listing and the reading.
    return false;
  }
}
