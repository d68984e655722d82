/**
 * V8's CPU profiler of one thread, driven from the agent's worker.
 *
 * Windows overlap: the next one is begun before the last is ended, in one message, because starting V8's profiler enumerates
 * every compiled function on that thread (18 ms in an empty program, 200–470 ms in a large one), whereas a second profile beside
 * a running one costs 0.1 ms. `console.profile` is the only way to have two.
 */
import type { CpuProfile } from './cpu-profile.js';
import type { Inspector } from './inspector.js';

/** Where the agent's own lines on a thread claim to be from, so that its frames can be told. */
export const AGENT_SCRIPT = 'pilotlight:agent';

interface ProfileFinished {
  readonly title?: string;
  readonly profile: CpuProfile;
}
interface Evaluated {
  readonly result?: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

export class ThreadProfiler {
  private finished: ProfileFinished | undefined;
  private sequence = 0;
  private readonly titlePrefix = `pilotlight-${process.pid}-`;

  constructor(private readonly inspector: Inspector) {
    inspector.on('Profiler.consoleProfileFinished', (finished: ProfileFinished) => {
      // The application may have profiles of its own.
      if (finished.title === this.title(this.sequence)) this.finished = finished;
    });
  }

  /** Starts the first window. Reject: profiling is not possible here. */
  async start(intervalMicros: number): Promise<void> {
    await this.inspector.post('Profiler.enable');
    await this.inspector.post('Profiler.setSamplingInterval', { interval: Math.round(intervalMicros) });
    await this.evaluate(`c.profile('${this.title(0)}')`);
  }

  /** Ends the window and gives it; the next one has begun already. */
  async rotate(): Promise<CpuProfile> {
    const { sequence } = this;
    await this.evaluate(`c.profile('${this.title(sequence + 1)}');c.profileEnd('${this.title(sequence)}')`);
    const profile = this.takeFinished();
    this.sequence++;
    return profile;
  }

  /** Ends the window and gives it; no other follows. */
  async finish(): Promise<CpuProfile> {
    await this.evaluate(`c.profileEnd('${this.title(this.sequence)}')`);
    return this.takeFinished();
  }

  /**
   * While any session is connected, Node hands each call of `console.log` to the inspector too, which keeps the arguments of the
   * last 1,000 calls alive. This lets go of them.
   */
  async forgetConsole(): Promise<void> {
    await this.inspector.post('Runtime.discardConsoleEntries');
  }

  /** By this name Linux knows the thread; undefined elsewhere, and where the permission model hides it. */
  async nativeThread(): Promise<string | undefined> {
    const link = await this.evaluate(
      `try{process.getBuiltinModule('node:fs').readlinkSync('/proc/thread-self')}catch{}`,
    );
    return typeof link === 'string' ? /\/task\/(\d+)$/.exec(link)?.[1] : undefined;
  }

  private title(sequence: number): string {
    return `${this.titlePrefix}${sequence}`;
  }

  /** V8 sends the profile before it answers the message that ended it. */
  private takeFinished(): CpuProfile {
    const { finished } = this;
    this.finished = undefined;
    if (finished === undefined) throw new Error('V8 gave no profile');
    return finished.profile;
  }

  /** `c` is V8's own console: the application may have replaced the global one. */
  private async evaluate(statements: string): Promise<unknown> {
    const { exceptionDetails, result } = (await this.inspector.post('Runtime.evaluate', {
      expression: `{const c=process.getBuiltinModule('node:inspector').console;${statements}}\n//# sourceURL=${AGENT_SCRIPT}`,
      silent: true,
    })) as Evaluated;
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result?.value;
  }
}
