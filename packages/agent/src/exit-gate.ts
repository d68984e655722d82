/**
 * How the main thread leaves without tearing the worker's inspector session: a few numbers in shared memory.
 *
 * Node prints "Waiting for the debugger to disconnect..." when the process exits while a session is connected to its main
 * thread. So the worker says whether one is, and the main thread, on its way out, gives the worker a moment to close it and to
 * send its last window. The main thread waits in JS, in short slices: only so do the worker's messages reach it meanwhile.
 */

/** Cells of the shared array. */
const PHASE = 0;
const RELEASED = 1;

const DETACHED = 0;
const ATTACHED = 1;
const EXITING = 2;

const SESSION_CLOSED = 1;
const LAST_WINDOW_SENT = 2;

export const EXIT_GATE_BYTES = 8;

export class ExitGate {
  private readonly cells: Int32Array;

  constructor(shared: SharedArrayBuffer) {
    this.cells = new Int32Array(shared);
  }

  /** Worker: a session is about to be connected. False: the process is on its way out, leave it alone. */
  attach(): boolean {
    return Atomics.compareExchange(this.cells, PHASE, DETACHED, ATTACHED) === DETACHED;
  }

  /** Worker: the session is closed again. */
  detach(): void {
    Atomics.compareExchange(this.cells, PHASE, ATTACHED, DETACHED);
  }

  /** Worker, on exit: nothing is connected to the main thread any more. */
  sessionClosed(): void {
    this.release(SESSION_CLOSED);
  }

  /** Worker, on exit: there is nothing left to wait for. */
  lastWindowSent(): void {
    this.release(LAST_WINDOW_SENT);
  }

  /** Main thread: from here on nobody attaches. True when the worker has something to close. */
  exit(): boolean {
    return Atomics.exchange(this.cells, PHASE, EXITING) === ATTACHED;
  }

  /** Main thread: waits for the worker, at most this long. */
  wait(sessionMillisMax: number, uploadMillisMax: number): void {
    const began = performance.now();
    for (;;) {
      const released = Atomics.load(this.cells, RELEASED);
      if (released === LAST_WINDOW_SENT) return;
      const millisMax = released === SESSION_CLOSED ? uploadMillisMax : sessionMillisMax;
      if (performance.now() - began >= millisMax) return;
      Atomics.wait(this.cells, RELEASED, released, 1);
    }
  }

  private release(step: number): void {
    Atomics.store(this.cells, RELEASED, step);
    Atomics.notify(this.cells, RELEASED);
  }
}
