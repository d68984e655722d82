import { PilotlightError } from '../errors.js';
import { DEFAULT_READ_LIMITS, type ReadLimits } from '../limits.js';
import { type LabelSet, type Reading, SAMPLE_VALUE_MAX } from '../model.js';
import { cutToBytes } from '../name-limit.js';
import { type Chunk, type ChunkFault, listChunks } from './chunk.js';
import { readConstantPools } from './constant-pool.js';
import { decodeEvents } from './decode.js';
import { JfrNames } from './known-names.js';
import { NO_LABELS, readLabelsSnapshot } from './labels-snapshot.js';
import { readMetadata, type TypeTable } from './metadata.js';
import { SettingsInForce } from './period.js';
import { type ChunkSettings, NO_SETTINGS, readSettings } from './settings.js';
import { Sums } from './sums.js';
import { Cursor } from './wire.js';

const DETAIL_POOLS = ['java.lang.Thread'];

export interface JfrOptions {
  readonly limits?: ReadLimits;
  /** The inflated `LabelsSnapshot` that came with the recording. */
  readonly labels?: Uint8Array;
  /** Samples a second, used only where the recording names no period of its own. */
  readonly sampleRate?: number;
  /** For whoever reads many recordings of the same programs. */
  readonly names?: JfrNames;
  /** Also reads whose thread each event saw, for which span, and when: `details` of the profiles. */
  readonly details?: boolean;
}

/**
 * Reads a (not compressed) JDK Flight Recorder recording of version 2, as async-profiler and the JDK write it.
 *
 * A profile is made for each kind of event that occurs: `process_cpu`, `wall`, `memory`, `mutex`, `block`. All share
 * one stack table. Values are nanoseconds, bytes and counts; ticks are converted with the frequency of their chunk, and
 * the period of cpu and wall samples is the recording's own where it names one. Events without a stack trace are kept
 * under a marker frame.
 *
 * A chunk that is damaged or was never finished costs what is behind the damage, as a refusal, once a chunk could be
 * read; a recording of which nothing could be read throws `malformed_profile`. Over a limit of the whole it throws
 * `samples_limit` or `profile_size_limit`.
 *
 * Only sample events and the settings that name periods are decoded: arguments, environment and system properties are
 * passed over by their size.
 */
export function readJfr(bytes: Uint8Array, options: JfrOptions = {}): Reading {
  const { chunks, refused, unfinished } = listChunks(bytes);
  const { limits = DEFAULT_READ_LIMITS, labels, sampleRate, names: known = new JfrNames() } = options;
  const faults = [...refused];
  const snapshot = labels === undefined ? NO_LABELS : readLabelsSnapshot(labels);
  const cursor = new Cursor(bytes);
  const names = known.take(limits.nameBytesMax);
  const sums = new Sums(cursor, snapshot, limits, names, options.details === true);
  const startNanos = earliestStart(chunks);

  let carried = NO_SETTINGS;
  let event = '';
  for (const chunk of chunks) {
    try {
      const types = readMetadata(cursor, chunk, known.types);
      const settings = readChunk(cursor, chunk, types, sums, { carried, sampleRate, startNanos }, faults);
      carried = settings.merged;
      event ||= settings.event;
    } catch (thrown) {
      const error = PilotlightError.from(thrown);
      if (error.code !== 'malformed_profile') throw error;
      faults.push({ number: chunk.number, error });
    }
  }
  if (faults.length === refused.length) known.giveBack(names);
  // `refused` are no part of `chunks`, all other faults are.
  const wholeChunks = chunks.length + refused.length - faults.length;
  if (wholeChunks === 0 && sums.isEmpty) throw nothingRead(faults, unfinished);
  for (const fault of faults) sums.refusals.add('damaged_chunk', () => describe(fault));
  if (unfinished !== undefined) sums.refusals.add('unfinished_chunk', () => describe(unfinished));
  return { profiles: sums.finish(timeOf(chunks), eventLabel(event, limits)), refusals: sums.refusals.list() };
}

function readChunk(
  cursor: Cursor,
  chunk: Chunk,
  types: TypeTable,
  sums: Sums,
  { carried, sampleRate, startNanos }: { carried: ChunkSettings; sampleRate: number | undefined; startNanos: bigint },
  faults: ChunkFault[],
): SettingsInForce {
  const pools = readConstantPools(cursor, chunk, types, sums.limits.tableRowsMax, sums.withDetails ? DETAIL_POOLS : []);
  const settings = new SettingsInForce(readSettings(cursor, chunk, types, pools), carried, sampleRate);
  const error = decodeEvents(cursor, chunk, { types, pools, settings, startNanos }, sums);
  if (error !== undefined) faults.push({ number: chunk.number, error });
  for (let i = 0; i < pools.undefinedTypes; i++) {
    sums.refusals.add('undefined_pool_type', () => `chunk ${chunk.number} has a pool of a type it does not define`);
  }
  return settings;
}

function describe({ number, error }: ChunkFault): string {
  return `chunk ${number}, ${error.message}`;
}

/** The error for a recording that has neither a whole chunk nor a sample. */
function nothingRead(faults: readonly ChunkFault[], unfinished: ChunkFault | undefined): PilotlightError {
  const [fault] = faults;
  if (fault !== undefined) {
    return new PilotlightError('malformed_profile', describe(fault), { ...fault.error.place, cause: fault.error });
  }
  const why = unfinished === undefined ? 'the recording is empty' : describe(unfinished);
  return new PilotlightError('malformed_profile', `no finished chunk: ${why}`, {
    offset: 0,
    ...unfinished?.error.place,
    cause: unfinished?.error,
  });
}

function eventLabel(event: string, limits: ReadLimits): LabelSet {
  return event === '' ? [] : [{ name: 'jfr_event', value: cutToBytes(event, limits.labelValueBytesMax) }];
}

/** From the earliest start to the latest end. */
function timeOf(chunks: readonly Chunk[]): { timeNanos: bigint; durationNanos: number } {
  const start = earliestStart(chunks);
  let end = start;
  for (const { timeNanos, durationNanos } of chunks) {
    if (timeNanos + durationNanos > end) end = timeNanos + durationNanos;
  }
  const duration = end - start;
  // A start before 1970 or a span of months comes from a broken header: no time is better than a wrong one.
  return {
    timeNanos: start > 0n ? start : 0n,
    durationNanos: duration <= BigInt(SAMPLE_VALUE_MAX) ? Number(duration) : 0,
  };
}

function earliestStart(chunks: readonly Chunk[]): bigint {
  let start = chunks[0]?.timeNanos ?? 0n;
  for (const { timeNanos } of chunks) if (timeNanos < start) start = timeNanos;
  return start;
}
