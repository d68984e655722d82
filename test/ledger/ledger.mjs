/** The account of what was pushed, what was acknowledged, and whether what the server holds agrees. */
import { CPU, SAMPLES, SHARED, valueIn } from './pushes.mjs';

/**
 * @typedef {object} Entry
 * @property {import('./pushes.mjs').Push} push
 * @property {number} acknowledgedAt The ledger's clock when the first 200 came; Infinity before.
 * @property {string[]} sendings What became of each, for the report of a fault.
 *
 * @typedef {object} Held What the server says it holds of a service and a profile type.
 * @property {string} service
 * @property {string} profileType
 * @property {Map<string, number>} self Function → self value; functions without one are left out.
 * @property {number} total Of the flame graph.
 * @property {number} seriesTotal Sum over the time series.
 * @property {Map<string, number>} only Value of the label `only` → sum of the series that have it.
 */

export class Ledger {
  /** @type {Entry[]} */
  entries = [];
  found = 0;
  #clock = 0;

  add(push) {
    const entry = { push, acknowledgedAt: Infinity, sendings: [] };
    this.entries.push(entry);
    return entry;
  }

  acknowledge(entry) {
    entry.acknowledgedAt = Math.min(entry.acknowledgedAt, ++this.#clock);
  }

  get acknowledged() {
    return this.entries.filter(({ acknowledgedAt }) => acknowledgedAt < Infinity).length;
  }

  /** To be taken before a question is asked: what was acknowledged by then must be in the answer. */
  now() {
    return this.#clock;
  }

  /**
   * @param {readonly Held[]} held Every service and both types.
   * @param {number} asOf From `now`.
   * @param {boolean} quiet Nothing was pushed between the first question and the last, so that answers must agree.
   * @returns {string[]} The faults, one a line; none when all is well.
   */
  check(held, asOf, quiet) {
    const faults = [];
    const complete = new Set();
    for (const one of held) faults.push(...this.#checkSelf(one, asOf, complete));
    for (const one of held) {
      if (one.profileType === CPU && quiet) faults.push(...this.#checkSeries(one, held));
    }
    this.found = complete.size;
    return faults;
  }

  #checkSelf({ service, profileType, self, total }, asOf, complete) {
    const faults = [];
    const rest = new Map(self);
    let shared = 0;
    let leaves = 0;
    for (const entry of this.entries) {
      const { push } = entry;
      if (push.service !== service) continue;
      const counts = push.parts.map(({ leaf, count }) => {
        const value = rest.get(leaf) ?? 0;
        rest.delete(leaf);
        return { value, expected: valueIn(profileType, push.kind, count) };
      });
      const present = counts.filter(({ value }) => value !== 0).length;
      for (const { value, expected } of counts) {
        if (value !== 0 && value !== expected) {
          faults.push(
            `${value === 2 * expected ? 'doubled' : 'wrong'}: ${value}, not ${expected}, in ${describe(entry, profileType)}`,
          );
        }
      }
      const expected = counts.filter((count) => count.expected !== 0).length;
      if (present !== expected) {
        if (entry.acknowledgedAt <= asOf)
          faults.push(`lost: ${present} of ${expected} parts found of ${describe(entry, profileType)}`);
        else if (present !== 0)
          faults.push(`torn: ${present} of ${expected} parts found of ${describe(entry, profileType)}`);
      }
      push.parts.forEach((part, index) => {
        const { value } = counts[index];
        leaves += value;
        if (value !== 0) shared += valueIn(profileType, push.kind, part.shared);
      });
      if (profileType === CPU && present === expected) complete.add(entry);
    }
    const sharedFound = rest.get(SHARED) ?? 0;
    rest.delete(SHARED);
    if (sharedFound !== shared) {
      faults.push(`wrong: the shared function has ${sharedFound}, not ${shared}, in ${service} ${profileType}`);
    }
    for (const [name, value] of rest) faults.push(`unknown: ${name} has ${value} in ${service} ${profileType}`);
    if (total !== leaves + shared) {
      faults.push(`wrong: the flame graph's total is ${total}, not ${leaves + shared}, in ${service} ${profileType}`);
    }
    return faults;
  }

  #checkSeries(cpu, held) {
    const faults = [];
    const samples = held.find((one) => one.service === cpu.service && one.profileType === SAMPLES);
    for (const { profileType, total, seriesTotal, only } of [cpu, samples]) {
      if (seriesTotal !== total) {
        faults.push(
          `wrong: the time series sum up to ${seriesTotal}, the flame graph to ${total}, in ${cpu.service} ${profileType}`,
        );
      }
      for (const { push } of this.entries) {
        if (push.service !== cpu.service || push.labels.only === undefined) continue;
        const there = push.parts.filter(({ leaf }) => cpu.self.has(leaf));
        const expected = there.reduce(
          (sum, part) => sum + valueIn(profileType, push.kind, part.count + part.shared),
          0,
        );
        const value = only.get(push.labels.only) ?? 0;
        if (value !== expected)
          faults.push(`wrong: the series ${push.labels.only} has ${value}, not ${expected}, in ${profileType}`);
      }
    }
    return faults;
  }
}

function describe({ push, acknowledgedAt, sendings }, profileType) {
  const state = acknowledgedAt < Infinity ? 'acknowledged' : 'not acknowledged';
  return `${state} push ${JSON.stringify(push)} in ${profileType}; sent: ${sendings.join(', ')}`;
}
