/** Reads the journal of unsynced.c; the layout of a record is drawn there. */
import { existsSync, readFileSync, truncateSync } from 'node:fs';

const KINDS = [
  '',
  'write',
  'size',
  'create',
  'identity',
  'rename',
  'remove',
  'make-folder',
  'remove-folder',
  'sync',
  'sync-all',
  'unseen',
];
const HEADER = 56;

/**
 * @typedef {object} Change
 * @property {number} at Place in the journal: the order of everything.
 * @property {string} kind
 * @property {boolean} durable Written through a descriptor that syncs each write (O_DSYNC).
 * @property {boolean} kept What the name stood for before has a second link, `kept/<at>`.
 * @property {boolean} exchange
 * @property {boolean} dataOnly fdatasync
 * @property {number} inode
 * @property {number} folder Inode of the folder the name is in.
 * @property {number} position write: offset; size: length after; rename: inode of the folder it goes to; sync: covers what is
 *   before this place; identity: the place of the record that made it; remove-folder: mode.
 * @property {number} before Length of the file before.
 * @property {string} path
 * @property {string} target Of a rename.
 * @property {Buffer} old What the range held before, as far as the file went.
 * @property {Buffer} fresh What was written.
 */

/**
 * A record cut short by a kill is cut off the file too, since the next process goes on writing behind it: its change was
 * never made.
 *
 * @returns {Change[]}
 */
export function readJournal(file) {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const changes = [];
  let at = 0;
  while (at + HEADER <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    if (length < HEADER || at + length > bytes.length) break;
    changes.push(changeAt(bytes, at));
    at += length;
  }
  if (at < bytes.length) truncateSync(file, at);
  return changes;
}

function changeAt(bytes, at) {
  const number = (offset) => Number(bytes.readBigUInt64LE(at + offset));
  const flags = bytes.readUInt16LE(at + 6);
  let end = at + HEADER;
  const part = (offset) => bytes.subarray(end, (end += bytes.readUInt32LE(at + offset)));
  return {
    at,
    kind: KINDS[bytes.readUInt16LE(at + 4)],
    durable: (flags & 1) !== 0,
    kept: (flags & 2) !== 0,
    exchange: (flags & 4) !== 0,
    dataOnly: (flags & 8) !== 0,
    inode: number(8),
    folder: number(16),
    position: number(24),
    before: number(32),
    path: part(40).toString(),
    target: part(44).toString(),
    old: part(48),
    fresh: part(52),
  };
}
