import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PilotlightError } from '@pilotlight/profile';
import { ROUTES } from '@pilotlight/protocol';
import { sentence } from '../failure.js';
import { VERSION } from '../version.js';
import { describe } from './describe.js';
import { FileBytes } from './file-bytes.js';
import { fileFormat } from './file-format.js';
import { type FoundFile, findFiles } from './files.js';
import { inParallel } from './in-parallel.js';
import { canBeHalved } from './long-recording.js';
import { pushParts } from './push-parts.js';
import { endingAt, readRecording } from './recording.js';
import { post, type Sender } from './send.js';
import { UPLOAD_BYTES_MAX, type Upload } from './upload.js';

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
  /** Told before the first file is read. */
  readonly begin?: (files: number, bytes: number) => void;
  readonly read?: (bytes: number) => void;
  readonly fileDone?: () => void;
}

export interface Pushed {
  readonly files: number;
  readonly stored: number;
  /** Names of those that were not stored, or only in part. */
  readonly failed: readonly string[];
  /** Files in folders that are no profiles. */
  readonly leftOut: number;
  /** Not begun, or not finished: there is no server, it does not know us, or we were told to stop. */
  readonly notTried: number;
}

/** Files under way at a time: one is read while others are packed, travel, and are stored. */
const FILES_AT_A_TIME = 4;

/** By which a JFR recording is told. */
const MAGIC_BYTES = 4;

const packed = promisify(gzip);

/** Sends profiles, and all profiles in folders. One that fails does not stop the others, unless none can succeed. */
export async function push(
  paths: readonly string[],
  options: PushOptions,
  output: Output,
  sender: Sender = {},
): Promise<Pushed> {
  const { files, leftOut, faults } = await findFiles(paths);
  const failed: string[] = [];
  const fail = (path: string, thrown: unknown) => {
    failed.push(path);
    output.err(`${path}: ${sentence(thrown)}${advice(thrown, options)}`);
  };
  for (const { path, thrown } of faults) fail(path, thrown);
  output.begin?.(
    files.length,
    files.reduce((sum, { size }) => sum + size, 0),
  );
  let stored = 0;
  const reached = { server: false };
  await inParallel(files.values(), FILES_AT_A_TIME, async (file) => {
    sender.signal?.throwIfAborted();
    try {
      output.out(`${file.path}: ${await pushFile(file, options, output, { reached, ...sender })}`);
      stored++;
    } catch (thrown) {
      if (sender.signal?.aborted === true) throw thrown;
      fail(file.path, thrown);
      if (isHopeless(thrown)) throw thrown;
    } finally {
      output.fileDone?.();
    }
  }).catch((thrown: unknown) => {
    if (sender.signal?.aborted !== true && !isHopeless(thrown)) throw thrown;
  });
  const notTried = files.length + faults.length - stored - failed.length;
  return { files: files.length, stored, failed, leftOut, notTried };
}

/** Returns what was stored, in words. */
async function pushFile({ path }: FoundFile, options: PushOptions, output: Output, sender: Sender): Promise<string> {
  const name = options.name ?? nameOf(path);
  const send = (upload: Upload) => sendUpload(path, name, upload, options, output, sender);
  const file = await FileBytes.open(path, output.read);
  try {
    if (!(await file.hasMoreThan(UPLOAD_BYTES_MAX))) {
      const bytes = await file.peek(UPLOAD_BYTES_MAX);
      try {
        const read = readRecording(bytes);
        const recording = options.at === undefined ? read : endingAt(read, nanosOf(options.at));
        await send(recording);
        return describe(name, recording);
      } catch (thrown) {
        if (!canBeHalved(fileFormat(bytes), bytes.length, thrown)) throw thrown;
      }
    } else if (fileFormat(await file.peek(MAGIC_BYTES)) !== 'jfr') throw tooLarge();
    return await pushParts(path, name, file, options.at === undefined ? undefined : nanosOf(options.at), send);
  } finally {
    file.close();
  }
}

async function sendUpload(
  path: string,
  name: string,
  upload: Upload,
  options: PushOptions,
  output: Output,
  sender: Sender,
): Promise<void> {
  const url = new URL(`${options.server}${ROUTES.ingest}?${query(name, upload, options)}`);
  const headers: Record<string, string> = {
    'content-type': 'application/octet-stream',
    'user-agent': `pilotlight-push/${VERSION}`,
  };
  if (options.token !== undefined) headers['authorization'] = `Bearer ${options.token}`;
  await post(url, await packed(upload.bytes), headers, {
    onRetry: (error, millis) => output.err(`${path}: ${sentence(error)}; next try in ${millis / 1_000} s`),
    ...sender,
  });
}

function query(name: string, upload: Upload, options: PushOptions): URLSearchParams {
  const query = new URLSearchParams({ name, format: upload.format });
  if (upload.startNanos > 0n) {
    // Whole seconds, outwards: the exact time stands in the file.
    query.set('from', String(upload.startNanos / 1_000_000_000n));
    query.set('until', String((upload.startNanos + upload.durationNanos) / 1_000_000_000n + 1n));
  }
  if (options.sampleRate !== undefined) query.set('sampleRate', String(options.sampleRate));
  if (options.keep === true) query.set('keep', 'true');
  return query;
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

/** What would befall every other file, too: there is no server (which fetch tells with a TypeError), or it does not let us in. */
function isHopeless(thrown: unknown): boolean {
  return thrown instanceof TypeError || (thrown instanceof PilotlightError && thrown.code === 'unauthenticated');
}

function tooLarge(): PilotlightError {
  return new PilotlightError(
    'profile_size_limit',
    `inflated it has more than the ${UPLOAD_BYTES_MAX / 1_048_576} MiB that a server takes at once; only JFR recordings are sent in parts: profile for a shorter time, or split a file of collapsed stacks by its lines`,
    { limit: UPLOAD_BYTES_MAX },
  );
}

function nanosOf(millis: number): bigint {
  return BigInt(millis) * 1_000_000n;
}

/** The file's name without its endings, with what a service name may not hold replaced. */
function nameOf(file: string): string {
  const stem = basename(file).replace(/(?:\.(?:gz|jfr|pb|pprof|txt|folded|collapsed))+$/i, '');
  return stem.replace(/[^A-Za-z0-9_.\-/]/g, '_') || 'file';
}
