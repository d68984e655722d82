/**
 * Pushes that can be found exactly: each part of a push has a function of its own with a value of its own, beside a function all
 * pushes share, whose sum shows what the others can't.
 */
import { gzipSync } from 'node:zlib';
import { SampleTableBuilder, StackTableBuilder, writePprof } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';

export const SHARED = 'shared';
/** Nanoseconds a sample stands for: 100 a second, which is also what the server takes for a text without a rate. */
export const PERIOD = 10_000_000;

/** Profile types the pushes have, and which of a part's numbers each holds. */
export const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
export const SAMPLES = 'process_cpu:samples:count:cpu:nanoseconds';

/**
 * @typedef {object} Part One profile of a push.
 * @property {string} leaf Its own function.
 * @property {number} count Samples of the leaf.
 * @property {number} shared Samples of the shared function.
 *
 * @typedef {object} Push
 * @property {number} id
 * @property {'pprof' | 'collapsed' | 'push'} kind
 * @property {string} service
 * @property {Record<string, string>} labels
 * @property {number} timeMs
 * @property {readonly Part[]} parts
 */

/**
 * @param {import('./random.mjs').Random} random
 * @returns {Push}
 */
export function makePush(id, service, random) {
  const kind = random.pick(['pprof', 'collapsed', 'push']);
  const labels = { region: random.pick(['eu', 'us']) };
  // Few, since each makes a series: those show whether series are lost.
  if (random.chance(0.05)) labels.only = `only_${id}`;
  const parts = Array.from({ length: kind === 'push' ? 1 + random.below(3) : 1 }, (_, index) => ({
    leaf: `push_${id}_${index}`,
    count: 1 + random.below(9_999),
    shared: 1 + random.below(9),
  }));
  return { id, kind, service, labels, timeMs: Date.now(), parts };
}

/**
 * The request of a push.
 *
 * @param {Push} push
 * @param {number} sending 0, 1, …: each has other bytes, of equal content.
 * @returns {{ path: string, headers: Record<string, string>, body: Buffer }}
 */
export function requestOf(push, sending) {
  const { kind, service, labels, timeMs, parts } = push;
  if (kind === 'push') {
    const series = parts.map((part) => ({
      labels: Object.entries({ __name__: 'process_cpu', service_name: service, ...labels }).map(([name, value]) => ({
        name,
        value,
      })),
      samples: [{ rawProfile: packed(pprofOf(part, timeMs), sending).toString('base64') }],
    }));
    const headers = { 'content-type': 'application/json' };
    return { path: ROUTES.push, headers, body: Buffer.from(JSON.stringify({ series })) };
  }
  const name = `${service}{${Object.entries(labels).map(([key, value]) => `${key}=${value}`)}}`;
  const query = new URLSearchParams({ name, from: String(timeMs), until: String(timeMs + 10_000) });
  const [part] = parts;
  query.set('format', kind);
  const content = kind === 'pprof' ? pprofOf(part, timeMs) : Buffer.from(collapsedOf(part));
  return { path: `${ROUTES.ingest}?${query}`, headers: {}, body: packed(content, sending) };
}

/** The number of a part that a profile type holds; 0 when the push has no such type. */
export function valueIn(profileType, kind, samples) {
  if (profileType === CPU) return samples * PERIOD;
  return kind === 'collapsed' ? 0 : samples;
}

function pprofOf({ leaf, count, shared }, timeMs) {
  const stacks = new StackTableBuilder();
  const samples = new SampleTableBuilder(2);
  const frame = (name) => stacks.frame(stacks.string(name));
  const handle = ['main', 'handle'].map(frame);
  for (const [name, value] of [
    [leaf, count],
    [SHARED, shared],
  ]) {
    samples.addAll(stacks.stack([...handle, frame(name)]), 0, [value, value * PERIOD]);
  }
  return writePprof({
    stacks: stacks.finish(),
    ...samples.finish(),
    sampleTypes: [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: PERIOD,
    timeNanos: BigInt(timeMs) * 1_000_000n,
    durationNanos: 10e9,
  });
}

function collapsedOf({ leaf, count, shared }) {
  return `main;handle;${leaf} ${count}\nmain;handle;${SHARED} ${shared}\n`;
}

/** Small contents may pack alike at two levels; the time in the header of a gzip never does. */
function packed(content, sending) {
  const bytes = gzipSync(content, { level: [6, 1, 9, 3, 0][sending % 5] });
  bytes.writeUInt32LE(sending + 1, 4);
  return bytes;
}
