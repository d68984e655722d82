/** Finds changes below a folder that the journal of unsynced.c does not tell of: a model that misses writes proves nothing. */
import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readJournal } from './journal.mjs';

/** The lock table of lmdb is a shared map; it says nothing after a power cut and is made anew. */
const NOT_MODELLED = /(^|\/)log\/lock\.mdb$/;

/** Path → what tells a change of it. */
export function look(folder, below = folder, seen = new Map()) {
  for (const entry of readdirSync(below, { withFileTypes: true })) {
    const path = join(below, entry.name);
    const status = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (status === undefined) continue;
    const { ino, size, mtimeNs } = status;
    seen.set(relative(folder, path), { inode: Number(ino), file: entry.isFile(), state: `${size} ${mtimeNs}` });
    if (entry.isDirectory()) look(folder, path, seen);
  }
  return seen;
}

/**
 * @param {string} folder
 * @param {string} journal
 * @param {ReturnType<typeof look>} before Taken when the process was not running yet and the journal was empty or the same.
 * @returns {string[]} One sentence a change.
 */
export function unseenChanges(folder, journal, before) {
  const changes = readJournal(join(journal, 'journal'));
  const faults = [];
  const named = new Set();
  const written = new Set();
  for (const { kind, inode, path, target } of changes) {
    if (kind === 'unseen' && !NOT_MODELLED.test(target)) faults.push(`${path} of ${target} is not modelled`);
    if (kind === 'write' || kind === 'size') written.add(inode);
    for (const one of [path, target]) if (one !== '' && kind !== 'unseen') named.add(relative(folder, one));
  }
  // What is in a folder that was renamed has another path, too.
  const told = (path) => {
    for (
      let part = path;
      part !== '.' && part !== '';
      part = part.includes('/') ? part.slice(0, part.lastIndexOf('/')) : ''
    ) {
      if (named.has(part)) return true;
    }
    return false;
  };
  const now = look(folder);
  for (const [path, { inode, file, state }] of now) {
    if (NOT_MODELLED.test(path)) continue;
    const was = before.get(path);
    if ((was === undefined || was.inode !== inode) && !told(path))
      faults.push(`${path} is new, the journal does not say so`);
    else if (was?.inode === inode && file && was.state !== state && !written.has(inode)) {
      faults.push(`${path} was written, the journal does not say so`);
    }
  }
  for (const path of before.keys()) {
    if (!now.has(path) && !told(path)) faults.push(`${path} is gone, the journal does not say so`);
  }
  return faults;
}
