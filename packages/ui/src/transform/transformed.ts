import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { derivedData, type ProfileData } from '../data/profile-data.js';
import type { Transform } from '../view/view-state.js';

const RETRY_MILLIS = 5_000;
/** Its code comes with the first transform; once here, it serves every profile of the page. */
const transformer = signal<typeof import('./transform-tree.js').transformTree | undefined>(undefined);

export interface Transformed {
  readonly data: ReadonlySignal<ProfileData | undefined>;
  /** Whether the code that transforms is still on its way. */
  readonly loading: ReadonlySignal<boolean>;
}

/** A profile with its transforms applied. The shares of what is left are shares of that: `30 % of what is kept`. */
export function transformed(
  profile: ReadonlySignal<ProfileData | undefined>,
  transforms: ReadonlySignal<readonly Transform[]>,
): Transformed {
  const loading = computed(() => transforms.value.length > 0 && transformer.value === undefined);
  effect(() => {
    if (!loading.value) return;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const ask = () =>
      import('./transform-tree.js').then(
        (module) => {
          transformer.value = module.transformTree;
        },
        () => {
          retry = setTimeout(ask, RETRY_MILLIS);
        },
      );
    void ask();
    return () => clearTimeout(retry);
  });
  const data = computed(() => {
    const whole = profile.value;
    if (whole === undefined || transforms.value.length === 0) return whole;
    const transform = transformer.value;
    return transform && derivedData(whole, transform(whole.tree, transforms.value), 'what is kept');
  });
  return { data, loading };
}
