import { textType } from '@pilotlight/protocol/text-type';
import type { Recording } from './recording.js';

/** What the server stores of a recording sent under this name, in words. */
export function describe(name: string, { format, reading, startNanos, durationNanos }: Recording): string {
  const profiles = reading.profiles.filter(({ profile }) => profile.samples.length > 0);
  const stacks = profiles.reduce((sum, { profile }) => sum + profile.samples.length, 0);
  const left = reading.refusals.reduce((sum, { count }) => sum + count, 0);
  const parts = [`${stacks} stacks`, ...timeOf(startNanos, durationNanos)];
  if (left > 0) parts.push(`${left} elements left out (${reading.refusals.map(({ reason }) => reason).join(', ')})`);
  if (format === 'collapsed') {
    const brace = name.indexOf('{');
    const app = (brace < 0 ? name : name.slice(0, brace)).trim();
    const labels = brace < 0 ? '' : name.slice(brace);
    const { service, metric, sampleType } = textType(app, '');
    return [`stored as ${service}${labels}: ${metric}:${sampleType.type}`, ...parts].join('; ');
  }
  const types = profiles.flatMap(({ metric, profile }) =>
    profile.sampleTypes.map(({ type }) => (metric === '' ? type : `${metric}:${type}`)),
  );
  return [`stored as ${name}: ${types.join(', ')}`, ...parts].join('; ');
}

/** What was stored of a recording sent in parts. */
export interface Stored {
  readonly parts: number;
  readonly events: ReadonlyMap<string, number>;
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  /** Chunks left out, and why the first was. */
  readonly damaged: number;
  readonly firstDamage: string;
}

export function describeParts(name: string, stored: Stored): string {
  const events = [...stored.events].map(([type, count]) => `${count} ${type}`).join(', ');
  return [
    `stored as ${name}: ${events}`,
    `in ${stored.parts} parts`,
    ...timeOf(stored.startNanos, stored.endNanos - stored.startNanos),
    ...(stored.damaged === 0 ? [] : [`${stored.damaged} chunks left out, at least in part (${stored.firstDamage})`]),
  ].join('; ');
}

function timeOf(startNanos: bigint, durationNanos: bigint): string[] {
  if (startNanos <= 0n) return ['no time in the file: now'];
  const start = `from ${new Date(Number(startNanos / 1_000_000n)).toISOString()}`;
  return durationNanos > 0n ? [start, `${(Number(durationNanos) / 1e9).toFixed(1)} s long`] : [start];
}
