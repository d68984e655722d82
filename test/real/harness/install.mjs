/** Tools and clients from outside: found, or installed once into the cache folder. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../../.ci/cache/real/', import.meta.url));

/** What a test needs is not on this machine and could not be brought to it. The message is the reason to skip. */
export class NotInstalled extends Error {}

/**
 * What `install` returns; undefined, with the test skipped, when it throws NotInstalled. With CI=true that fails.
 *
 * @template T
 * @param {import('node:test').TestContext} t
 * @param {() => T} install
 */
export function orSkip(t, install) {
  try {
    return install();
  } catch (error) {
    if (!(error instanceof NotInstalled) || process.env.CI === 'true') throw error;
    t.skip(`skipped: ${error.message}`);
    return undefined;
  }
}

/**
 * What a tool of this machine prints; standard error follows standard output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, timeoutSeconds?: number }} [options]
 * @throws NotInstalled when there is no such command, an Error when it fails.
 */
export function output(command, args, { cwd, env = {}, timeoutSeconds = 120 } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: timeoutSeconds * 1000,
  });
  if (result.error?.code === 'ENOENT') throw new NotInstalled(`${command} is not installed`);
  const printed = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  if (result.error || result.status !== 0) {
    throw new Error(`${command} ${args.join(' ')} failed: ${result.error?.message ?? printed.slice(-2000)}`);
  }
  return printed;
}

/**
 * A folder of the cache, filled once. Its name carries the version of what is in it, so that a new version is a new folder.
 *
 * @param {string} name
 * @param {(folder: string) => void} fill
 * @throws NotInstalled when `fill` throws: mostly there is no way to the registry from here.
 */
export function cached(name, fill) {
  const folder = join(CACHE, name);
  const complete = join(folder, '.complete');
  if (existsSync(complete)) return folder;
  // Of an installation that was cut off nothing is known.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    fill(folder);
  } catch (error) {
    throw error instanceof NotInstalled ? error : new NotInstalled(`${name} could not be installed: ${error.message}`);
  }
  writeFileSync(complete, '');
  return folder;
}

/** A folder of the cache for what is made anew each time, such as compiled programs. */
export function scratch(name) {
  const folder = join(CACHE, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
