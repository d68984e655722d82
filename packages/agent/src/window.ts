/** What the threads did in one window → one profile, in which each sample says its thread. */
import { mergeProfiles } from '@pilotlight/profile';
import { type Conversion, type ConversionOptions, convertCpuProfile } from './cpu-profile.js';
import type { ThreadWindow } from './worker-threads.js';

/** Of samples; the server takes it for no series. */
const THREAD_LABEL = 'thread_name';

type Circumstances = Omit<ConversionOptions, 'fromMicros' | 'cpuMillis'>;

export function convertThread(window: ThreadWindow, circumstances: Circumstances): Conversion {
  const { cpuProfile, threadName, ...rest } = window;
  const conversion = convertCpuProfile(cpuProfile, { ...rest, ...circumstances });
  // The conversion gives no labels: all samples have the one set, which was empty.
  const labelSets = [[{ name: THREAD_LABEL, value: threadName }]];
  return { ...conversion, profile: { ...conversion.profile, labelSets } };
}

/** Time and duration are the main thread's: the window's. */
export function mergeThreads(main: Conversion, workers: readonly Conversion[]): Conversion {
  if (workers.length === 0) return main;
  const { timeNanos, durationNanos } = main.profile;
  const merged = mergeProfiles([main.profile, ...workers.map(({ profile }) => profile)]);
  return {
    profile: { ...merged, timeNanos, durationNanos },
    wallMillis: main.wallMillis,
    // To V8 a worker that waits for a task by `Atomics.wait` is busy, so its scaled time counts.
    busyMillis: main.busyMillis + workers.reduce((sum, { profile }) => sum + cpuMillis(profile), 0),
    ticks: main.ticks + workers.reduce((sum, { ticks }) => sum + ticks, 0),
  };
}

function cpuMillis({ samples, sampleTypes }: Conversion['profile']): number {
  const cpu = samples.values[sampleTypes.findIndex(({ type }) => type === 'cpu')] as Float64Array;
  return cpu.reduce((sum, nanos) => sum + nanos, 0) / 1e6;
}
