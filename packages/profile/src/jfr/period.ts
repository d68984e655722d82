import type { ChunkSettings } from './settings.js';

/** How far apart two samples are, and who says so. */
export interface Period {
  readonly nanos: number;
  /** In words, as in `the recording's interval setting`. */
  readonly source: string;
}

const CPU_DEFAULT_NANOS = 10_000_000;
const WALL_DEFAULT_NANOS = 50_000_000;
const SAMPLE_RATE_DEFAULT = 100;

/** The settings in force in a chunk: its own, and what it does not say itself from the chunks before it. */
export class SettingsInForce {
  private own: ChunkSettings;

  constructor(
    own: ChunkSettings,
    private readonly carried: ChunkSettings,
    private readonly sampleRate: number | undefined,
  ) {
    this.own = own;
  }

  /** For the chunk after this one. */
  get merged(): ChunkSettings {
    return {
      options: new Map([...this.carried.options, ...this.own.options]),
      periods: new Map([...this.carried.periods, ...this.own.periods]),
    };
  }

  option(name: string): string {
    return this.own.options.get(name) ?? this.carried.options.get(name) ?? '';
  }

  /** What async-profiler was told to sample, as in `itimer` or `wall`; '' in a JDK recording. */
  get event(): string {
    return this.option('event');
  }

  /** Wall-clock samples come besides those of another event, at a period of their own. */
  get mixed(): boolean {
    return this.event !== 'wall' && /^\d/.test(this.option('wall'));
  }

  /** The period of samples that say how long a thread ran. */
  get cpu(): Period {
    return this.period('jdk.ExecutionSample', 'interval', this.event === 'wall');
  }

  get wall(): Period {
    return this.mixed
      ? this.period('jdk.ExecutionSample', 'wall', true)
      : this.period('jdk.ExecutionSample', 'interval', this.event === 'wall');
  }

  private period(event: string, option: string, wall: boolean): Period {
    // A JDK chunk in async-profiler's file (`jfrsync`) brings its own period, which then says more than a carried option.
    const { own, carried } = this;
    return (
      fromOption(own.options, option, wall) ??
      fromPeriods(own, event) ??
      fromOption(carried.options, option, wall) ??
      fromPeriods(carried, event) ??
      fromRate(this.sampleRate)
    );
  }
}

function fromOption(options: ReadonlyMap<string, string>, name: string, wall: boolean): Period | undefined {
  const text = options.get(name);
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  const nanos = Number(text);
  if (nanos > 0) return { nanos, source: `the recording's ${name} setting` };
  return {
    nanos: wall ? WALL_DEFAULT_NANOS : CPU_DEFAULT_NANOS,
    source: `async-profiler's default${wall ? ' for wall' : ''}, since the recording's ${name} setting is 0`,
  };
}

function fromPeriods(settings: ChunkSettings, event: string): Period | undefined {
  const nanos = settings.periods.get(event);
  return nanos === undefined ? undefined : { nanos, source: `the recording's period of ${event}` };
}

function fromRate(sampleRate: number | undefined): Period {
  if (sampleRate !== undefined && sampleRate > 0 && sampleRate <= 1e9) {
    return { nanos: Math.floor(1e9 / sampleRate), source: "the request's sample rate" };
  }
  return {
    nanos: 1e9 / SAMPLE_RATE_DEFAULT,
    source: `${SAMPLE_RATE_DEFAULT} samples a second, since neither the recording nor the request names a period`,
  };
}
