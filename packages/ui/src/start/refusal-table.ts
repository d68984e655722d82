import type { RefusalReport } from '@pilotlight/protocol';

/** The refusals of one service, the latest first. */
export interface ServiceRefusals {
  readonly service: string;
  readonly refusals: readonly RefusalReport[];
}

/** By service, the one refused last before the others. */
export function groupRefusals(refusals: readonly RefusalReport[]): ServiceRefusals[] {
  const groups = new Map<string, RefusalReport[]>();
  // ISO 8601 sorts as text.
  for (const refusal of [...refusals].sort((a, b) => (a.last < b.last ? 1 : -1))) {
    const group = groups.get(refusal.service);
    if (group === undefined) groups.set(refusal.service, [refusal]);
    else group.push(refusal);
  }
  return [...groups].map(([service, group]) => ({ service, refusals: group }));
}
