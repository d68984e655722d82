/** Compiles unsynced.c. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('unsynced.c', import.meta.url));

/**
 * @param {string} folder Where to put it.
 * @returns {{ library: string } | { absent: string }} The library to preload, or why there is none.
 */
export function buildShim(folder) {
  if (process.platform !== 'linux') return { absent: `power cuts are modelled on Linux, this is ${process.platform}` };
  mkdirSync(folder, { recursive: true });
  const library = join(folder, 'unsynced.so');
  const flags = ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror', '-o', library, SOURCE, '-ldl', '-lpthread'];
  const { error, status, stderr } = spawnSync('gcc', flags, { encoding: 'utf8' });
  if (error?.code === 'ENOENT') return { absent: 'gcc is not installed' };
  if (error) throw error;
  if (status !== 0) throw new Error(`gcc could not compile ${SOURCE}:\n${stderr}`);
  return { library };
}

/** What a process must have in its environment to be recorded. `boot` tells one time between two power cuts from another. */
export function recordedEnvironment({ library, folder, journal, boot, delayMicros = 0 }) {
  return {
    LD_PRELOAD: library,
    UNSYNCED_FOLDER: folder,
    UNSYNCED_JOURNAL: journal,
    UNSYNCED_BOOT_ID: `${boot.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    UNSYNCED_DELAY_MICROS: String(delayMicros),
  };
}
