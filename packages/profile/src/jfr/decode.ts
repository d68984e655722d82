import { PilotlightError } from '../errors.js';
import { SAMPLE_VALUE_MAX } from '../model.js';
import type { Chunk } from './chunk.js';
import type { ConstantPool, ConstantPools } from './constant-pool.js';
import { CORRELATION_FIELDS } from './correlation.js';
import { detailFields, EventDetails } from './event-details.js';
import { EVENT_RULES, type EventRule } from './event-rules.js';
import { EventWalk } from './event-walk.js';
import { FieldReader } from './fields.js';
import type { Type, TypeTable } from './metadata.js';
import type { SettingsInForce } from './period.js';
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
  /** When the recording starts, nanoseconds since the epoch. */
  readonly startNanos: bigint;
}

const STACK = 0;
const STATE = 1;
const VALUE = 2;
const CORRELATION = 3;
const DETAILS = CORRELATION + CORRELATION_FIELDS.length;
/** async-profiler's types are below. */
const LOW_TYPES = 256;

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
  const details = sums.withDetails ? new EventDetails(cursor, chunk, tables.pools, sums, tables.startNanos) : undefined;
  const decoders = new Map<number, EventDecoder>();
  for (const rule of EVENT_RULES) {
    const type = tables.types.name(rule.event);
    if (type) decoders.set(type.id, new EventDecoder(rule, type, chunk, states, tables, stacks, sums, details));
  }
  // A look into an array is several times quicker than one into a map.
  const lowDecoders = new Array<EventDecoder | undefined>(LOW_TYPES);
  for (const [type, decoder] of decoders) if (type < LOW_TYPES) lowDecoders[type] = decoder;
  const walk = new EventWalk(cursor, chunk);
  while (walk.next()) {
    const decoder = walk.type < LOW_TYPES ? lowDecoders[walk.type] : decoders.get(walk.type);
    if (decoder === undefined) continue;
    try {
      decoder.decode(cursor);
    } catch (thrown) {
      // The event's size is right, so what is wrong inside it costs only the event. A limit ends the reading.
      const error = PilotlightError.from(thrown);
      if (error.code !== 'malformed_profile') throw error;
      sums.refusals.add('malformed_event', () => `chunk ${chunk.number}, event at ${walk.start}, ${error.message}`);
    }
  }
  return walk.fault;
}

/** Names of thread states by index in their pool. */
function readStates({ pools }: ChunkTables): string[] {
  const pool = pools.named('jdk.types.ThreadState');
  return Array.from({ length: pool?.length ?? 0 }, (_, index) => (pool ? pools.entryText(pool, index, 64) : ''));
}

/** A profile that events go to, with the period that holds in the chunk. */
interface Target {
  readonly profile: ProfileSum;
  readonly period: number;
  /** 1 + the row of the samples without labels of each stack trace of the chunk; 0 where none is known yet. */
  readonly rows: Int32Array;
}

/** Where events of one thread state go. Without any good event of theirs, they make no profile. */
interface Route {
  readonly kinds: readonly ProfileKindName[];
  targets: readonly Target[] | undefined;
}

class EventDecoder {
  private readonly fields: FieldReader;
  private readonly clock: TickClock;
  /** Nanoseconds of a unit of the measured field; 0 for ticks. */
  private readonly unitNanos: number;
  private readonly hasState: boolean;
  private readonly hasCorrelation: boolean;
  private readonly statePool: ConstantPool | undefined;
  private readonly measure: EventRule['measure'];
  private readonly durationSource: string;
  /** Nothing is measured. */
  private readonly isCounted: boolean;
  /** By index of the state in its pool; the last is that of events without one. */
  private readonly routes: readonly Route[];
  private readonly targets = new Map<ProfileKindName, Target>();

