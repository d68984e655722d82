import type { PilotlightClient, TimeRange } from '@pilotlight/protocol';

/** The services that sent something in a range, sorted, each with its profile type ids. */
export type Catalog = ReadonlyMap<string, readonly string[]>;

const SERVICE = 'service_name';
const TYPE = '__profile_type__';

export async function loadCatalog(client: PilotlightClient, range: TimeRange, abort: AbortSignal): Promise<Catalog> {
  const series = await client.series(range, [], [SERVICE, TYPE], abort);
  const types = new Map<string, Set<string>>();
  for (const labels of series) {
    const service = labels[SERVICE];
    const type = labels[TYPE];
    if (service === undefined || type === undefined) continue;
    const known = types.get(service);
    if (known === undefined) types.set(service, new Set([type]));
    else known.add(type);
  }
  const services = [...types].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(services.map(([service, ids]) => [service, [...ids].sort()]));
}

/** Labels that are asked for elsewhere on the page, or that say nothing to a reader. */
export function isFilterLabel(name: string): boolean {
  return name !== SERVICE && !name.startsWith('__');
}

/** The label most people filter by comes first. */
const FIRST_LABELS = ['pod', 'kubernetes_pod_name', 'k8s.pod.name', 'instance', 'hostname', 'host'];

export function sortLabels(names: readonly string[]): string[] {
  const rank = (name: string) => {
    const at = FIRST_LABELS.indexOf(name);
    return at === -1 ? FIRST_LABELS.length : at;
  };
  return [...names].filter(isFilterLabel).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
