/** After this long an end that hangs is made an end. */
const CLOSE_MILLIS_MAX = 10_000;
/** Signals closer together than this are one wish: Ctrl-C in a terminal reaches us and npm, which passes its own on. */
const SAME_WISH_MILLIS = 500;

/**
 * Waits for SIGINT or SIGTERM, closes, and ends the process: with 0 when closed in order, with 1 when closing failed, took too
 * long, or a second signal asked for an end at once.
 */
export async function untilSignal(close: () => Promise<void>): Promise<never> {
  await new Promise<void>((resolve) => {
    let first: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (first !== undefined && performance.now() - first > SAME_WISH_MILLIS) process.exit(1);
        first ??= performance.now();
        resolve();
      });
    }
  });
  setTimeout(() => process.exit(1), CLOSE_MILLIS_MAX).unref();
  await close();
  process.exit(0);
}