  constructor(
    private readonly rule: EventRule,
    type: Type,
    private readonly chunk: Chunk,
    states: readonly string[],
    private readonly tables: ChunkTables,
    private readonly stacks: StackReader,
    private readonly sums: Sums,
    private readonly details: EventDetails | undefined,
  ) {
    const further = details === undefined ? [] : detailFields(type);
    this.fields = new FieldReader(type, ['stackTrace', 'state', rule.field, ...CORRELATION_FIELDS, ...further]);
    this.clock = new TickClock(chunk.ticksPerSecond);
    this.unitNanos = TIMESPAN_NANOS.get(this.fields.fields[VALUE]?.timespan ?? '') ?? 0;
    this.hasState = this.fields.fields[STATE] !== undefined;
    this.hasCorrelation = this.fields.fields.slice(CORRELATION, DETAILS).some((field) => field !== undefined);
    this.statePool = tables.pools.named('jdk.types.ThreadState');
    this.measure = rule.measure;
    this.durationSource = `the ${rule.field} of each ${rule.event}`;
    this.isCounted = rule.field === '';
    const { settings } = tables;
    this.routes = [...states, ''].map((state) => ({ kinds: rule.kinds(state, settings), targets: undefined }));
  }

  decode(cursor: Cursor): void {
    const { fields, rule, sums, stacks } = this;
    fields.read(cursor, this.tables.pools.text);
    const route = this.route();
    if (route.kinds.length === 0) return;
    const value = this.isCounted ? 1 : fields.number(VALUE);
    const measured = rule.isTimespan && value <= SAMPLE_VALUE_MAX ? this.nanos(value) : value;
    if (!(measured >= 0 && measured <= SAMPLE_VALUE_MAX)) {
      this.refuse(value);
      return;
    }
    const correlation = this.hasCorrelation ? sums.correlations.of(fields, CORRELATION) : 0;
    const stack = stacks.index(fields.low[STACK] as number, fields.high[STACK] as number);
    const node = stacks.node(stack);
    route.targets ??= route.kinds.map((kind) => this.target(kind));
    for (let i = 0; i < route.targets.length; i++) {
      const target = route.targets[i] as Target;
      let row = correlation === 0 ? (target.rows[stack] as number) - 1 : -1;
      if (row < 0) {
        row = target.profile.row(node, correlation);
        if (correlation === 0) target.rows[stack] = row + 1;
      }
      this.add(target, row, measured, value, correlation);
    }
  }

  private add({ profile, period }: Target, row: number, measured: number, value: number, correlation: number): void {
    let first = 1;
    let second = 0;
    if (this.measure === 'samples') first = measured * period;
    else if (this.measure === 'count and field') second = measured;
    else if (this.measure === 'duration') {
      first = measured;
      profile.sampledEvery(this.clock.roundedNanos(value), this.durationSource);
    }
    if (profile.add(row, first, second)) {
      this.details?.add(profile, this.fields, DETAILS, row, correlation, first, second);
      return;
    }
    this.sums.refusals.add(
      'value_over_limit',
      () => `chunk ${this.chunk.number}: a ${this.rule.event} brings the sum of its stack over 2^53 − 1`,
    );
  }

  private refuse(value: number): void {
    const { rule, sums, chunk } = this;
    const reason = value < 0 ? 'negative_value' : 'value_over_limit';
    sums.refusals.add(reason, () => `chunk ${chunk.number}: ${rule.field} of ${rule.event} is ${value}`);
  }

  private target(kind: ProfileKindName): Target {
    let target = this.targets.get(kind);
    if (target === undefined) {
      const profile = this.sums.profile(kind);
      const period = this.tables.settings.period(kind);
      if (this.rule.measure !== 'duration') profile.sampledEvery(period.value, period.source);
      target = { profile, period: period.value, rows: new Int32Array(this.stacks.length) };
      this.targets.set(kind, target);
    }
    return target;
  }

  private route(): Route {
    const { routes, fields } = this;
    const none = routes.length - 1;
    if (!this.hasState) return routes[none] as Route;
    const pool = this.statePool;
    const index = pool === undefined ? -1 : pool.keys.find(fields.low[STATE] as number, fields.high[STATE] as number);
    return routes[index < 0 ? none : index] as Route;
  }

  /** Nanoseconds of a span; whoever is negative stays so. */
  private nanos(value: number): number {
    if (value < 0) return value;
    return this.unitNanos === 0 ? this.clock.nanos(value) : value * this.unitNanos;
  }
}
