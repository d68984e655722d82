/**
 * Keeps what profiling costs under a budget, by an account: each second earns `budget`, what profiling used is taken off. While
 * there is credit, profiling goes on; in debt it rests until the account holds the price of starting again. That bounds the mean,
 * whatever the machine, and makes an expensive start (a large program) rare by itself.
 *
 * Resting in turns is the last resort: the interval is lengthened first, so that steady profiling costs a little less than the budget.
 * V8 takes a new interval only when it starts, so the interval changes where a rest has made a start due anyway.
 *
 * It also rests when the application is idle: the sampler's signals wake the process, which is then the worst of all cases,
 * and there is nothing to see. Pure: it is told what happened and answers with the next state.
 */

export interface GovernorSettings {
  /** Share of one core, 0.01 for 1 %. */
  readonly budget: number;
  /** The interval that the operator asked for. */
  readonly intervalMicros: number;
}

export interface GovernorState {
  readonly phase: 'profiling' | 'resting';
  /** Why it rests. */
  readonly reason: 'none' | 'budget' | 'idle';
  /** The interval of this profiling phase, or of the next one. */
  readonly intervalMicros: number;
  /** CPU that may be used before the budget is exceeded; negative in debt. */
  readonly balanceMillis: number;
  /** What the last start cost. */
  readonly startMillis: number;
}

export type Observation =
  /** Profiling began. `costMillis`: since the last observation; `startMillis`: the part that each start costs. */
  | { readonly event: 'start'; readonly costMillis: number; readonly startMillis: number }
  /**
   * A window ended. Where threads have joined since the start: `startMillis` is for all threads that are profiled now, `joinMillis` the
   * part of the cost that was starts within the window.
   */
  | (Stretch & { readonly event: 'window'; readonly startMillis?: number; readonly joinMillis?: number })
  /** A stretch of rest. */
  | (Stretch & { readonly event: 'rest' });

interface Stretch {
  readonly wallMillis: number;
  /** CPU the agent used, on all threads. */
  readonly costMillis: number;
  /** How busy the application's threads were: 1 is one of them all the time. */
  readonly busyShare: number;
}

/** Credit to begin with, in milliseconds of earning: enough for a start, little enough to settle soon. */
const FIRST_CREDIT_MILLIS = 10_000;
/** No credit is kept beyond this, or a quiet hour would pay for an expensive one. */
const CREDIT_MAX_MILLIS = 60_000;
/** Below this share a window is idle: not ten samples in ten seconds. */
const IDLE_SHARE = 0.01;
/** Rest ends above this share, higher than IDLE_SHARE so that the two do not take turns. */
const AWAKE_SHARE = 0.02;
/** Steady profiling aims at this part of the budget; the rest pays for starts. */
const STEADY_PART = 0.85;
/** Fewer samples than this make no profile; beyond it only resting helps. */
const INTERVAL_FACTOR_MAX = 10;

export function initialState(settings: GovernorSettings): GovernorState {
  return {
    phase: 'profiling',
    reason: 'none',
    intervalMicros: settings.intervalMicros,
    balanceMillis: FIRST_CREDIT_MILLIS * settings.budget,
    startMillis: 0,
  };
}

export function observe(settings: GovernorSettings, state: GovernorState, observation: Observation): GovernorState {
  if (observation.event === 'start') {
    const { costMillis, startMillis } = observation;
    return { ...state, startMillis, balanceMillis: state.balanceMillis - costMillis };
  }
  const { wallMillis, costMillis, busyShare } = observation;
  const startMillis =
    observation.event === 'window' ? (observation.startMillis ?? state.startMillis) : state.startMillis;
  // A start must always be payable, however dear.
  const creditMax = Math.max(CREDIT_MAX_MILLIS * settings.budget, 2 * startMillis);
  const balanceMillis = Math.min(creditMax, state.balanceMillis + wallMillis * settings.budget - costMillis);
  const next = { ...state, balanceMillis, startMillis };

  if (observation.event === 'window') {
    const reason = busyShare < IDLE_SHARE ? 'idle' : balanceMillis < 0 ? 'budget' : 'none';
    if (reason === 'none') return next;
    const steadyMillis = costMillis - (observation.joinMillis ?? 0);
    const intervalMicros = steadyInterval(settings, state.intervalMicros, steadyMillis / wallMillis);
    return { ...next, phase: 'resting', reason, intervalMicros };
  }
  const isAffordable = balanceMillis >= startMillis;
  if (isAffordable && busyShare >= AWAKE_SHARE) return { ...next, phase: 'profiling', reason: 'none' };
  return next;
}

/** The interval at which a cost that falls with the rate would be what it should be; never shorter than the operator's. */
function steadyInterval(settings: GovernorSettings, intervalMicros: number, costShare: number): number {
  const wanted = intervalMicros * (costShare / (settings.budget * STEADY_PART));
  const shortest = settings.intervalMicros;
  // Whole milliseconds: a sample rate that differs a little from window to window tells nobody anything.
  const rounded = Math.ceil(wanted / 1000) * 1000;
  return Math.min(Math.max(rounded, shortest), shortest * INTERVAL_FACTOR_MAX);
}
