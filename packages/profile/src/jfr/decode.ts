import { PilotlightError } from '../errors.js';
import { SAMPLE_VALUE_MAX } from '../model.js';
import type { Chunk } from './chunk.js';
import type { ConstantPools } from './constant-pool.js';
import { CORRELATION_FIELDS } from './correlation.js';
import { EVENT_RULES, type EventRule } from './event-rules.js';
import { walkEvents } from './event-walk.js';
import { FieldReader } from './fields.js';
import type { Type, TypeTable } from './metadata.js';
import type { Period, SettingsInForce } from './period.js';
import type { ProfileKindName } from './profile-kinds.js';
import { StackReader } from './stacks.js';
import type { ProfileSum, Sums } from './sums.js';
import { TickClock } from './ticks.js';
import type { Cursor } from './wire.js';

/** What is needed to read the events of a chunk. */
export interface ChunkTables {
  readonly types: TypeTable;
  readonly pools: ConstantPools;
  readonly settings: SettingsInForce;
}

const STACK = 0;
const STATE = 1;
const VALUE = 2;
const CORRELATION = 3;

/** Nanoseconds of a unit of `jdk.jfr.Timespan` other than TICKS. */
const TIMESPAN_NANOS = new Map([
  ['NANOSECONDS', 1],
  ['MICROSECONDS', 1e3],
  ['MILLISECONDS', 1e6],
  ['SECONDS', 1e9],
]);

/** Adds the events of a chunk to the sums; returns why the walk ended early, if it did. */
export function decodeEvents(
  cursor: Cursor,
  chunk: Chunk,
  tables: ChunkTables,
  sums: Sums,
): PilotlightError | undefined {
  const stacks = new StackReader(cursor, tables.pools, sums);
  const states = readStates(tables);
  const decoders = new Map<number, EventDecoder>();
  for (const rule of EVENT_RULES) {
    const type = tables.types.name(rule.event);
    if (type) decoders.set(type.id, new EventDecoder(rule, type, chunk, states, tables, stacks, sums));
  }
  return walkEvents(cursor, chunk, (type, start) => {
    const decoder = decoders.get(type);
    if (decoder === undefined) return;
    try {
      decoder.decode(cursor);
    } catch (thrown) {
      // The event's size is right, so what is wrong inside it costs only the event. A limit ends the reading.
      const error = PilotlightError.from(thrown);
      if (error.code !== 'malformed_profile') throw error;
      sums.refusals.add('malformed_event', () => `chunk ${chunk.number}, event at ${start}, ${error.message}`);
    }
  });
}

/** Names of thread states by index in their pool. */
function readStates({ pools }: ChunkTables): string[] {
  const pool = pools.named('jdk.types.ThreadState');
  return Array.from({ length: pool?.length ?? 0 }, (_, index) => (pool ? pools.entryText(pool, index, 64) : ''));
}

/** A profile that events go to, with the period that holds in the chunk. */
interface Target {
  readonly profile: ProfileSum;
  readonly period: Period;
}

class EventDecoder {
  private readonly fields: FieldReader;
  private readonly clock: TickClock;
  /** Nanoseconds of a unit of the measured field; 0 for ticks. */
  private readonly unitNanos: number;
  private readonly hasState: boolean;
  private readonly targets = new Map<ProfileKindName, Target>();

  constructor(
    private readonly rule: EventRule,
    type: Type,
    private readonly chunk: Chunk,
    private readonly states: readonly string[],
    private readonly tables: ChunkTables,
    private readonly stacks: StackReader,
    private readonly sums: Sums,
  ) {
    this.fields = new FieldReader(type, ['stackTrace', 'state', rule.field, ...CORRELATION_FIELDS]);
    this.clock = new TickClock(chunk.ticksPerSecond);
    this.unitNanos = TIMESPAN_NANOS.get(this.fields.fields[VALUE]?.timespan ?? '') ?? 0;
    this.hasState = this.fields.fields[STATE] !== undefined;
  }

  decode(cursor: Cursor): void {
    const { fields, rule, sums } = this;
    fields.read(cursor, this.tables.pools.text);
    const kinds = rule.kinds(this.hasState ? this.state() : '', this.tables.settings);
    if (kinds.length === 0) return;
    const value = rule.field === '' ? 1 : fields.number(VALUE);
    const measured = rule.isTimespan && value <= SAMPLE_VALUE_MAX ? this.nanos(value) : value;
    if (!(measured >= 0 && measured <= SAMPLE_VALUE_MAX)) {
      const reason = value < 0 ? 'negative_value' : 'value_over_limit';
      sums.refusals.add(reason, () => `chunk ${this.chunk.number}: ${rule.field} of ${rule.event} is ${value}`);
      return;
    }
    const correlation = sums.correlations.of(fields, CORRELATION);
    const node = this.stacks.node(fields.low[STACK] as number, fields.high[STACK] as number);
    for (const kind of kinds) this.add(this.targets.get(kind) ?? this.target(kind), node, correlation, measured, value);
  }

  private add({ profile, period }: Target, node: number, correlation: number, measured: number, value: number): void {
    const { rule, sums } = this;
    let first = 1;
    let second = 0;
    if (rule.measure === 'samples') first = measured * period.value;
    else if (rule.measure === 'duration') {
      first = measured;
      profile.sampledEvery({
        value: this.clock.roundedNanos(value),
        source: `the ${rule.field} of each ${rule.event}`,
      });
    } else if (rule.measure === 'count and field') second = measured;
    if (profile.add(node, correlation, first, second)) return;
    sums.refusals.add(
      'value_over_limit',
      () => `chunk ${this.chunk.number}: a ${rule.event} brings the sum of its stack over 2^53 − 1`,
    );
  }

  private target(kind: ProfileKindName): Target {
    const profile = this.sums.profile(kind);
    const period = this.tables.settings.period(kind);
    if (this.rule.measure !== 'duration') profile.sampledEvery(period);
    const target = { profile, period };
    this.targets.set(kind, target);
    return target;
  }

  private state(): string {
    const pool = this.tables.pools.named('jdk.types.ThreadState');
    const { low, high } = this.fields;
    const index = pool === undefined ? -1 : pool.keys.find(low[STATE] as number, high[STATE] as number);
    return this.states[index] ?? '';
  }

  /** Nanoseconds of a span; whoever is negative stays so. */
  private nanos(value: number): number {
    if (value < 0) return value;
    return this.unitNanos === 0 ? this.clock.nanos(value) : value * this.unitNanos;
  }
}
