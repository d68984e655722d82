/**
 * The application's worker threads that are profiled beside the main thread.
 *
 * None of them can hold up the others: a worker is asked for its window and, if it is slow to answer because it is in native code,
 * left alone; what it answers then goes with the next upload. A worker that ends takes its unfinished window with it.
 */
import { threadId as agentThreadId } from 'node:worker_threads';
import type { Conversion, CpuProfile } from './cpu-profile.js';
import type { MainInspector } from './inspector.js';
import type { Log } from './log.js';
import type { OwnCost } from './own-cost.js';
import { threadCpuMillis } from './thread-cpu.js';
import { ThreadProfiler } from './thread-profiler.js';
import { attachToWorkers, type WorkerInspector } from './worker-inspectors.js';

/** Of V8's signal handler for one sample: what an otherwise idle thread uses, ÷ samples. */
const HANDLER_MILLIS = 0.03;
/** Starting V8's profiler costs more than many a short worker is worth; also, one that is younger may not have its globals yet. */
const AGE_MILLIS_MIN = 1_000;
/** Each costs memory, time at the end of a window and a part of the budget. */
const PROFILED_MAX = 16;
/** A worker whose start fails, for example because it has no `process`, is asked again so often. */
const STARTS_MAX = 3;
/** A name is for people to read. */
const NAME_LENGTH_MAX = 100;

/** What one thread did in a window. */
export interface ThreadWindow {
  readonly cpuProfile: CpuProfile;
  /** In the profile's clock; what lies before belongs to the last window. */
  readonly fromMicros: number;
  readonly cpuMillis: number | undefined;
  /** For people: `main`, `worker 3`, `worker 3 (name)`. */
  readonly threadName: string;
}

export type Convert = (window: ThreadWindow) => Promise<Conversion>;

/** How long to wait for the answers of workers: for one before the next is asked, and for the late ones after all were. */
export interface Patience {
  readonly oneMillis: number;
  readonly allMillis: number;
}

export class WorkerThreads {
  private readonly workers = new Map<WorkerInspector, WorkerThread>();
  /** Windows that were late, of workers that have ended since. */
  private ended: Conversion[] = [];
  private leftOut = 0;
  private joinMillis = 0;

  constructor(
    private readonly cost: OwnCost,
    private readonly convert: Convert,
    private readonly log: Log,
  ) {}

  /** Ends with the session of `main`. */
  async watch(main: MainInspector): Promise<void> {
    await attachToWorkers(main, {
      attached: (inspector) => {
        const isWanted = inspector.threadId !== agentThreadId && this.workers.size < PROFILED_MAX;
        if (isWanted) this.workers.set(inspector, new WorkerThread(inspector, this.cost, this.joined));
        else letGo(inspector);
        if (isWanted || inspector.threadId === agentThreadId) return;
        this.leftOut++;
        this.log.debug(`${PROFILED_MAX} workers are profiled; left out so far: ${this.leftOut}`);
      },
      detached: (inspector) => {
        this.ended.push(...(this.workers.get(inspector)?.takeWindows() ?? []));
        this.workers.delete(inspector);
      },
    });
  }

  /** Whether there is a worker of which nothing is known yet. */
  get hasNewcomers(): boolean {
    return [...this.workers.values()].some(({ isNew }) => isNew);
  }

  /** Ends the profilers. To be called before the session of `main` ends, for that alone lets those of workers run on (Node 20.20). */
  release(): void {
    for (const inspector of this.workers.keys()) letGo(inspector);
  }

  get profiledCount(): number {
    return [...this.workers.values()].filter(({ isProfiled }) => isProfiled).length;
  }

  /** What the start of all profilers that run now cost, milliseconds. */
  get startMillis(): number {
    return [...this.workers.values()].reduce((sum, { startMillis }) => sum + startMillis, 0);
  }

  /** What the starts since the last call have cost, milliseconds. */
  takeJoinMillis(): number {
    const { joinMillis } = this;
    this.joinMillis = 0;
    return joinMillis;
  }

  private readonly joined = (startMillis: number): void => {
    this.joinMillis += startMillis;
    this.cost.threadJoined();
  };

  /** Native ids of all workers; undefined when one is not known. */
  get nativeThreads(): ReadonlySet<string> | undefined {
    const threads = new Set<string>();
    for (const { nativeThread } of this.workers.values()) {
      if (nativeThread === undefined) return undefined;
      threads.add(nativeThread);
    }
    return threads;
  }

  /** To be called about once a second: profiles the workers that have come, lets go of what the others have logged. */
  tick(intervalMicros: number): void {
    for (const worker of this.workers.values()) {
      worker.tick(intervalMicros).catch((error: Error) => this.log.debug(`${worker.name}: ${error.message}`));
    }
  }

