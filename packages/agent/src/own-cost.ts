/**
 * What profiling costs the process, in milliseconds of CPU.
 *
 * Three parts are measured: the agent's worker, V8's sampler thread, and the messages that the main thread answers (a start, the
 * end of a window). The fourth, the signal handler that walks the main thread's stack, cannot be told from the application's
 * own work; it is taken as a fixed part of what the sampler thread uses, for both are wake-ups and both grow with the rate.
 */
import { threadCpuReader } from './thread-cpu.js';

/** Handler on the main thread ÷ sampler thread; `bench/agent.mjs` measures the sum. */
const HANDLER_PART = 0.6;
/** Where threads cannot be measured: sampler and handler for one sample, and the worker in each second. */
const SAMPLE_MILLIS = 0.13;
const WORKER_SHARE = 0.001;

export interface Lap {
  readonly wallMillis: number;
  readonly costMillis: number;
  /** CPU of the main thread; undefined where it cannot be measured. */
  readonly mainMillis: number | undefined;
  /** CPU of the main thread (where it cannot be measured: of the process) in parts of the time. */
  readonly busyShare: number;
}

export class OwnCost {
  private readonly read = threadCpuReader();
  private isProfiling = false;
  private last = this.reading();
  private onMainMillis = 0;

  /** Tells whether V8's profiler runs from here on. */
  profiling(isProfiling: boolean): void {
    this.isProfiling = isProfiling;
  }

  /** Does something that the main thread must answer; gives what that used there at most. */
  async onMain<T>(action: () => Promise<T>): Promise<{ value: T; millis: number }> {
    const before = this.reading();
    const value = await action();
    const after = this.reading();
    const wallMillis = after.wallMillis - before.wallMillis;
    // Neither is exact: while a busy thread takes its time to answer the application goes on, and an idle one waits.
    const mainMillis =
      after.threads && before.threads ? after.threads.mainMillis - before.threads.mainMillis : wallMillis;
    const millis = Math.min(wallMillis, mainMillis);
    this.onMainMillis += millis;
    return { value, millis };
  }

  /** What happened since the lap before. `ticks`: samples taken meanwhile. */
  lap(ticks: number): Lap {
    const { last } = this;
    const now = this.reading();
    const onMainMillis = this.onMainMillis;
    this.last = now;
    this.onMainMillis = 0;
    const wallMillis = Math.max(1, now.wallMillis - last.wallMillis);
    if (now.threads === undefined || last.threads === undefined) {
      return {
        wallMillis,
        costMillis: ticks * SAMPLE_MILLIS + wallMillis * WORKER_SHARE + onMainMillis,
        mainMillis: undefined,
        busyShare: (now.processMillis - last.processMillis) / wallMillis,
      };
    }
    const mainMillis = now.threads.mainMillis - last.threads.mainMillis;
    // A profiler that was started since has a new thread, which begins at 0.
    const isSameSampler = now.threads.samplerMillis >= last.threads.samplerMillis;
    const samplerMillis = now.threads.samplerMillis - (isSameSampler ? last.threads.samplerMillis : 0);
    const agentMillis = now.threads.agentMillis - last.threads.agentMillis;
    return {
      wallMillis,
      costMillis: agentMillis + samplerMillis * (1 + HANDLER_PART) + onMainMillis,
      mainMillis,
      busyShare: mainMillis / wallMillis,
    };
  }

  private reading() {
    const { user, system } = process.cpuUsage();
    return {
      wallMillis: performance.now(),
      processMillis: (user + system) / 1000,
      threads: this.read(this.isProfiling),
    };
  }
}
