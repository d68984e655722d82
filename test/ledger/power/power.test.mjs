/** The power cut itself is tested: what was synced stays, what was not goes, and a write that was not recorded is noticed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cutPower, openJournal } from './cut.mjs';
import { readJournal } from './journal.mjs';
import { buildShim, recordedEnvironment } from './shim.mjs';
import { look, unseenChanges } from './unseen.mjs';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'pilotlight-power-')));
after(() => rmSync(root, { recursive: true }));
const shim = buildShim(root);

/** Of what was not synced nothing is there, or everything. */
const NOTHING = { chance: (share) => share === 0.5, number: () => 0, below: () => 0 };
const EVERYTHING = { chance: (share) => share === 1, number: () => 1, below: (end) => end - 1 };

let folders = 0;

/** Runs a program in a folder with files `kept` ("old", synced) and `sub/`, kills it and looks at what a cut leaves. */
function afterPowerCut(t, random, program) {
  if (shim.absent !== undefined) {
    if (process.env.CI === 'true') assert.fail(shim.absent);
    t.skip(`skipped: ${shim.absent}`);
    return undefined;
  }
  const folder = join(root, `folder-${++folders}`);
  const journal = join(root, `journal-${folders}`);
  mkdirSync(join(folder, 'sub'), { recursive: true });
  for (const name of ['kept', 'gone']) appendFileSync(join(folder, name), 'old');
  openJournal(journal);
  const before = look(folder);
  const source = `
    const fs = require('node:fs');
    process.chdir(${JSON.stringify(folder)});
    /** Writes text into a file; how: a flag of open. */
    const write = (name, text, how = 'a', sync = false) => {
      const file = fs.openSync(name, how);
      fs.writeSync(file, text);
      if (sync) fs.fsyncSync(file);
      fs.closeSync(file);
    };
    const syncFolder = (name) => fs.fsyncSync(fs.openSync(name));
    ${program};
    process.kill(process.pid, 'SIGKILL');`;
  const env = recordedEnvironment({ library: shim.library, folder, journal, boot: 1 });
  const { signal, stderr } = spawnSync(process.execPath, ['-e', source], { env, encoding: 'utf8' });
  assert.equal(signal, 'SIGKILL', stderr);
  assert.deepEqual(unseenChanges(folder, journal, before), []);
  cutPower({ folder, journal, random });
  assert.deepEqual(readdirSync(journal), ['kept'], 'a new journal');
  const contents = {};
  for (const path of [...look(folder).keys()].sort()) {
    const entry = join(folder, path);
    contents[path] = readdirSync(folder, { withFileTypes: true }).some((one) => one.name === path && one.isDirectory())
      ? '/'
      : readFileSync(entry, 'utf8');
  }
  return contents;
}

const UNTOUCHED = { gone: 'old', kept: 'old', sub: '/' };

test('what was written without a sync is gone, with one it stays', (t) => {
  const program = `write('kept', ' synced', 'a', true); write('kept', ' not'); write('gone', ' not')`;
  const left = afterPowerCut(t, NOTHING, program);
  if (left) assert.deepEqual(left, { ...UNTOUCHED, kept: 'old synced' });
});

test('or it is there all the same', (t) => {
  const left = afterPowerCut(t, EVERYTHING, `write('kept', ' 1', 'a', true); write('kept', ' 2'); write('new', 'x')`);
  if (left) assert.deepEqual(left, { ...UNTOUCHED, kept: 'old 1 2', new: 'x' });
});

test('overwriting, cutting and emptying a file come undone', (t) => {
  const left = afterPowerCut(
    t,
    NOTHING,
    `write('sub/a', '0123456789', 'w', true); syncFolder('sub');
     const file = fs.openSync('sub/a', 'r+'); fs.writeSync(file, 'ab', 3); fs.ftruncateSync(file, 4); fs.writeSync(file, 'xyz', 9);
     write('kept', 'new', 'w'); fs.truncateSync('gone', 1)`,
  );
  if (left) assert.deepEqual(left, { ...UNTOUCHED, 'sub/a': '0123456789' });
});

