import {
  formatSelector,
  type PilotlightClient,
  type Selection,
  type StatusReport,
  type TimeRange,
} from '@pilotlight/protocol';
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { type Catalog, loadCatalog } from '../data/catalog.js';
import { loadProfile, type ProfileData } from '../data/profile-data.js';
import { type Resource, resource } from '../data/resource.js';
import type { TimelineData } from '../data/timeline-data.js';
import { FlameState } from '../flame/flame-state.js';
import type { ExpressionSearch } from '../search/expression-search.js';
import { SearchState } from '../search/search-state.js';
import { transformed } from '../transform/transformed.js';
import { mostTelling, type ProfileTypeText, profileTypeText } from '../values/profile-type.js';
import { resolveRange } from '../view/time-range.js';
import type { View } from '../view/view.js';
import type { Clock } from './clock.js';
import type { ProfileScene } from './profile-scene.js';

/** Seconds between looks for the first profile while the store is empty. */
const EMPTY_LOOK_SECONDS = 5;

/** What the whole page knows, wired together: the view asks, the resources answer, the states derive. */
export class PageStore implements ProfileScene {
  readonly range: ReadonlySignal<TimeRange>;
  readonly catalog: Resource<Catalog>;
  readonly status: Resource<StatusReport>;
  /** The service and type that are shown: those of the view, or the first and most telling there are. */
  readonly service: ReadonlySignal<string>;
  readonly profileType: ReadonlySignal<ProfileTypeText | undefined>;
  readonly selection: ReadonlySignal<Selection | undefined>;
  readonly profile: Resource<ProfileData>;
  readonly timeline: Resource<TimelineData>;
  readonly flame: FlameState;
  readonly search: SearchState;
  /** The last thing done that nothing else shows, said aloud and shown for a while. */
  readonly message = signal('');
  /** A file that is looked at in place of what the server has. It is nowhere but here. */
  readonly file = signal<File | undefined>(undefined);

  constructor(
    readonly client: PilotlightClient,
    readonly view: View,
    readonly clock: Clock,
    expressions: ExpressionSearch,
  ) {
    const choice = computed(() => view.get('range'));
    this.range = computed(() => resolveRange(choice.value, clock.now.value));
    this.catalog = resource(this.range, (range, abort) => loadCatalog(client, range, abort));
    // Asked for only while there is nothing to show: is this range empty, or the whole store?
    const nothingHere = computed(() => (this.catalog.data.value?.size === 0 ? clock.now.value : undefined));
    this.status = resource(nothingHere, (_, abort) => client.status(abort));

    this.service = computed(() => view.get('service') || (this.catalog.data.value?.keys().next().value ?? ''));
    // Texts before what is made of them: an equal text wakes nobody, an equal object would ask the server again.
    const typeId = computed(
      () => view.get('profileType') || mostTelling(this.catalog.data.value?.get(this.service.value) ?? []),
    );
    this.profileType = computed(() => (typeId.value === '' ? undefined : profileTypeText(typeId.value)));
    const labels = computed(() => view.get('labels'));
    const selector = computed(() =>
      formatSelector([{ name: 'service_name', operator: '=', value: this.service.value }, ...labels.value]),
    );
    this.selection = computed(() => {
      const type = this.profileType.value;
      if (this.service.value === '' || type === undefined) return undefined;
      return { ...this.range.value, profileType: type.id, selector: selector.value };
    });
    // One service's graph below another's name would be a lie; an older one of the same is merely old.
    const isSameThing = (a: Selection, b: Selection) => a.profileType === b.profileType && a.selector === b.selector;
    // A comparison asks for itself.
    const single = computed(() => (view.get('compare') === '' ? this.selection.value : undefined));
    const whole = resource(single, (selection, abort) => loadProfile(client, selection, abort), isSameThing);
    const kept = transformed(
      whole.data,
      computed(() => view.get('transforms')),
    );
    this.profile = {
      ...whole,
      data: kept.data,
      loading: computed(() => whole.loading.value || kept.loading.value),
    };
    this.timeline = resource(
      single,
      async (selection, abort) => {
        // The graph first: what draws the timeline is no part of the first load.
        const { loadTimeline } = await import('../data/timeline-data.js');
        return loadTimeline(client, selection, profileTypeText(selection.profileType), clock.now.peek(), abort);
      },
      isSameThing,
    );
    this.flame = new FlameState(view, this.profile.data);
    const typed = computed(() => view.get('search'));
    this.search = new SearchState(typed, this.profile.data, expressions);
  }

  /** Whether anything was ever kept; undefined: not known yet. */
  get isEmpty(): boolean | undefined {
    const catalog = this.catalog.data.value;
    if (catalog === undefined) return undefined;
    if (catalog.size > 0) return false;
    const status = this.status.data.value;
    return status === undefined ? undefined : status.series === 0;
  }

  /** Refreshes as often as the view says; an empty store is looked at until the first profile is there. Returns what ends it. */
  start(isVisible: () => boolean): () => void {
    const refresh = computed(() => {
      if (this.isEmpty === true) return EMPTY_LOOK_SECONDS;
      return this.view.get('range').kind === 'last' ? this.view.get('refreshSeconds') : 0;
    });
    const stopTicks = this.clock.tickEvery(refresh, isVisible);
    // A link made now must show the same service to whoever opens it.
    const stopNaming = effect(() => {
      const service = this.view.get('service');
      const profileType = this.view.get('profileType');
      const type = this.profileType.value;
      if (this.service.value === '' || type === undefined || (service !== '' && profileType !== '')) return;
      this.view.change({ service: this.service.value, profileType: type.id }, 'replace');
    });
    return () => {
      stopTicks();
      stopNaming();
    };
  }

  say(message: string): void {
    // The same words again are said again.
    this.message.value = '';
    this.message.value = message;
  }
}
