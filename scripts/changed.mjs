import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a build writes: it must not count as a change. */
const GENERATED = /^(?:dist|site|node_modules)$|\.tsbuildinfo$/;

/** When a file changed last, in milliseconds since the epoch; 0 for what does not exist. */
export function changedMillis(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * When anything below a folder changed last, generated files left out. Folders below it count too: their time tells of files
 * removed. Its own does not, since a build writes there.
 */
export function changedBelowMillis(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (GENERATED.test(entry.name)) continue;
    const path = join(folder, entry.name);
    newest = Math.max(newest, changedMillis(path), entry.isDirectory() ? changedBelowMillis(path) : 0);
  }
  return newest;
}