test('a sync covers what any descriptor wrote to the file, a synchronous descriptor only its own', (t) => {
  const left = afterPowerCut(
    t,
    NOTHING,
    `write('kept', ' 1'); const other = fs.openSync('kept', 'r'); fs.fsyncSync(other); write('kept', ' 2');
     write('gone', '1', 'a'); write('gone', 'N', fs.constants.O_DSYNC | fs.constants.O_WRONLY)`,
  );
  if (left) assert.deepEqual(left, { ...UNTOUCHED, kept: 'old 1', gone: 'Nld' });
});

test('names come back: created, renamed over another, removed', (t) => {
  const left = afterPowerCut(
    t,
    NOTHING,
    `fs.mkdirSync('sub/deep'); write('sub/deep/b', 'b'); fs.renameSync('kept', 'gone'); fs.renameSync('sub', 'moved');
     fs.unlinkSync('gone'); fs.linkSync('moved/deep/b', 'second')`,
  );
  if (left) assert.deepEqual(left, UNTOUCHED);
});

test('names are durable up to the last one a synced folder or file took part in', (t) => {
  const left = afterPowerCut(
    t,
    NOTHING,
    `write('first', '1'); fs.renameSync('kept', 'moved'); syncFolder('.'); fs.unlinkSync('gone'); write('last', '1', 'a', true);
     fs.renameSync('last', 'never')`,
  );
  // The file first was never synced, so it has a name and nothing in it.
  if (left) assert.deepEqual(left, { first: '', last: '1', moved: 'old', sub: '/' });
});

test('an fdatasync of a file that did not grow, or of a folder, commits no names', (t) => {
  const left = afterPowerCut(
    t,
    NOTHING,
    `const file = fs.openSync('kept', 'r+'); fs.renameSync('sub', 'moved');
     fs.writeSync(file, 'n'); fs.fdatasyncSync(file); fs.fdatasyncSync(fs.openSync('moved'))`,
  );
  if (left) assert.deepEqual(left, { ...UNTOUCHED, kept: 'nld' });
});

test('a change the journal does not tell of is a fault', (t) => {
  if (shim.absent !== undefined) return t.skip(`skipped: ${shim.absent}`);
  const folder = join(root, 'unseen');
  const journal = join(root, 'unseen-journal');
  mkdirSync(folder);
  openJournal(journal);
  appendFileSync(join(folder, 'written'), '1');
  appendFileSync(join(folder, 'removed'), '1');
  const before = look(folder);
  appendFileSync(join(folder, 'written'), '2');
  appendFileSync(join(folder, 'new'), '2');
  rmSync(join(folder, 'removed'));
  assert.deepEqual(unseenChanges(folder, journal, before).sort(), [
    'new is new, the journal does not say so',
    'removed is gone, the journal does not say so',
    'written was written, the journal does not say so',
  ]);
});

test('a record cut short is cut off, those before it are read', (t) => {
  if (shim.absent !== undefined) return t.skip(`skipped: ${shim.absent}`);
  const folder = join(root, 'torn');
  const journal = join(root, 'torn-journal');
  mkdirSync(folder);
  openJournal(journal);
  const env = recordedEnvironment({ library: shim.library, folder, journal, boot: 1 });
  const program = `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'a'))}, 'abc')`;
  assert.equal(spawnSync(process.execPath, ['-e', program], { env }).status, 0);
  const file = join(journal, 'journal');
  const whole = readJournal(file);
  assert.deepEqual(
    whole.map(({ kind }) => kind),
    ['create', 'identity', 'write'],
  );
  appendFileSync(file, readFileSync(file).subarray(0, 60));
  assert.deepEqual(readJournal(file), whole);
  assert.deepEqual(readJournal(file), whole, 'nothing more to cut off');
  assert.ok(existsSync(join(folder, 'a')));
});
