import {
  formatSelector,
  type PilotlightClient,
  type Selection,
  type StatusReport,
  type TimeRange,
} from '@pilotlight/protocol';
import { computed, type ReadonlySignal } from '@preact/signals';
import { NODES_MAX } from '../data/profile-data.js';
import { type Resource, resource } from '../data/resource.js';
import { loadMean, snapshotsOf } from '../data/snapshots.js';
import { loadTimeline, type TimelineData } from '../data/timeline-data.js';
import type { FlameFace } from '../flame/flame-data.js';
import { FlameState } from '../flame/flame-state.js';
import type { SpeakingStore } from '../flame/use-flame-actions.js';
import type { PageStore } from '../page/page-store.js';
import type { ExpressionSearch } from '../search/expression-search.js';
import { SearchState } from '../search/search-state.js';
import { profileTypeText } from '../values/profile-type.js';
import type { View } from '../view/view.js';
import type { LabelFilter, ViewState } from '../view/view-state.js';
import { type CompareData, type ComparedProfiles, compareData, comparedProfiles, type Side } from './compare-data.js';
import {
  type Comparison,
  readComparison,
  resolveBaseline,
  swapSides,
  timelineWindows,
  writeComparison,
} from './comparison.js';
import { diffFace } from './diff-face.js';

/** What is compared, wired together as the page's store is: the address asks, the resources answer, the states derive. */
export class CompareStore implements SpeakingStore {
  readonly view: View;
  readonly comparison: ReadonlySignal<Comparison>;
  readonly ranges: Readonly<Record<Side, ReadonlySignal<TimeRange>>>;
  readonly selections: ReadonlySignal<Readonly<Record<Side, Selection>> | undefined>;
  readonly profile: {
    readonly data: ReadonlySignal<CompareData | undefined>;
    readonly error: ReadonlySignal<Error | undefined>;
    readonly loading: ReadonlySignal<boolean>;
  };
  readonly timelines: Readonly<Record<Side, Resource<TimelineData>>>;
  /** Asked for what the server keeps, and for how long. */
  readonly status: Resource<StatusReport>;
  readonly flame: FlameState;
  readonly search: SearchState;
  readonly face: FlameFace<CompareData>;
  private readonly compared: Resource<ComparedProfiles>;

  constructor(
    readonly page: PageStore,
    private readonly expressions: ExpressionSearch,
  ) {
    const { client, view, clock } = page;
    this.view = view;
    this.comparison = computed(() => readComparison(view.get('compare')));
    const right = page.range;
    const left = unchanging(() => resolveBaseline(this.comparison.value.range, right.value, clock.now.value));
    this.ranges = { left, right };

    this.selections = unchanging(() => {
      const type = page.profileType.value?.id;
      const service = page.service.value;
      if (type === undefined || service === '') return undefined;
      const { service: leftService, labels } = this.comparison.value;
      return {
        left: { ...left.value, profileType: type, selector: selectorOf(leftService || service, labels) },
        right: { ...right.value, profileType: type, selector: selectorOf(service, view.get('labels')) },
      };
    });
    this.compared = resource(
      this.selections,
      (wanted, abort) => loadCompared(client, wanted, abort),
      (a, b) => isSameThing(a.left, b.left) && isSameThing(a.right, b.right),
    );
    const basis = computed(() => this.comparison.value.basis);
    this.profile = {
      data: computed(() => {
        const compared = this.compared.data.value;
        return compared && compareData(compared, basis.value);
      }),
      error: this.compared.error,
      loading: this.compared.loading,
    };

    const windows = computed(() => timelineWindows(left.value, right.value, clock.now.value));
    const timeline = (side: Side) =>
      resource(
        unchanging(() => {
          const selection = this.selections.value?.[side];
          return selection && { ...selection, ...windows.value[side === 'left' ? 0 : 1] };
        }),
        (selection, abort) =>
          loadTimeline(client, selection, profileTypeText(selection.profileType), clock.now.peek(), abort),
        isSameThing,
      );
    this.timelines = { left: timeline('left'), right: timeline('right') };
    this.status = resource(
      computed(() => true),
      (_, abort) => client.status(abort),
    );

    this.flame = new FlameState(view, this.profile.data);
    const typed = computed(() => view.get('search'));
    this.search = new SearchState(typed, this.profile.data, expressions);
    const of = computed(() => this.comparison.value.of);
    this.face = diffFace(of);
  }

  stop(): void {
    for (const each of [this.compared, this.timelines.left, this.timelines.right, this.status]) each.stop();
    this.expressions.stop();
  }

  say(message: string): void {
    this.page.say(message);
  }

  change(changes: Partial<Comparison>, kind: 'push' | 'replace' = 'push'): void {
    this.view.change({ compare: writeComparison({ ...this.comparison.peek(), ...changes }) }, kind);
  }

  changeRight(changes: Pick<Partial<ViewState>, 'labels' | 'range'>): void {
    this.view.change(changes);
  }

  swap(): void {
    const { range, labels } = this.view.peek();
    const service = this.page.service.peek();
    const swapped = swapSides({ range, service, labels, comparison: this.comparison.peek() }, this.ranges.left.peek());
    this.view.change({
      range: swapped.range,
      service: swapped.service,
      labels: swapped.labels,
      compare: writeComparison(swapped.comparison),
    });
  }
}

async function loadCompared(
  client: PilotlightClient,
  { left, right }: Readonly<Record<Side, Selection>>,
  abort: AbortSignal,
): Promise<ComparedProfiles> {
  const type = profileTypeText(right.profileType);
  const isLevel = type.over === 'nothing';
  const [diff, ...means] = await Promise.all([
    client.diff({ profileType: type.id, left, right }, NODES_MAX, abort),
    ...[left, right].map((selection) => (isLevel ? loadMean(client, selection, abort) : undefined)),
  ]);
  const snapshots = {
    left: snapshotsOf(type, diff.left.total[0] as number, means[0]),
    right: snapshotsOf(type, diff.right.total[0] as number, means[1]),
  };
  const secondsOf = ({ start, end }: TimeRange) => (end - start) / 1_000;
  return comparedProfiles(type, diff, snapshots, { left: secondsOf(left), right: secondsOf(right) });
}

function selectorOf(service: string, labels: readonly LabelFilter[]): string {
  return formatSelector([{ name: 'service_name', operator: '=', value: service }, ...labels]);
}

function isSameThing(a: Selection, b: Selection): boolean {
  return a.profileType === b.profileType && a.selector === b.selector;
}

/** A signal of plain data that stays the same object as long as it says the same: another object would ask the server again. */
function unchanging<T>(compute: () => T): ReadonlySignal<T> {
  const text = computed(() => JSON.stringify(compute()));
  return computed(() => (text.value === undefined ? undefined : JSON.parse(text.value)) as T);
}
