/**
 * Windows on their way to the server: one upload at a time, a short queue behind it that loses its oldest, and tries that wait
 * longer each time, by a random part of the wait ("full jitter"), so that a fleet does not come back in step.
 */
import type { Answer, Ingest, Upload } from './ingest.js';
import type { Log } from './log.js';

export interface UploaderOptions {
  readonly triesMax: number;
  readonly queueCapacity: number;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  readonly sleep?: (millis: number) => Promise<void>;
}

const BACKOFF_FIRST_MILLIS = 1_000;
const BACKOFF_MAX_MILLIS = 30_000;
/** After this many doublings the maximum is used. */
const BACKOFF_DOUBLINGS = 4;

/** The wait after try `attempt` (0 for the first) lies in [0, this). */
export function backoffMillis(attempt: number): number {
  return attempt <= BACKOFF_DOUBLINGS ? BACKOFF_FIRST_MILLIS * 2 ** attempt : BACKOFF_MAX_MILLIS;
}

export class Uploader {
  private readonly queue: Upload[] = [];
  private running: Promise<void> | undefined;
  private lastAnswer: Answer['outcome'] | undefined;
  private readonly random: () => number;
  private readonly sleep: (millis: number) => Promise<void>;

  constructor(
    private readonly ingest: Ingest,
    private readonly options: UploaderOptions,
    private readonly log: Log,
  ) {
    this.random = options.random ?? Math.random;
    this.sleep = options.sleep ?? ((millis) => new Promise((resolve) => setTimeout(resolve, millis)));
  }

  /** False after a failure, until something is accepted: no reason to hold anybody up for an upload. */
  get isServerReachable(): boolean {
    return this.lastAnswer !== 'failed';
  }

  push(upload: Upload): void {
    this.queue.push(upload);
    if (this.queue.length > this.options.queueCapacity) {
      this.queue.shift();
      this.log.debug('the queue is full, its oldest window is dropped');
    }
    this.running ??= this.run();
  }

  /** Resolves when nothing is waiting any more, which may be long. */
  async drained(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    for (let upload = this.queue.shift(); upload !== undefined; upload = this.queue.shift()) await this.send(upload);
    this.running = undefined;
  }

  private async send(upload: Upload): Promise<void> {
    for (let attempt = 0; attempt < this.options.triesMax; attempt++) {
      const answer = await this.ingest(upload);
      this.lastAnswer = answer.outcome;
      if (answer.outcome === 'accepted') return;
      if (answer.outcome === 'refused') {
        this.log.warnOnce(`refused ${answer.status}`, `a profile was refused: ${answer.reason}`);
        return;
      }
      this.log.warnOnce('failed', `uploads fail, more tries follow, the application runs on: ${answer.reason}`);
      if (attempt + 1 < this.options.triesMax) await this.sleep(this.random() * backoffMillis(attempt));
    }
    this.log.debug(`a window was given up after ${this.options.triesMax} tries`);
  }
}
