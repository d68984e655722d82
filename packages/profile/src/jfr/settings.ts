import { SAMPLE_VALUE_MAX } from '../model.js';
import type { Chunk } from './chunk.js';
import type { ConstantPools } from './constant-pool.js';
import { EventWalk } from './event-walk.js';
import { FieldReader } from './fields.js';
import type { TypeTable } from './metadata.js';
import type { Cursor } from './wire.js';

/**
 * What a recording says about itself in `jdk.ActiveSetting`.
 *
 * async-profiler writes its options (`event`, `interval`, `wall`, `alloc`) and does so in the first chunk only; the JDK
 * writes the settings of each event type (`period` of `jdk.ExecutionSample`) in every chunk. Only those named here are
 * read: others may hold paths and arguments.
 */
export interface ChunkSettings {
  /** Options of async-profiler by name. */
  readonly options: ReadonlyMap<string, string>;
  /** Nanoseconds between samples by event name, of a JDK recording. */
  readonly periods: ReadonlyMap<string, number>;
  /** The chunk has events of type `jdk.CPUTimeSample`. */
  readonly cpuTime: boolean;
}

export const NO_SETTINGS: ChunkSettings = { options: new Map(), periods: new Map(), cpuTime: false };

const OPTIONS = new Set(['event', 'interval', 'wall', 'alloc', 'nativemem']);
const ID = 0;
const NAME = 1;
const VALUE = 2;

const TIME_UNITS = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
  ['d', 86_400e9],
]);

export function readSettings(cursor: Cursor, chunk: Chunk, types: TypeTable, pools: ConstantPools): ChunkSettings {
  const type = types.name('jdk.ActiveSetting');
  const cpuTimeId = types.name('jdk.CPUTimeSample')?.id;
  const options = new Map<string, string>();
  const periods = new Map<string, number>();
  let cpuTime = false;
  const fields = type && new FieldReader(type, ['id', 'name', 'value']);
  // What is wrong with the events is told by the pass that decodes them.
  const walk = new EventWalk(cursor, chunk);
  while (walk.next()) {
    if (walk.type === cpuTimeId) cpuTime = true;
    if (fields === undefined || walk.type !== type?.id) continue;
    try {
      fields.read(cursor, pools.text);
    } catch {
      // A setting that cannot be read is one that is not there: the period then comes from the next source, and is
      // named so.
      continue;
    }
    const name = fields.texts[NAME] as string;
    const value = fields.texts[VALUE] as string;
    if (OPTIONS.has(name)) options.set(name, value);
    else if (name === 'period') {
      const nanos = parsePeriod(value);
      const event = types.id(fields.number(ID));
      if (event !== undefined && nanos > 0) periods.set(event.name, nanos);
    }
  }
  return { options, periods, cpuTime };
}

/** `20 ms` in nanoseconds; 0 for `everyChunk` and the like. */
function parsePeriod(text: string): number {
  const match = /^(\d{1,15}) ?([a-z]{1,2})$/.exec(text);
  if (match === null) return 0;
  const nanos = Number(match[1]) * (TIME_UNITS.get(match[2] as string) ?? 0);
  return nanos <= SAMPLE_VALUE_MAX ? nanos : 0;
}
