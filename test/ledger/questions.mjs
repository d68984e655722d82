/** Asks a server for everything it holds. */
import { createClient } from '@pilotlight/protocol';
import { CPU, SAMPLES } from './pushes.mjs';

const DAY_MS = 86_400_000;
const NODES_MAX = 1_000_000;

/** @returns {Promise<import('./ledger.mjs').Held[]>} */
export async function everythingHeld(address, services, signal) {
  const client = createClient({ baseUrl: address });
  const held = [];
  for (const service of services) {
    for (const profileType of [CPU, SAMPLES]) {
      // Far into the past and the future, in whole days: one point of the series is enough.
      const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - 60 * DAY_MS;
      const selection = { profileType, selector: `{service_name="${service}"}`, start, end: start + 62 * DAY_MS };
      const flamebearer = await client.selectMergeStacktraces(selection, NODES_MAX, signal);
      const series = await client.selectSeries(selection, 62 * 86_400, ['only'], signal);
      const only = new Map();
      let seriesTotal = 0;
      for (const { labels, points } of series) {
        const sum = points.reduce((total, { value }) => total + value, 0);
        seriesTotal += sum;
        if (labels.only !== undefined) only.set(labels.only, sum);
      }
      held.push({ service, profileType, self: selfByName(flamebearer), total: flamebearer.total, seriesTotal, only });
    }
  }
  return held;
}

/** Bars are four numbers: gap, total, self, name. */
function selfByName({ names, levels }) {
  const self = new Map();
  for (const level of levels) {
    for (let i = 0; i + 3 < level.length; i += 4) {
      if (level[i + 2] === 0) continue;
      const name = names[level[i + 3]];
      self.set(name, (self.get(name) ?? 0) + level[i + 2]);
    }
  }
  return self;
}
