/**
 * V8's CPU profiler of the main thread, driven from the agent's worker.
 *
 * Messages reach the main thread as interrupts, so all this works while its event loop is blocked in JS; a native call delays
 * them to its end. Windows overlap: the next one is begun before the last is ended, in one message, because starting V8's
 * profiler enumerates every compiled function on the main thread (18 ms in an empty program, 200–470 ms in a large one), whereas
 * a second profile beside a running one costs 0.1 ms. `console.profile` is the only way to have two.
 */
import { Session } from 'node:inspector';
import type { CpuProfile } from './cpu-profile.js';

/** Where the agent's own lines on the main thread claim to be from, so that its frames can be told. */
export const AGENT_SCRIPT = 'pilotlight:agent';

interface ProfileFinished {
  readonly params: { readonly title?: string; readonly profile: CpuProfile };
}
interface Evaluated {
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

export class MainThreadProfiler {
  private readonly session = new Session();
  private readonly finished = new Map<string, (profile: CpuProfile) => void>();
  private sequence = 0;
  private readonly titlePrefix = `pilotlight-${process.pid}-`;

  /** Connects and starts the first window. Reject: profiling is not possible here. */
  async start(intervalMicros: number): Promise<void> {
    this.session.connectToMainThread();
    this.session.on('Profiler.consoleProfileFinished', ({ params }: ProfileFinished) => {
      this.finished.get(params.title ?? '')?.(params.profile);
    });
    await this.post('Profiler.enable');
    await this.post('Profiler.setSamplingInterval', { interval: Math.round(intervalMicros) });
    await this.evaluate(`c.profile('${this.title(0)}')`);
  }

  /** Ends the window and gives it; the next one has begun already. */
  async rotate(): Promise<CpuProfile> {
    const profile = this.once(this.title(this.sequence));
    await this.evaluate(`c.profile('${this.title(this.sequence + 1)}');c.profileEnd('${this.title(this.sequence)}')`);
    this.sequence++;
    return profile;
  }

  /** Ends the window and gives it; no other follows. */
  async finish(): Promise<CpuProfile> {
    const profile = this.once(this.title(this.sequence));
    await this.evaluate(`c.profileEnd('${this.title(this.sequence)}')`);
    return profile;
  }

  /**
   * While any session is connected, Node hands each call of `console.log` to the inspector too, which keeps the arguments of the
   * last 1,000 calls alive. This lets go of them.
   */
  async forgetConsole(): Promise<void> {
    await this.post('Runtime.discardConsoleEntries');
  }

  /** Ends the profiler; what it has not given is lost. */
  disconnect(): void {
    this.session.disconnect();
  }

  private title(sequence: number): string {
    return `${this.titlePrefix}${sequence}`;
  }

  private once(title: string): Promise<CpuProfile> {
    return new Promise((resolve) => {
      this.finished.set(title, (profile) => {
        this.finished.delete(title);
        resolve(profile);
      });
    });
  }

  /** `c` is V8's own console: the application may have replaced the global one. */
  private async evaluate(statements: string): Promise<void> {
    const evaluated = (await this.post('Runtime.evaluate', {
      expression: `{const c=process.getBuiltinModule('node:inspector').console;${statements}}\n//# sourceURL=${AGENT_SCRIPT}`,
      silent: true,
    })) as Evaluated;
    const problem = evaluated.exceptionDetails;
    if (problem !== undefined) throw new Error(problem.exception?.description ?? problem.text);
  }

  private post(method: string, parameters?: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.session.post(method, parameters, (error, result) => (error === null ? resolve(result) : reject(error)));
    });
  }
}
