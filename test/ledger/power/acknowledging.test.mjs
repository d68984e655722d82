/** The commit log says yes only when the disk has it: told from the order in which fsyncs and answers stand in the journal. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openJournal } from './cut.mjs';
import { readJournal } from './journal.mjs';
import { buildShim, recordedEnvironment } from './shim.mjs';

const PROGRAM = fileURLToPath(new URL('acknowledging.mjs', import.meta.url));
const RECORDS = 600;

/** lmdb writes the middle of a meta page, which ends with the number of the transaction and the boot id. */
const META_BYTES = 128;
const TRANSACTION_AT = 112;

test('a record is durable before its append is answered, whatever is appended beside it', (t) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pilotlight-acknowledging-')));
  t.after(() => rmSync(root, { recursive: true }));
  const shim = buildShim(root);
  if (shim.absent !== undefined) {
    if (process.env.CI === 'true') assert.fail(shim.absent);
    return t.skip(`skipped: ${shim.absent}`);
  }
  const folder = join(root, 'data');
  const journal = join(root, 'journal');
  mkdirSync(folder);
  openJournal(journal);
  const env = {
    PATH: process.env.PATH,
    UV_THREADPOOL_SIZE: '16',
    ...recordedEnvironment({ library: shim.library, folder, journal, boot: 1, delayMicros: 4_000 }),
  };
  const { signal, stderr } = spawnSync(process.execPath, [PROGRAM, folder, String(RECORDS)], { env, encoding: 'utf8' });
  assert.equal(signal, 'SIGKILL', stderr);

  const { answers, early } = answersOf(readJournal(join(journal, 'journal')));
  assert.deepEqual(early, []);
  assert.ok(answers >= RECORDS, `${answers} answers`);
  t.diagnostic(`${answers} of ${answers} answers compared`);
});

/** How many answers there were, and those that came before the transaction of their record was synced. */
function answersOf(changes) {
  const transactionOf = new Map();
  const unwritten = new Set();
  const early = [];
  let answers = 0;
  let synced = 0;
  for (const { kind, durable, fresh } of changes) {
    if (kind !== 'write') continue;
    if (fresh.length === META_BYTES) {
      const transaction = Number(fresh.readBigUInt64LE(TRANSACTION_AT));
      if (durable) synced = Math.max(synced, transaction);
      else for (const mark of unwritten) transactionOf.set(mark, transaction);
      if (!durable) unwritten.clear();
      continue;
    }
    const text = fresh.toString('latin1');
    const answer = /^ACK (mark-\d+)/.exec(text);
    if (answer === null) {
      for (const [mark] of text.matchAll(/mark-\d{8}/g)) if (!transactionOf.has(mark)) unwritten.add(mark);
      continue;
    }
    answers++;
    if (!(transactionOf.get(answer[1]) <= synced)) early.push(answer[1]);
  }
  return { answers, early };
}
