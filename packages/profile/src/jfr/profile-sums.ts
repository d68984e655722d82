import { SampleTableBuilder } from '../builder.js';
import { PilotlightError } from '../errors.js';
import type { ReadLimits } from '../limits.js';
import type { LabelSet, NamedProfile, StackTable } from '../model.js';
import type { Correlations } from './correlation.js';
import type { Period } from './period.js';
import { PROFILE_KINDS, type ProfileKind, type ProfileKindName } from './profile-kinds.js';

/** What holds for every profile of a recording. */
export interface ProfileFrame {
  readonly stacks: StackTable;
  readonly timeNanos: bigint;
  readonly durationNanos: number;
  readonly labels: LabelSet;
}

/** The sums of one profile while the chunks are read. */
export class ProfileSum {
  private readonly kind: ProfileKind;
  private readonly samples: SampleTableBuilder;
  /** The builder's label set of each correlation. */
  private readonly labelSets: number[] = [];
  /** Nanoseconds, bytes or count by where they come from. */
  private readonly periods = new Map<string, number>();

  constructor(
    private readonly name: ProfileKindName,
    private readonly correlations: Correlations,
    private readonly limits: ReadLimits,
  ) {
    this.kind = PROFILE_KINDS[name];
    this.samples = new SampleTableBuilder(this.kind.sampleTypes.length);
  }

  /** False when a sum would no longer be exact. */
  add(node: number, correlation: number, first: number, second: number): boolean {
    const { samples, limits } = this;
    const labelSet = (this.labelSets[correlation] ??= samples.labelSet(
      this.correlations.labelSets[correlation] as LabelSet,
    ));
    const added = samples.add(node, labelSet, first, second);
    if (samples.length > limits.samplesMax) {
      throw new PilotlightError(
        'samples_limit',
        `the ${this.name} profile has more than ${limits.samplesMax} samples`,
        {
          limit: limits.samplesMax,
        },
      );
    }
    return added;
  }

  stands(period: Period): void {
    this.periods.set(period.source, period.nanos);
  }

  finish({ stacks, timeNanos, durationNanos, labels }: ProfileFrame): NamedProfile {
    const { metric, sampleTypes, periodType } = this.kind;
    const periods = new Set(this.periods.values());
    return {
      metric,
      profile: {
        stacks,
        ...this.samples.finish(),
        sampleTypes,
        periodType,
        // Chunks of two producers may differ; no one number then stands for all samples.
        period: periods.size === 1 ? ([...periods][0] as number) : 0,
        timeNanos,
        durationNanos,
      },
      labels,
      periodSource: [...this.periods.keys()].join('; '),
    };
  }
}
