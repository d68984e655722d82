/** Windows after windows: profile, account for the cost, rest, start again, until the process ends. */
import type { AgentConfiguration } from './configuration.js';
import type { Conversion, CpuProfile } from './cpu-profile.js';
import type { Delivery } from './delivery.js';
import type { ExitGate } from './exit-gate.js';
import { type GovernorSettings, type GovernorState, initialState, observe } from './governor.js';
import { MainInspector } from './inspector.js';
import type { Log } from './log.js';
import { OwnCost } from './own-cost.js';
import { ThreadProfiler } from './thread-profiler.js';
import { type Patience, type ThreadWindow, WorkerThreads } from './worker-threads.js';

/** How often the console's entries are let go while profiling, and how often the process is looked at while resting. */
const TICK_MILLIS = 1_000;
/** The first window has a random length, so that the uploads of a fleet do not come in step; but not below this. */
const FIRST_WINDOW_MILLIS_MIN = 2_000;
const EPOCH_ERROR_MICROS_MAX = 1_000_000;
/** What is late joins the next window. */
const WORKER_PATIENCE: Patience = { oneMillis: 100, allMillis: 500 };
/** While the process waits to end: all are asked at once, and the session is closed in time. */
const LAST_WORKER_PATIENCE: Patience = { oneMillis: 0, allMillis: 100 };

/** Everything that is connected to the application's threads. */
interface Connection {
  readonly inspector: MainInspector;
  readonly profiler: ThreadProfiler;
  /** Undefined when the operator does not want them. */
  readonly workers: WorkerThreads | undefined;
}

export class ProfilingLoop {
  private readonly settings: GovernorSettings;
  private state: GovernorState;
  private readonly cost: OwnCost;
  private connection: Connection | undefined;
  private delivery: Delivery | undefined;
  /** The exchange with the main thread that is going on; only one is. */
  private exchange: Promise<unknown> = Promise.resolve();
  /** End of the last window in the profiler's clock, microseconds. */
  private windowEndMicros = 0;
  private mainStartMillis = 0;
  /** What added to the profiler's clock gives microseconds since the epoch. */
  private epochMicros = epochOffsetMicros();
  private isExiting = false;
  /** Ends the wait that is going on. */
  private wake: () => void = () => {};

  constructor(
    private readonly configuration: AgentConfiguration,
    private readonly workingDirectory: string,
    private readonly gate: ExitGate,
    private readonly log: Log,
  ) {
    this.settings = { budget: configuration.overheadBudget, intervalMicros: configuration.profilingIntervalMicros };
    this.state = initialState(this.settings);
    this.cost = new OwnCost(configuration.profilesWorkers);
  }

  /** Runs until `exit` is called. Rejects when the main thread cannot be profiled. */
  async run(): Promise<void> {
    const { uploadIntervalMillis } = this.configuration;
    const shortest = Math.min(FIRST_WINDOW_MILLIS_MIN, uploadIntervalMillis);
    let windowMillis = shortest + Math.random() * (uploadIntervalMillis - shortest);
    while (!this.isExiting) {
      await this.profileInWindows(windowMillis);
      windowMillis = uploadIntervalMillis;
      await this.rest();
    }
  }

  /** The process ends: the session is closed, and then the window so far is sent, unless the server does not answer anyway. */
  async exit(): Promise<void> {
    this.isExiting = true;
    this.wake();
    const isReachable = this.delivery?.isServerReachable ?? true;
    const { connection } = this;
    const cpuProfile = await this.lastWindow(connection, isReachable);
    const mainMillis = this.cost.lap(0).mainMillis;
    const workers = cpuProfile === undefined ? [] : await connection?.workers?.collect(LAST_WORKER_PATIENCE, true);
    // First of all: until then the main thread cannot leave in silence.
    connection?.inspector.disconnect();
    this.gate.sessionClosed();
    if (cpuProfile !== undefined) {
      const { profile } = await this.convertMain(cpuProfile, mainMillis, workers ?? []);
      (await this.loadDelivery()).deliver(profile);
    }
    if (this.delivery?.isServerReachable) await this.delivery.drained();
  }

  /** Something failed: no more profiling in this process. */
  abandon(): void {
    this.isExiting = true;
    this.wake();
    this.close();
  }

  private async lastWindow(connection: Connection | undefined, isWanted: boolean): Promise<CpuProfile | undefined> {
    try {
      await this.exchange;
      return isWanted ? await connection?.profiler.finish() : undefined;
    } catch (error) {
      this.log.debug(`the last window is lost: ${(error as Error).message}`);
      return undefined;
    }
  }

  private async profileInWindows(firstWindowMillis: number): Promise<void> {
    if (!this.gate.attach()) {
      this.isExiting = true;
      return;
    }
    const connection = this.connect();
    const { profiler, workers } = connection;
    this.connection = connection;
    this.cost.profilingBegins();
    try {
      await this.startWith(connection);
      this.loadDelivery().catch(() => {}); // Whoever needs it will see the error.
      let windowMillis = firstWindowMillis;
      while (this.state.phase === 'profiling') {
        await this.waitForWindow(connection, windowMillis);
        if (this.isExiting) return;
        const { value: cpuProfile } = await this.exchangeWithMain(() => profiler.rotate());
        await this.account(cpuProfile, workers);
        windowMillis = this.configuration.uploadIntervalMillis;
      }
    } finally {
      // On exit the session is still wanted, and closed, by `exit`.
      if (!this.isExiting) this.close();
    }
  }

