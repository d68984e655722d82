import { effect, type ReadonlySignal, signal } from '@preact/signals';

/** Something asked of the server, as far as it has come. What was there before stays until something newer is. */
export interface Resource<T> {
  readonly data: ReadonlySignal<T | undefined>;
  readonly error: ReadonlySignal<Error | undefined>;
  readonly loading: ReadonlySignal<boolean>;
  stop(): void;
}

/**
 * Loads whenever `request` changes; undefined asks for nothing. A request that is no longer wanted is given up, and its answer never
 * overwrites a newer one.
 */
export function resource<Request, T>(
  request: ReadonlySignal<Request | undefined>,
  load: (request: Request, abort: AbortSignal) => Promise<T>,
): Resource<T> {
  const data = signal<T | undefined>(undefined);
  const error = signal<Error | undefined>(undefined);
  const loading = signal(false);
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
        data.value = answer;
        error.value = undefined;
        loading.value = false;
      },
      (thrown: unknown) => {
        if (controller.signal.aborted) return;
        error.value = thrown instanceof Error ? thrown : new Error(String(thrown));
        loading.value = false;
      },
    );
    return () => controller.abort();
  });
  return { data, error, loading, stop };
}
