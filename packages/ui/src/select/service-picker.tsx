import type { PageStore } from '../page/page-store.js';
import { mostTelling, profileTypeText } from '../values/profile-type.js';

/** Service and profile type. What the address asks for stays in the list, also when nothing came from it in this range. */
export function ServicePicker({ store }: { store: PageStore }) {
  const catalog = store.catalog.data.value;
  const service = store.service.value;
  const types = catalog?.get(service) ?? [];
  const type = store.profileType.value?.id ?? '';

  const chooseService = (chosen: string) => {
    const offered = catalog?.get(chosen) ?? [];
    // Frames and labels of one service mean nothing in another, on either side of a comparison.
    const compared = new URLSearchParams(store.view.peek().compare);
    for (const name of ['compare.service', 'compare.label']) compared.delete(name);
    store.view.change({
      service: chosen,
      profileType: offered.includes(type) ? type : mostTelling(offered),
      labels: [],
      frame: undefined,
      zoom: undefined,
      compare: compared.toString(),
    });
  };
  return (
    <>
      <label class="field">
        <span>Service</span>
        <select id="service" value={service} onChange={(event) => chooseService(event.currentTarget.value)}>
          {service !== '' && !catalog?.has(service) && <option value={service}>{service} (nothing here)</option>}
          {[...(catalog?.keys() ?? [])].map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Profile</span>
        <select
          id="profile-type"
          value={type}
          onChange={(event) => store.view.change({ profileType: event.currentTarget.value })}
        >
          {type !== '' && !types.includes(type) && (
            <option value={type}>{profileTypeText(type).title} (nothing here)</option>
          )}
          {types.map((each) => (
            <option key={each} value={each} title={each}>
              {profileTypeText(each).title}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
