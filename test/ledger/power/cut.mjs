/**
 * Makes a folder what its disk may hold after the power went, from the journal of unsynced.c.
 *
 * The model is a journaling file system (ext4, XFS):
 * - Contents written since the last fsync or fdatasync of a file are gone; or, as the kernel writes pages back when it likes,
 *   any of them are there and any others are not, in whatever order they were written.
 * - Names (created, renamed, removed) come back as a prefix of their order: at least up to the last one that a synced file or
 *   folder took part in, and from there to any later one.
 */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { readJournal } from './journal.mjs';

const PAGE_BYTES = 4_096;
const NAMES = new Set(['create', 'rename', 'remove', 'make-folder', 'remove-folder']);

/**
 * @param {{ folder: string, journal: string, random: import('../random.mjs').Random }} options The process that wrote must be
 *   gone. The journal is empty afterwards: what is there now has reached the disk.
 * @returns {{ writes: number, dropped: number, names: number, undone: number }} How many writes were not synced, how many pages
 *   of them are gone; the same of names.
 */
export function cutPower({ folder, journal, random }) {
  const changes = readJournal(join(journal, 'journal'));
  const contents = cutContents(folder, journal, changes, random);
  const names = cutNames(journal, changes, random);
  rmSync(journal, { recursive: true, force: true });
  openJournal(journal);
  return { ...contents, ...names };
}

/** An empty journal. */
export function openJournal(journal) {
  mkdirSync(join(journal, 'kept'), { recursive: true });
}

function cutContents(folder, journal, changes, random) {
  const unsynced = unsyncedWrites(changes);
  const paths = new Map();
  findInodes(join(journal, 'kept'), paths);
  findInodes(folder, paths);
  // Mostly nothing that was not synced is there; else a share of it.
  const share = random.chance(0.5) ? 0 : random.number();
  let writes = 0;
  let dropped = 0;
  for (const [inode, ofFile] of unsynced) {
    const path = paths.get(inode);
    if (path === undefined) continue;
    const file = openSync(path, 'r+');
    try {
      for (const change of ofFile.toReversed()) {
        if (change.old.length > 0) writeAll(file, change.old, change.position);
        ftruncateSync(file, change.before);
      }
      for (const change of ofFile) {
        if (!change.durable) writes++;
        if (change.kind === 'size') {
          if (random.chance(share)) ftruncateSync(file, change.position);
          else dropped++;
          continue;
        }
        for (const [from, to] of pagesOf(change)) {
          if (change.durable || random.chance(share)) {
            writeAll(file, change.fresh.subarray(from, to), change.position + from);
          } else dropped++;
        }
      }
    } finally {
      closeSync(file);
    }
  }
  return { writes, dropped };
}

/** Inode → what was written to it since its last sync, in order. */
function unsyncedWrites(changes) {
  const syncedTo = new Map();
  let allSyncedTo = 0;
  for (const { kind, inode, position } of changes) {
    if (kind === 'sync') syncedTo.set(inode, Math.max(position, syncedTo.get(inode) ?? 0));
    if (kind === 'sync-all') allSyncedTo = position;
  }
  const unsynced = new Map();
  for (const change of changes) {
    if (change.kind !== 'write' && change.kind !== 'size') continue;
    if (change.at < Math.max(allSyncedTo, syncedTo.get(change.inode) ?? 0)) continue;
    const ofFile = unsynced.get(change.inode);
    if (ofFile === undefined) unsynced.set(change.inode, [change]);
    else ofFile.push(change);
  }
  return unsynced;
}

/** The pages of the file a write touches, as ranges of the write: a page reaches the disk whole. */
function* pagesOf({ position, fresh, durable }) {
  if (durable) return yield [0, fresh.length];
  for (let from = 0; from < fresh.length; ) {
    const to = Math.min(fresh.length, from + PAGE_BYTES - ((position + from) % PAGE_BYTES));
    yield [from, to];
    from = to;
  }
}

function cutNames(journal, changes, random) {
  const names = changes.filter(({ kind }) => NAMES.has(kind));
  const committed = committedTo(changes);
  const open = names.filter(({ at }) => at > committed);
  const survive = random.chance(0.5) ? 0 : random.below(open.length + 1);
  for (const change of open.slice(survive).reverse()) undo(change, journal);
  return { names: open.length, undone: open.length - survive };
}

/**
 * Place of the last change of names that is certain to be on the disk. An fsync commits the journal of the file system up to the
 * last change the file or folder took part in, and the journal is in order; an fdatasync does so when the file is new or has grown.
 */
function committedTo(changes) {
  const madeBy = new Map();
  for (const { kind, position, inode } of changes) if (kind === 'identity') madeBy.set(position, inode);
  const touches = new Map();
  const grownAt = new Map();
  const touch = (inode, at) => {
    const list = touches.get(inode);
    if (list === undefined) touches.set(inode, [at]);
    else list.push(at);
  };
  let committed = -1;
  for (const change of changes) {
    const { kind, at, inode, folder, position } = change;
    if (NAMES.has(kind)) {
      for (const one of new Set([inode, madeBy.get(at), folder, kind === 'rename' ? position : 0])) {
        if (one) touch(one, at);
      }
      const made = madeBy.get(at);
      if (made !== undefined) grownAt.set(made, at);
    } else if (kind === 'size' || (kind === 'write' && position + change.fresh.length > change.before)) {
      grownAt.set(inode, at);
    } else if (kind === 'sync') {
      if (change.dataOnly && !(grownAt.get(inode) < position)) continue;
      committed = Math.max(committed, touches.get(inode)?.findLast((one) => one < position) ?? -1);
      if (grownAt.get(inode) < position) grownAt.delete(inode);
    } else if (kind === 'sync-all') {
      committed = at;
    }
  }
  return committed;
}

/** A change that was recorded and never made, because the process was killed between the two, is left alone. */
function undo({ kind, at, path, target, kept, exchange, position }, journal) {
  const link = join(journal, 'kept', String(at));
  switch (kind) {
    case 'create':
      if (present(path)) unlinkSync(path);
      break;
    case 'make-folder':
      if (present(path)) rmdirSync(path);
      break;
    case 'remove':
      if (kept && !present(path)) linkSync(link, path);
      break;
    case 'remove-folder':
      if (!present(path)) mkdirSync(path, { mode: position });
      break;
    case 'rename':
      if (exchange) throw new Error(`an exchange of ${path} and ${target} can't be undone`);
      if (present(path) || !present(target)) break;
      renameSync(target, path);
      if (kept) linkSync(link, target);
      break;
  }
}

function present(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function findInodes(folder, paths) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) findInodes(path, paths);
    else if (entry.isFile()) paths.set(lstatSync(path).ino, path);
  }
}

function writeAll(file, bytes, position) {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}
