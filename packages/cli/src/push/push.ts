import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PilotlightError } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import { sentence } from '../failure.js';
import { endingAt, type Recording, readRecording } from './recording.js';
import { post, type Sender } from './send.js';

export interface PushOptions {
  readonly server: string;
  readonly token: string | undefined;
  /** `app{label=value}`; by default the name of the file. */
  readonly name?: string;
  /** When the recording shall have ended, in milliseconds since the epoch; by default its own time holds. */
  readonly at?: number;
  /** Store it at its own time, however old it is. */
  readonly keep?: boolean;
  readonly sampleRate?: number;
}

export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Sends files one after another; one that fails does not stop the others. Returns how many failed. */
export async function push(
  files: readonly string[],
  options: PushOptions,
  output: Output,
  sender: Sender = {},
): Promise<number> {
  let failed = 0;
  for (const file of files) {
    try {
      output.out(`${file}: ${await pushFile(file, options, output, sender)}`);
    } catch (thrown) {
      failed++;
      output.err(`${file}: ${sentence(thrown)}${advice(thrown, options)}`);
    }
  }
  return failed;
}

/** Returns what was stored, in words. */
async function pushFile(file: string, options: PushOptions, output: Output, sender: Sender): Promise<string> {
  const name = options.name ?? nameOf(file);
  const read = readRecording(file);
  const recording = options.at === undefined ? read : endingAt(read, BigInt(options.at) * 1_000_000n);
  const url = new URL(`${options.server}${ROUTES.ingest}?${query(name, recording, options)}`);
  const headers: Record<string, string> = { 'content-type': 'application/octet-stream' };
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  await post(url, gzipSync(recording.bytes), headers, {
    onRetry: (error, millis) => output.err(`${file}: ${sentence(error)}; next try in ${millis / 1_000} s`),
    ...sender,
  });
  return `stored as ${name}: ${describe(recording)}`;
}

function query(name: string, recording: Recording, options: PushOptions): URLSearchParams {
  const query = new URLSearchParams({ name, format: recording.format });
  if (recording.startNanos > 0n) {
    // Whole seconds, outwards: the exact time stands in the file.
    query.set('from', String(recording.startNanos / 1_000_000_000n));
    query.set('until', String((recording.startNanos + recording.durationNanos) / 1_000_000_000n + 1n));
  }
  if (options.sampleRate !== undefined) query.set('sampleRate', String(options.sampleRate));
  if (options.keep === true) query.set('keep', 'true');
  return query;
}

function describe({ reading, startNanos, durationNanos }: Recording): string {
  const profiles = reading.profiles.filter(({ profile }) => profile.samples.length > 0);
  const types = profiles.flatMap(({ metric, profile }) =>
    profile.sampleTypes.map(({ type }) => (metric === '' ? type : `${metric}:${type}`)),
  );
  const stacks = profiles.reduce((sum, { profile }) => sum + profile.samples.length, 0);
  const left = reading.refusals.reduce((sum, { count }) => sum + count, 0);
  return [
    types.join(', '),
    `${stacks} stacks`,
    startNanos > 0n ? `from ${new Date(Number(startNanos / 1_000_000n)).toISOString()}` : 'no time in the file: now',
    durationNanos > 0n ? `${(Number(durationNanos) / 1e9).toFixed(1)} s long` : '',
    left > 0 ? `${left} elements left out (${reading.refusals.map(({ reason }) => reason).join(', ')})` : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** What a person can do about a refusal. */
function advice(thrown: unknown, { keep }: PushOptions): string {
  const code = thrown instanceof PilotlightError ? thrown.code : undefined;
  switch (code) {
    case 'outside_time_window':
      // With --keep only the future is refused.
      return keep === true
        ? '\n  Say --at now to store it as if it had just ended.'
        : '\n  Say --at now to store it as if it had just ended, or --keep to store it at its own time.';
    case 'unauthenticated':
      return '\n  Say --token-file FILE with the token of the server.';
    default:
      return thrown instanceof TypeError ? '\n  Is the server running? "pilotlight serve" starts one.' : '';
  }
}

/** The file's name without its endings, with what a service name may not hold replaced. */
function nameOf(file: string): string {
  const stem = basename(file).replace(/(?:\.(?:gz|jfr|pb|pprof|txt|folded|collapsed))+$/i, '');
  return stem.replace(/[^A-Za-z0-9_.\-/]/g, '_') || 'file';
}
