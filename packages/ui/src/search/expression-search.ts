/** `names` is left out when they are those of the request before. */
export interface WorkerRequest {
  readonly id: number;
  readonly names?: readonly string[];
  readonly source: string;
  readonly flags: string;
}

export interface WorkerAnswer {
  readonly id: number;
  readonly matches: Uint8Array;
}

/** What of a `Worker` is used; tests hand in their own. */
export interface SearchThread {
  onmessage: ((event: MessageEvent<WorkerAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: WorkerRequest): void;
  terminate(): void;
}

export type ExpressionResult =
  | { readonly kind: 'found'; readonly matches: Uint8Array }
  /** It took longer than allowed, and was stopped. */
  | { readonly kind: 'stopped' }
  /** A newer search took its place. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Honest expressions take a few milliseconds on 10,000 names; this leaves room for a slow machine. */
export const SEARCH_MILLIS_MAX = 1_000;

/** One expression at a time; a new one stops the one before. */
export class ExpressionSearch {
  private thread: SearchThread | undefined;
  private sentNames: readonly string[] | undefined;
  private lastId = 0;
  private finish: ((result: ExpressionResult) => void) | undefined;

  constructor(
    private readonly startThread: () => SearchThread,
    private readonly millisMax = SEARCH_MILLIS_MAX,
  ) {}

  search(names: readonly string[], source: string, flags: string): Promise<ExpressionResult> {
    if (this.finish !== undefined) {
      this.finish({ kind: 'replaced' });
      this.stop();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        finish({ kind: 'stopped' });
        this.stop();
      }, this.millisMax);
      const finish = (result: ExpressionResult) => {
        clearTimeout(timer);
        this.finish = undefined;
        resolve(result);
      };
      this.finish = finish;
      const id = ++this.lastId;
      const thread = (this.thread ??= this.startThread());
      thread.onmessage = ({ data }) => {
        if (data.id === id) finish({ kind: 'found', matches: data.matches });
      };
      thread.onerror = (event) => {
        finish({ kind: 'failed', reason: event.message || 'the search thread could not start' });
        this.stop();
      };
      thread.postMessage(this.sentNames === names ? { id, source, flags } : { id, names, source, flags });
      this.sentNames = names;
    });
  }

  /** Ends the thread; the next search starts another. */
  stop(): void {
    this.thread?.terminate();
    this.thread = undefined;
    this.sentNames = undefined;
  }
}
