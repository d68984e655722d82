/** The label maps that Series answers. */

/**
 * The labels of one series: what the client sent, and what follows from the profile type.
 *
 * @param {string} profileType `name:type:unit:periodType:periodUnit`
 * @param {Record<string, string>} labels With `service_name`.
 */
export function seriesLabels(profileType, labels) {
  const [name, type, unit, periodType, periodUnit] = profileType.split(':');
  return {
    ...labels,
    __service_name__: labels.service_name,
    __name__: name,
    __type__: type,
    __unit__: unit,
    __period_type__: periodType,
    __period_unit__: periodUnit,
    __profile_type__: profileType,
  };
}

/** Label maps as lines of text, in an order that depends on nothing but their content; a difference then names the series. */
export function asLines(labelMaps) {
  return labelMaps
    .map((labels) => {
      const entries = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
      return `${labels.__profile_type__} ${JSON.stringify(Object.fromEntries(entries))}`;
    })
    .sort();
}
