/**
 * The inspectors of the main thread's workers. Node offers them through the main thread's: its domain `NodeWorker` wraps the messages
 * of each. Workers of workers are not among them.
 */
import type { Inspector } from './inspector.js';

interface Attached {
  readonly sessionId: string;
  /** `[worker 3]`, or `[worker 3] name`. */
  readonly workerInfo: { readonly title: string };
}
interface Received {
  readonly sessionId: string;
  readonly message: string;
}
interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly method?: string;
  readonly params?: unknown;
}

export interface WorkerListener {
  attached(worker: WorkerInspector): void;
  /** The worker has ended, or has been let go. */
  detached(worker: WorkerInspector): void;
}

/** Tells of each worker there is, and of each to come. Nothing waits for it: neither workers that start nor workers that end. */
export async function attachToWorkers(main: Inspector, listener: WorkerListener): Promise<void> {
  const workers = new Map<string, WorkerInspector>();
  main.on('NodeWorker.attachedToWorker', ({ sessionId, workerInfo }: Attached) => {
    const worker = new WorkerInspector(main, sessionId, workerInfo.title);
    workers.set(sessionId, worker);
    listener.attached(worker);
  });
  main.on('NodeWorker.receivedMessageFromWorker', ({ sessionId, message }: Received) => {
    workers.get(sessionId)?.receive(JSON.parse(message) as Message);
  });
  main.on('NodeWorker.detachedFromWorker', ({ sessionId }: { sessionId: string }) => {
    const worker = workers.get(sessionId);
    if (worker === undefined) return;
    workers.delete(sessionId);
    worker.end();
    listener.detached(worker);
  });
  await main.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class WorkerInspector implements Inspector {
  /** As in `worker.threadId`; NaN should Node write its titles in another way one day. */
  readonly threadId: number;
  /** Empty unless the application has named it. */
  readonly name: string;
  private readonly pending = new Map<number, Pending>();
  private readonly listeners = new Map<string, (parameters: never) => void>();
  private lastId = 0;
  private hasEnded = false;

  constructor(
    private readonly main: Inspector,
    private readonly sessionId: string,
    title: string,
  ) {
    const [, threadId, name] = /^\[worker (\d+)\] ?(.*)$/s.exec(title) ?? [];
    this.threadId = Number(threadId);
    this.name = name ?? '';
  }

  async post(method: string, parameters?: object): Promise<unknown> {
    if (this.hasEnded) throw new Error('the worker has ended');
    const id = ++this.lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.pending.set(id, { resolve, reject }));
    const message = JSON.stringify({ id, method, params: parameters });
    this.main.post('NodeWorker.sendMessageToWorker', { sessionId: this.sessionId, message }).catch((error: Error) => {
      this.pending.get(id)?.reject(error);
      this.pending.delete(id);
    });
    return answer;
  }

  on(event: string, listener: (parameters: never) => void): void {
    this.listeners.set(event, listener);
  }

  /** Lets the worker go; it runs on without an inspector. */
  async detach(): Promise<void> {
    await this.main.post('NodeWorker.detach', { sessionId: this.sessionId });
  }

  receive({ id, result, error, method, params }: Message): void {
    if (id === undefined) {
      this.listeners.get(method ?? '')?.(params as never);
      return;
    }
    const pending = this.pending.get(id);
    this.pending.delete(id);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(error.message));
  }

  end(): void {
    this.hasEnded = true;
    for (const { reject } of this.pending.values()) reject(new Error('the worker has ended'));
    this.pending.clear();
  }
}
