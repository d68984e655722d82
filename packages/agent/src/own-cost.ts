/**
 * What profiling costs the process, in milliseconds of CPU.
 *
 * Three parts are measured: the agent's worker, V8's sampler threads, and the messages that profiled threads answer (a start,
 * the end of a window). The fourth, the signal handler that walks a thread's stack, cannot be told from the application's own
 * work; it is taken as a fixed part of what the sampler threads use, for both are wake-ups and both grow with the rate.
 */
import { type CpuReading, ThreadCpuReader, threadCpuMillis, usedBetween } from './thread-cpu.js';

/** Handler on the profiled thread ÷ sampler thread; `bench/agent.mjs` measures the sum. */
const HANDLER_PART = 0.6;
/** Where threads cannot be measured: sampler and handler for one sample, and the worker in each second. */
const SAMPLE_MILLIS = 0.13;
const WORKER_SHARE = 0.001;
/** The start of a profiler in a large program. What is above has been the application's. */
const MESSAGE_MILLIS_MAX = 500;

interface Reading {
  readonly wallMillis: number;
  readonly processMillis: number;
  readonly threads: CpuReading | undefined;
}

export interface Lap {
  readonly wallMillis: number;
  readonly costMillis: number;
  /** CPU of the main thread; undefined where it cannot be measured. */
  readonly mainMillis: number | undefined;
  /** CPU of the main thread and, while nothing is profiled, of workers, in parts of the time; where it cannot be measured, of the process. */
  readonly busyShare: number;
}

export class OwnCost {
  private readonly reader: ThreadCpuReader;
  private isProfiling = false;
  private last: Reading;
  private messagesMillis = 0;

  constructor(countsWorkers: boolean) {
    this.reader = new ThreadCpuReader(countsWorkers);
    // Until more is known: what comes after the agent may be a worker.
    this.reader.learnNatives(new Set());
    this.last = this.reading();
  }

  /** V8's profiler runs from here on, on the main thread. */
  profilingBegins(): void {
    this.isProfiling = true;
    this.reader.samplersChanged();
  }

  /** And on one more thread. */
  threadJoined(): void {
    this.reader.samplersChanged();
  }

  /** V8's profiler runs no more. `workers`: all threads of the application that do JavaScript beside the main thread; undefined when not known. */
  profilingEnds(workers: ReadonlySet<string> | undefined): void {
    this.isProfiling = false;
    if (workers !== undefined) this.reader.learnNatives(workers);
    const { threads } = this.reading();
    // What they have used so far is no news; the rest of the last lap goes on.
    if (threads !== undefined && this.last.threads !== undefined) {
      this.last = { ...this.last, threads: { ...this.last.threads, workers: threads.workers } };
    }
  }

  onMain<T>(action: () => Promise<T>): Promise<{ value: T; millis: number }> {
    return this.onThread(this.reader.mainThread, action);
  }

  /** Does something that a thread must answer; gives what that used there at most. */
  async onThread<T>(thread: string | undefined, action: () => Promise<T>): Promise<{ value: T; millis: number }> {
    const cpuMillis = () => (thread === undefined ? undefined : threadCpuMillis(thread));
    const wallBefore = performance.now();
    const cpuBefore = cpuMillis();
    const value = await action();
    const cpuAfter = cpuMillis();
    const wallMillis = performance.now() - wallBefore;
    // Neither is exact: while a busy thread takes its time to answer the application goes on, and an idle one waits.
    const usedMillis = cpuBefore === undefined || cpuAfter === undefined ? wallMillis : cpuAfter - cpuBefore;
    const millis = Math.min(wallMillis, usedMillis, MESSAGE_MILLIS_MAX);
    this.messagesMillis += millis;
    return { value, millis };
  }

  /** What happened since the lap before. `ticks`: samples taken meanwhile, on all threads. */
  lap(ticks: number): Lap {
    const { last, messagesMillis } = this;
    const now = this.reading();
    this.last = now;
    this.messagesMillis = 0;
    const wallMillis = Math.max(1, now.wallMillis - last.wallMillis);
    if (now.threads === undefined || last.threads === undefined) {
      return {
        wallMillis,
        costMillis: ticks * SAMPLE_MILLIS + wallMillis * WORKER_SHARE + messagesMillis,
        mainMillis: undefined,
        busyShare: (now.processMillis - last.processMillis) / wallMillis,
      };
    }
    const mainMillis = now.threads.mainMillis - last.threads.mainMillis;
    const agentMillis = now.threads.agentMillis - last.threads.agentMillis;
    const samplerMillis = usedBetween(last.threads.samplers, now.threads.samplers);
    return {
      wallMillis,
      costMillis: agentMillis + samplerMillis * (1 + HANDLER_PART) + messagesMillis,
      mainMillis,
      busyShare: (mainMillis + usedBetween(last.threads.workers, now.threads.workers)) / wallMillis,
    };
  }

  private reading(): Reading {
    const { user, system } = process.cpuUsage();
    return {
      wallMillis: performance.now(),
      processMillis: (user + system) / 1000,
      threads: this.reader.read(this.isProfiling),
    };
  }
}
