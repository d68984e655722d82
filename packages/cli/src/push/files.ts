import { createReadStream } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { looksLike } from './file-format.js';

/** Endings that say a file is a profile, whatever is in it; one that cannot be read then is a failure and not some other file. */
const RECORDING = /\.(?:jfr|pprof|pb|collapsed|folded)(?:\.gz)?$/i;
/** Enough to tell a format, and the first line of collapsed stacks. */
const HEAD_BYTES = 4_096;

export interface FoundFile {
  readonly path: string;
  /** As it lies on the disk; 0 where that is not known yet. */
  readonly size: number;
}

export interface Found {
  readonly files: readonly FoundFile[];
  /** Files in folders that are no profiles. */
  readonly leftOut: number;
  /** Folders that could not be listed. */
  readonly faults: readonly { readonly path: string; readonly thrown: unknown }[];
}

/**
 * The files that were named, and the profiles in the folders that were named, sorted, with all folders below: told by their ending,
 * others by their first bytes. What begins with a dot is passed over, links to folders are not followed. A file that is reached by
 * several ways is there once, where it was found first: sent twice at times made up for it, it would count twice.
 */
export async function findFiles(paths: readonly string[]): Promise<Found> {
  const files: FoundFile[] = [];
  const faults: { path: string; thrown: unknown }[] = [];
  let leftOut = 0;
  const seen = new Set<string>();
  const add = async (file: FoundFile): Promise<void> => {
    // Who opens what has no real path is told why.
    const real = await realpath(file.path).catch(() => file.path);
    if (!seen.has(real)) files.push(file);
    seen.add(real);
  };
  const walk = async (folder: string): Promise<void> => {
    let names: string[];
    try {
      names = (await readdir(folder)).sort();
    } catch (thrown) {
      faults.push({ path: folder, thrown });
      return;
    }
    for (const name of names) {
      if (name.startsWith('.')) continue;
      const path = join(folder, name);
      const entry = await kindOf(path, false);
      if (entry.kind === 'folder') await walk(path);
      else if (entry.kind === 'file' && (RECORDING.test(name) || looksLike(await headOf(path)) !== undefined)) {
        await add({ path, size: entry.size });
      } else leftOut++;
    }
  };
  for (const path of paths) {
    const { kind, size } = await kindOf(path, true);
    if (kind === 'folder') await walk(path);
    else await add({ path, size });
  }
  return { files, leftOut, faults };
}

/** @param follows Whether a link to a folder is that folder. */
async function kindOf(path: string, follows: boolean): Promise<{ kind: 'file' | 'folder' | 'other'; size: number }> {
  try {
    const found = await stat(path);
    if (found.isFile()) return { kind: 'file', size: found.size };
    if (!found.isDirectory()) return { kind: 'other', size: 0 };
    return { kind: follows || !(await lstat(path)).isSymbolicLink() ? 'folder' : 'other', size: 0 };
  } catch {
    // Who opens it is told why it cannot be read.
    return { kind: 'other', size: 0 };
  }
}

/** The first bytes, inflated; none of a file that cannot be read, or is packed and damaged. */
async function headOf(path: string): Promise<Uint8Array> {
  const head = await firstBytes(createReadStream(path, { end: HEAD_BYTES - 1 }));
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head;
  const gunzip = createGunzip();
  const inflated = firstBytes(gunzip);
  gunzip.end(head);
  return inflated;
}

async function firstBytes(stream: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  try {
    for await (const part of stream) parts.push(part);
  } catch {
    // A packed file that was cut off after its first bytes gives what it holds and then an error, as it must.
  }
  return Buffer.concat(parts);
}