  private close(): void {
    this.cost.profilingEnds(this.connection?.workers?.nativeThreads);
    this.connection?.workers?.release();
    this.connection?.inspector.disconnect();
    this.connection = undefined;
    this.gate.detach();
  }

  private connect(): Connection {
    const inspector = new MainInspector();
    const convert = (window: ThreadWindow) => this.convert(window);
    const workers = this.configuration.profilesWorkers ? new WorkerThreads(this.cost, convert, this.log) : undefined;
    return { inspector, profiler: new ThreadProfiler(inspector), workers };
  }

  private async startWith({ inspector, profiler, workers }: Connection): Promise<void> {
    const { intervalMicros } = this.state;
    inspector.connect();
    const { millis: startMillis } = await this.exchangeWithMain(() => profiler.start(intervalMicros));
    this.mainStartMillis = startMillis;
    this.state = observe(this.settings, this.state, { event: 'start', ...this.cost.lap(0), startMillis });
    this.log.debug(`profiling every ${intervalMicros / 1000} ms, the start cost ${startMillis.toFixed(1)} ms`);
    await workers?.watch(inspector).catch((error: Error) => this.log.debug(`workers are not seen: ${error.message}`));
  }

  /** A window has ended: deliver it and let the governor decide. */
  private async account(cpuProfile: CpuProfile, workers: WorkerThreads | undefined): Promise<void> {
    const ticks = (cpuProfile.samples?.length ?? 0) * (1 + (workers?.profiledCount ?? 0));
    const lap = this.cost.lap(ticks);
    const joinMillis = workers?.takeJoinMillis() ?? 0;
    const workerWindows = (await workers?.collect(WORKER_PATIENCE)) ?? [];
    const conversion = await this.convertMain(cpuProfile, lap.mainMillis, workerWindows);
    const busyShare = conversion.busyMillis / Math.max(1, conversion.wallMillis);
    const startMillis = this.mainStartMillis + (workers?.startMillis ?? 0);
    this.state = observe(this.settings, this.state, {
      event: 'window',
      ...lap,
      // A process with a worker that nobody has looked at is not known to be idle.
      busyShare: workers?.hasNewcomers ? 1 : busyShare,
      startMillis,
      joinMillis,
    });
    (await this.loadDelivery()).deliver(conversion.profile);
    this.log.debug(
      `window of ${conversion.wallMillis.toFixed(0)} ms, ${1 + (workers?.profiledCount ?? 0)} threads, ${(busyShare * 100).toFixed(1)} % busy, ` +
        `cost ${((lap.costMillis / lap.wallMillis) * 100).toFixed(2)} %, balance ${this.state.balanceMillis.toFixed(1)} ms` +
        (this.state.phase === 'resting' ? `, resting: ${this.state.reason}` : ''),
    );
  }

  private async convertMain(
    cpuProfile: CpuProfile,
    cpuMillis: number | undefined,
    workers: readonly Conversion[],
  ): Promise<Conversion> {
    // Kept while it is right, so that windows join without the jitter of two clocks; a clock that was set is followed.
    const epochMicros = epochOffsetMicros();
    if (Math.abs(epochMicros - this.epochMicros) > EPOCH_ERROR_MICROS_MAX) this.epochMicros = epochMicros;
    const fromMicros = this.windowEndMicros;
    const main = await this.convert({ cpuProfile, fromMicros, cpuMillis, threadName: 'main' });
    this.windowEndMicros = cpuProfile.endTime;
    const { mergeThreads } = await import('./delivery.js');
    return mergeThreads(main, workers);
  }

  private async convert(window: ThreadWindow): Promise<Conversion> {
    const { convertThread } = await import('./delivery.js');
    return convertThread(window, {
      intervalMicros: this.state.intervalMicros,
      epochMicros: this.epochMicros,
      workingDirectory: this.workingDirectory,
    });
  }

  private async loadDelivery(): Promise<Delivery> {
    const { Delivery } = await import('./delivery.js');
    this.delivery ??= new Delivery(this.configuration, this.log);
    return this.delivery;
  }

  private async rest(): Promise<void> {
    while (this.state.phase === 'resting' && !this.isExiting) {
      await this.wait(TICK_MILLIS);
      this.state = observe(this.settings, this.state, { event: 'rest', ...this.cost.lap(0) });
    }
  }

  private async waitForWindow({ profiler, workers }: Connection, windowMillis: number): Promise<void> {
    const end = performance.now() + windowMillis;
    let isForgetting = false;
    for (let left = windowMillis; left > 0 && !this.isExiting; left = end - performance.now()) {
      await this.wait(Math.min(left, TICK_MILLIS));
      if (!this.isExiting) workers?.tick(this.state.intervalMicros);
      // Not awaited: a main thread in a long native call answers at its end, and the window is not to wait twice for that.
      if (isForgetting || this.isExiting) continue;
      isForgetting = true;
      profiler.forgetConsole().then(
        () => (isForgetting = false),
        () => {}, // The session is closed: there is nothing to forget any more.
      );
    }
  }

  private exchangeWithMain<T>(action: () => Promise<T>): Promise<{ value: T; millis: number }> {
    const exchange = this.cost.onMain(action);
    this.exchange = exchange;
    return exchange;
  }

  private wait(millis: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, millis);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function epochOffsetMicros(): number {
  return Date.now() * 1000 - Number(process.hrtime.bigint() / 1000n);
}
