/**
 * CPU time of single threads, in milliseconds, from Linux' /proc: what profiling itself costs cannot be told from
 * `process.cpuUsage()`, which mixes it with the application. Threads go by the ids that Linux knows them by.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const THREADS = '/proc/self/task';
/** The thread V8's profiler runs in; one for each thread that is profiled. */
const SAMPLER_THREAD = 'v8:ProfEvntProc';

export type ThreadMillis = ReadonlyMap<string, number>;

/** Undefined when the thread has ended, or where /proc does not say. */
export function threadCpuMillis(thread: string): number | undefined {
  try {
    // First field: nanoseconds on a CPU. `stat` would only count in ticks of 10 ms.
    const nanos = Number(readFileSync(`${THREADS}/${thread}/schedstat`, 'latin1').split(' ', 1)[0]);
    return nanos >= 0 ? nanos / 1e6 : undefined;
  } catch {
    // The thread has ended, or this kernel has no schedstat.
    return undefined;
  }
}

/** Id of the thread that calls this; undefined where there is no /proc. */
function ownThread(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1);
  } catch {
    // Not Linux, or /proc is not mounted.
    return undefined;
  }
}

/** What was used between two readings; a thread that the first does not know began at 0, one that has ended is not counted. */
export function usedBetween(before: ThreadMillis, after: ThreadMillis): number {
  let sum = 0;
  for (const [thread, millis] of after) sum += millis - (before.get(thread) ?? 0);
  return sum;
}

export interface CpuReading {
  /** The application's main thread. */
  readonly mainMillis: number;
  /** The thread that reads, which is the agent's. */
  readonly agentMillis: number;
  /** The threads of V8's profiler; none while it does not run. */
  readonly samplers: ThreadMillis;
  /** While it does not run: the threads that may be workers of the application. */
  readonly workers: ThreadMillis;
}

/** Reads what the threads have used so far. To be made in the agent's worker. */
export class ThreadCpuReader {
  /** How the main thread is called here. */
  readonly mainThread = String(process.pid);
  private readonly agentThread = ownThread();
  private samplers: readonly string[] = [];
  private natives: ReadonlySet<string> = new Set();

  constructor(private readonly countsWorkers: boolean) {}

  /** Profilers were started: their threads are looked for, which is most of the price of a reading. */
  samplersChanged(): void {
    this.samplers = [];
  }

  /**
   * While nothing is profiled nobody tells of new workers. So all threads that are not in the list of those that run no
   * JavaScript are taken for workers; this makes that list. A new native thread is thus mistaken for one until the next call.
   */
  learnNatives(workers: ReadonlySet<string>): void {
    this.natives = new Set(threads().filter((thread) => !workers.has(thread)));
  }

  /** Undefined where /proc does not say. */
  read(isProfiling: boolean): CpuReading | undefined {
    if (this.agentThread === undefined) return undefined;
    const mainMillis = threadCpuMillis(this.mainThread);
    const agentMillis = threadCpuMillis(this.agentThread);
    if (mainMillis === undefined || agentMillis === undefined) return undefined;
    const reading = { mainMillis, agentMillis };
    if (isProfiling) return { ...reading, samplers: this.readSamplers(), workers: new Map() };
    const workers = this.countsWorkers ? threads().filter((thread) => !this.natives.has(thread)) : [];
    return { ...reading, samplers: new Map(), workers: millisOf(workers) };
  }

  private readSamplers(): ThreadMillis {
    const readings = millisOf(this.samplers);
    if (readings.size > 0 && readings.size === this.samplers.length) return readings;
    this.samplers = threads().filter(isSampler);
    return millisOf(this.samplers);
  }
}

function threads(): string[] {
  try {
    return readdirSync(THREADS);
  } catch {
    // Not Linux, or /proc is not mounted.
    return [];
  }
}

function millisOf(threads: readonly string[]): ThreadMillis {
  const readings = new Map<string, number>();
  for (const thread of threads) {
    const millis = threadCpuMillis(thread);
    if (millis !== undefined) readings.set(thread, millis);
  }
  return readings;
}

function isSampler(thread: string): boolean {
  try {
    return readFileSync(`${THREADS}/${thread}/comm`, 'latin1').trim() === SAMPLER_THREAD;
  } catch {
    // It ended between the listing and the reading.
    return false;
  }
}
