import { batch, effect, type ReadonlySignal, signal } from '@preact/signals';

/** Something asked of the server, as far as it has come. What was there before stays until something newer is, or is known not to come. */
export interface Resource<T> {
  readonly data: ReadonlySignal<T | undefined>;
  readonly error: ReadonlySignal<Error | undefined>;
  readonly loading: ReadonlySignal<boolean>;
  stop(): void;
}

/**
 * Loads whenever `request` changes; undefined asks for nothing. A request that is no longer wanted is given up, and its answer never
 * overwrites a newer one. When a question fails, the answer to the one before stays if both are about the same thing (`isAlike`).
 */
export function resource<Request, T>(
  request: ReadonlySignal<Request | undefined>,
  load: (request: Request, abort: AbortSignal) => Promise<T>,
  isAlike: (a: Request, b: Request) => boolean = () => true,
): Resource<T> {
  const data = signal<T | undefined>(undefined);
  const error = signal<Error | undefined>(undefined);
  const loading = signal(false);
  let answered: Request | undefined;
  const stop = effect(() => {
    const wanted = request.value;
    if (wanted === undefined) {
      loading.value = false;
      return;
    }
    const controller = new AbortController();
    loading.value = true;
    load(wanted, controller.signal).then(
      (answer) => {
        if (controller.signal.aborted) return;
        answered = wanted;
        batch(() => {
          data.value = answer;
          error.value = undefined;
          loading.value = false;
        });
      },
      (thrown: unknown) => {
        if (controller.signal.aborted) return;
        batch(() => {
          if (answered !== undefined && !isAlike(answered, wanted)) data.value = undefined;
          error.value = thrown instanceof Error ? thrown : new Error(String(thrown));
          loading.value = false;
        });
      },
    );
    return () => controller.abort();
  });
  return { data, error, loading, stop };
}
