/** The inspector of one thread as the agent uses it: commands with answers, and events. */
import { Session } from 'node:inspector';

export interface Inspector {
  /** Rejects when the command fails or the thread is gone. An answer may be long in coming: a thread in native code gives it at the end of that. */
  post(method: string, parameters?: object): Promise<unknown>;
  on(event: string, listener: (parameters: never) => void): void;
}

/**
 * The main thread's, from a worker. Messages reach it as interrupts, so this works while its event loop is blocked in JS; a
 * native call delays them to its end.
 */
export class MainInspector implements Inspector {
  private readonly session = new Session();

  connect(): void {
    this.session.connectToMainThread();
  }

  disconnect(): void {
    this.session.disconnect();
  }

  post(method: string, parameters?: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.session.post(method, parameters, (error, result) => (error === null ? resolve(result) : reject(error)));
    });
  }

  on(event: string, listener: (parameters: never) => void): void {
    this.session.on(event, ({ params }: { params: never }) => listener(params));
  }
}
