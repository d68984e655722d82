import type { ProfileKindName } from './profile-kinds.js';
import type { ChunkSettings } from './settings.js';

/** How far apart two samples of a profile are, and who says so. */
export interface Period {
  /** In the unit of the profile's period type; 0 when unknown. */
  readonly value: number;
  /** In words, as in `the recording's interval setting`; '' when nobody says. */
  readonly source: string;
}

const UNKNOWN: Period = { value: 0, source: '' };

const CPU_DEFAULT_NANOS = 10_000_000;
const WALL_DEFAULT_NANOS = 50_000_000;
const SAMPLE_RATE_DEFAULT = 100;

/** The settings in force in a chunk: its own, and what it does not say itself from the chunks before it. */
export class SettingsInForce {
  constructor(
    private readonly own: ChunkSettings,
    private readonly carried: ChunkSettings,
    private readonly sampleRate: number | undefined,
  ) {}

  /**
   * The chunk has samples of `jdk.CPUTimeSample`, so that those of `jdk.ExecutionSample` would count the same time
   * twice.
   */
  get cpuTime(): boolean {
    return this.own.cpuTime;
  }

  /** For the chunk after this one. */
  get merged(): ChunkSettings {
    return {
      cpuTime: false,
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
    return this.event !== 'wall' && wholeNumber(this.option('wall')) >= 0;
  }

  period(kind: ProfileKindName): Period {
    switch (kind) {
      case 'cpu':
        return this.timePeriod('interval', this.event === 'wall');
      case 'wall':
        return this.mixed ? this.timePeriod('wall', true) : this.timePeriod('interval', this.event === 'wall');
      case 'allocInNewTlab':
      case 'allocOutsideTlab':
      case 'allocSample':
        return this.bytesPeriod('alloc');
      case 'malloc':
        return this.bytesPeriod('nativemem');
      default:
        return UNKNOWN;
    }
  }

  private timePeriod(option: string, wall: boolean): Period {
    const { own, carried } = this;
    // A JDK chunk in async-profiler's file (`jfrsync`) brings its own period, which then says more than a carried
    // option.
    return (
      fromOption(own.options, option, wall) ??
      fromPeriods(own) ??
      fromOption(carried.options, option, wall) ??
      fromPeriods(carried) ??
      fromRate(this.sampleRate)
    );
  }

  private bytesPeriod(option: string): Period {
    const value = wholeNumber(this.option(option));
    return value > 0 ? { value, source: `the recording's ${option} setting` } : UNKNOWN;
  }
}

function fromOption(options: ReadonlyMap<string, string>, name: string, wall: boolean): Period | undefined {
  const value = wholeNumber(options.get(name) ?? '');
  if (value < 0) return undefined;
  if (value > 0) return { value, source: `the recording's ${name} setting` };
  return {
    value: wall ? WALL_DEFAULT_NANOS : CPU_DEFAULT_NANOS,
    source: `async-profiler's default${wall ? ' for wall' : ''}, since the recording's ${name} setting is 0`,
  };
}

function fromPeriods({ periods }: ChunkSettings): Period | undefined {
  const value = periods.get('jdk.ExecutionSample');
  return value === undefined ? undefined : { value, source: "the recording's period of jdk.ExecutionSample" };
}

function fromRate(sampleRate: number | undefined): Period {
  if (sampleRate !== undefined && sampleRate > 0 && sampleRate <= 1e9) {
    return { value: Math.floor(1e9 / sampleRate), source: "the request's sample rate" };
  }
  return {
    value: 1e9 / SAMPLE_RATE_DEFAULT,
    source: `${SAMPLE_RATE_DEFAULT} samples a second, since neither the recording nor the request names a period`,
  };
}

/** −1 when the text is no whole number. */
function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : -1;
}
