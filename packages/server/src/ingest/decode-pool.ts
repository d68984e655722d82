import { availableParallelism } from 'node:os';
import { PilotlightError } from '@pilotlight/profile';
import { Piscina } from 'piscina';
import { Semaphore } from '../semaphore.js';
import type { Decoded, DecodeTask } from './decode.js';

export interface DecodePoolOptions {
  readonly threads?: number;
  /** Requests that wait for a thread; more are told to come back. */
  readonly waitingMax?: number;
  readonly secondsMax?: number;
}

/** JavaScript heap of one decoding thread, MiB; columns live outside of it and are bounded by the size of the body. */
const HEAP_MIB_MAX = 512;

/** Worker threads that decode bodies, so that a slow or hostile one costs its own request and nothing else. */
export class DecodePool {
  private readonly pool: Piscina<DecodeTask, Decoded>;
  private readonly secondsMax: number;
  private readonly waitingMax: number;
  private readonly places: Semaphore;
  private queued = 0;

  constructor(options: DecodePoolOptions = {}) {
    const threads = options.threads ?? Math.min(8, availableParallelism());
    this.secondsMax = options.secondsMax ?? 30;
    this.waitingMax = options.waitingMax ?? 256;
    this.places = new Semaphore(threads);
    this.pool = new Piscina<DecodeTask, Decoded>({
      filename: new URL('./decode-worker.js', import.meta.url).href,
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: 60_000,
      // Histograms of waiting and running, a sixtieth of what an upload costs, that nobody reads.
      recordTiming: false,
      concurrentTasksPerWorker: 1,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX },
      // A thread of ours is no thread of the profiled program's: it must not load what the main thread was started with.
      execArgv: [],
    });
  }

  get waiting(): number {
    return this.queued;
  }

  /** @throws PilotlightError `rate_limited` when too many wait, `time_limit` when it took too long, `internal` when the thread died. */
  async decode(task: DecodeTask, transfer: ArrayBuffer[]): Promise<Decoded> {
    if (this.queued >= this.waitingMax) {
      throw new PilotlightError('rate_limited', `${this.waitingMax} uploads wait to be decoded; send again later`, {
        limit: this.waitingMax,
      });
    }
    this.queued++;
    return this.places.use(() => {
      this.queued--;
      return this.run(task, transfer);
    });
  }

  /** On a thread that is free, so that the time it may take is its own and not that of others before it. */
  private async run(task: DecodeTask, transfer: ArrayBuffer[]): Promise<Decoded> {
    // Not AbortSignal.timeout, which lives on until its time has come, with all that hangs on it.
    const impatience = new AbortController();
    const timer = setTimeout(() => impatience.abort(), this.secondsMax * 1_000);
    try {
      return await this.pool.run(task, { transferList: transfer, signal: impatience.signal });
    } catch (thrown) {
      if (impatience.signal.aborted) {
        throw new PilotlightError('time_limit', `decoding took longer than ${this.secondsMax} s and was stopped`, {
          limit: this.secondsMax,
        });
      }
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      if (/out of memory|memory limit/i.test(message)) {
        throw new PilotlightError('profile_size_limit', `decoding took more than ${HEAP_MIB_MAX} MiB and was stopped`, {
          limit: HEAP_MIB_MAX,
        });
      }
      throw new PilotlightError('internal', `the decoding thread failed: ${message}`, { cause: thrown });
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.pool.close({ force: true });
  }
}