  /** Ends the windows and gives what has come, also of windows before. `isLast`: no other follows. */
  async collect(patience: Patience, isLast = false): Promise<Conversion[]> {
    const asked: Promise<void>[] = [];
    // One after the other, so that the agent holds one raw profile at a time.
    for (const worker of this.workers.values()) {
      const answered = worker.endWindow(this.convert, isLast).catch((error: Error) => {
        this.log.debug(`${worker.name}, a window is lost: ${error.message}`);
      });
      asked.push(answered);
      await settledWithin(answered, patience.oneMillis);
    }
    await settledWithin(Promise.all(asked), patience.allMillis);
    const windows = [...this.ended, ...[...this.workers.values()].flatMap((worker) => worker.takeWindows())];
    this.ended = [];
    return windows;
  }
}

function letGo(inspector: WorkerInspector): void {
  inspector.detach().catch(() => {}); // The worker or the session has ended: as good.
}

class WorkerThread {
  readonly name: string;
  nativeThread: string | undefined;
  startMillis = 0;
  private readonly profiler: ThreadProfiler;
  private readonly since = performance.now();
  private phase: 'new' | 'profiled' | 'failed' = 'new';
  private starts = 0;
  private windowEndMicros = 0;
  private windowEndCpuMillis: number | undefined;
  private windows: Conversion[] = [];

  constructor(
    inspector: WorkerInspector,
    private readonly cost: OwnCost,
    private readonly joined: (startMillis: number) => void,
  ) {
    const name = inspector.name.slice(0, NAME_LENGTH_MAX);
    this.name = `worker ${inspector.threadId}${name === '' ? '' : ` (${name})`}`;
    this.profiler = new ThreadProfiler(inspector);
  }

  get isProfiled(): boolean {
    return this.phase === 'profiled';
  }

  get isNew(): boolean {
    return this.phase === 'new';
  }

  readonly tick = oneAtATime(async (intervalMicros: number) => {
    if (this.phase === 'profiled') await this.profiler.forgetConsole();
    else if (this.phase === 'new' && performance.now() - this.since >= AGE_MILLIS_MIN) await this.start(intervalMicros);
  });

  readonly endWindow = oneAtATime(async (convert: Convert, isLast: boolean) => {
    if (this.phase !== 'profiled') return;
    const end = () => (isLast ? this.profiler.finish() : this.profiler.rotate());
    const { value: cpuProfile } = await this.cost.onThread(this.nativeThread, end);
    const window = { cpuProfile, fromMicros: this.windowEndMicros, cpuMillis: this.cpuMillisOf(cpuProfile) };
    this.windowEndMicros = cpuProfile.endTime;
    this.windows.push(await convert({ ...window, threadName: this.name }));
  });

  takeWindows(): Conversion[] {
    const { windows } = this;
    this.windows = [];
    return windows;
  }

  private async start(intervalMicros: number): Promise<void> {
    try {
      this.nativeThread = await this.profiler.nativeThread();
      const { millis } = await this.cost.onThread(this.nativeThread, () => this.profiler.start(intervalMicros));
      this.startMillis = millis;
      this.windowEndCpuMillis = this.cpuMillis();
      this.phase = 'profiled';
      this.joined(millis);
    } catch (error) {
      if (++this.starts === STARTS_MAX) this.phase = 'failed';
      throw error;
    }
  }

  /** What the application used since the last window: a thread that waits is woken by each sample, and that is not its own work. */
  private cpuMillisOf(cpuProfile: CpuProfile): number | undefined {
    const from = this.windowEndCpuMillis;
    const end = this.cpuMillis();
    this.windowEndCpuMillis = end;
    if (from === undefined || end === undefined) return undefined;
    return Math.max(0, end - from - (cpuProfile.samples?.length ?? 0) * HANDLER_MILLIS);
  }

  private cpuMillis(): number | undefined {
    return this.nativeThread === undefined ? undefined : threadCpuMillis(this.nativeThread);
  }
}

/** What it gives does nothing while the last call has not come to its end. */
function oneAtATime<A extends unknown[]>(action: (...given: A) => Promise<void>): (...given: A) => Promise<void> {
  let isGoingOn = false;
  return async (...given) => {
    if (isGoingOn) return;
    isGoingOn = true;
    try {
      await action(...given);
    } finally {
      isGoingOn = false;
    }
  };
}

/** Resolves when `promise` is settled or the time is up, whichever is first. */
async function settledWithin(promise: Promise<unknown>, millis: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([promise, new Promise((resolve) => (timer = setTimeout(resolve, millis)))]);
  clearTimeout(timer);
}
