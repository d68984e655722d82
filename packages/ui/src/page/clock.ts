import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** What the page takes for now, in milliseconds: it stands still until something is asked for anew, so that all queries of a page agree. */
export class Clock {
  private readonly current: Signal<number>;
  /** Stops the ticks without forgetting how fast they are. */
  readonly paused = signal(false);

  constructor(private readonly readClock: () => number) {
    this.current = signal(readClock());
  }

  get now(): ReadonlySignal<number> {
    return this.current;
  }

  tick(): void {
    this.current.value = this.readClock();
  }

  /** Ticks every so many seconds while somebody can see it; 0: never. Returns what ends it. */
  tickEvery(seconds: ReadonlySignal<number>, isVisible: () => boolean): () => void {
    return effect(() => {
      if (seconds.value <= 0 || this.paused.value) return;
      const timer = setInterval(() => {
        if (isVisible()) this.tick();
      }, seconds.value * 1_000);
      return () => clearInterval(timer);
    });
  }
}
