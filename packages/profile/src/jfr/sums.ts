import { SampleTableBuilder, StackTableBuilder } from '../builder.js';
import { PilotlightError } from '../errors.js';
import type { ReadLimits } from '../limits.js';
import type { LabelSet, NamedProfile, Profile } from '../model.js';
import { RefusalTally } from '../refusal-tally.js';
import { Correlations } from './correlation.js';
import { DetailRows, JfrDetailTexts } from './detail-rows.js';
import type { LabelsSnapshot } from './labels-snapshot.js';
import { LetterBudget } from './letter-budget.js';
import type { MethodNames } from './method-names.js';
import { NamedFrames } from './named-frames.js';
import { PROFILE_KINDS, type ProfileKind, type ProfileKindName } from './profile-kinds.js';
import { StackPath } from './stack-path.js';
import type { Cursor } from './wire.js';

/** Recordings have one distinct node in 80 to 500 bytes. */
const BYTES_PER_NODE = 64;
const NODES_PER_FRAME = 4;

/** What the chunks of a recording add to. */
export class Sums {
  readonly stacks: StackTableBuilder;
  readonly refusals = new RefusalTally();
  readonly correlations: Correlations;
  readonly frames: NamedFrames;
  readonly stackPath: StackPath;
  readonly detailTexts = new JfrDetailTexts();
  private readonly profiles = new Map<ProfileKindName, ProfileSum>();

  constructor(
    cursor: Cursor,
    snapshot: LabelsSnapshot,
    readonly limits: ReadLimits,
    names: MethodNames,
    readonly withDetails: boolean,
  ) {
    const nodesExpected = Math.min(cursor.bytes.length / BYTES_PER_NODE, limits.nodesMax);
    this.stacks = new StackTableBuilder(nodesExpected, nodesExpected / NODES_PER_FRAME);
    this.stackPath = new StackPath(cursor);
    const budget = new LetterBudget(cursor.bytes.length);
    this.correlations = new Correlations(
      snapshot,
      limits,
      budget,
      this.refusals,
      withDetails ? this.detailTexts : undefined,
    );
    this.frames = new NamedFrames(names, this.stacks, budget, this.refusals);
  }

  get isEmpty(): boolean {
    return this.profiles.size === 0;
  }

  profile(name: ProfileKindName): ProfileSum {
    let profile = this.profiles.get(name);
    if (profile === undefined) {
      profile = new ProfileSum(name, this);
      this.profiles.set(name, profile);
    }
    return profile;
  }

  /** The profiles in the order of `PROFILE_KINDS`, all with one stack table. */
  finish(time: Pick<Profile, 'timeNanos' | 'durationNanos'>, labels: LabelSet): NamedProfile[] {
    const common = { stacks: this.stacks.finish(), ...time };
    const names = Object.keys(PROFILE_KINDS) as ProfileKindName[];
    return names.flatMap((name) => this.profiles.get(name)?.finish(common, labels) ?? []);
  }
}

/** The sums of one profile. */
export class ProfileSum {
  private readonly kind: ProfileKind;
  private readonly samples: SampleTableBuilder;
  private readonly details: DetailRows | undefined;
  /** The builder's label set of each correlation. */
  private readonly labelSets: number[] = [];
  private period: number | undefined;
  private readonly periodSources = new Set<string>();

  constructor(
    private readonly name: ProfileKindName,
    private readonly sums: Sums,
  ) {
    this.kind = PROFILE_KINDS[name];
    const { length } = this.kind.sampleTypes;
    this.samples = new SampleTableBuilder(length);
    this.details = sums.withDetails ? new DetailRows(sums.detailTexts, length) : undefined;
  }

  /** The row of a node and correlation, made at their first sight. */
  row(node: number, correlation: number): number {
    const { samples } = this;
    const { limits, correlations } = this.sums;
    const labelSet = (this.labelSets[correlation] ??= samples.labelSet(
      correlations.labelSets[correlation] as LabelSet,
    ));
    const row = samples.row(node, labelSet);
    if (samples.length > limits.samplesMax) {
      throw new PilotlightError(
        'samples_limit',
        `the ${this.name} profile has more than ${limits.samplesMax} samples`,
        {
          limit: limits.samplesMax,
        },
      );
    }
    return row;
  }

  /** False when a sum would no longer be exact. */
  add(row: number, first: number, second: number): boolean {
    return this.samples.addToRow(row, first, second);
  }

  /** Thread and span are indexes as the texts of the details have them. */
  addDetail(row: number, thread: number, span: number, timeOffsetMs: number, values: ArrayLike<number>): void {
    const { details, name } = this;
    const { limits, refusals } = this.sums;
    if (details === undefined) return;
    if (details.length < limits.tableRowsMax) details.add(row, thread, span, timeOffsetMs, values);
    else refusals.add('details_over_limit', () => `the ${name} profile has more than ${limits.tableRowsMax} details`);
  }

  /** Says how far apart samples are that were or will be added. Chunks may differ; no one number then holds for all. */
  sampledEvery(value: number, source: string): void {
    this.period = this.period === undefined || this.period === value ? value : 0;
    if (source !== '') this.periodSources.add(source);
  }

  finish(common: Pick<Profile, 'stacks' | 'timeNanos' | 'durationNanos'>, labels: LabelSet): NamedProfile {
    const { metric, sampleTypes, periodType } = this.kind;
    const made = this.samples.finish();
    return {
      metric,
      profile: { ...common, ...made, sampleTypes, periodType, period: this.period ?? 0 },
      labels,
      periodSource: [...this.periodSources].join('; '),
      ...(this.details && { details: this.details.finish(made.samples) }),
    };
  }
}
