/**
 * Appends records to a commit log as the server does under load, some with a second append that has nothing to write, as for an
 * upload that is known already, and writes `ACK <mark>` to a file with each answer: `node acknowledging.mjs FOLDER COUNT`.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommitLog } from '../../../packages/server/dist/store/commit-log.js';
import { Random } from '../random.mjs';

const [folder, count] = process.argv.slice(2);
const log = new CommitLog({ folder: join(folder, 'log'), bytesMax: 1e9 });
const answers = openSync(join(folder, 'answers'), 'a');
const random = new Random(1);
let given = 0;

async function client(removes) {
  while (given < Number(count)) {
    const mark = `mark-${String(++given).padStart(8, '0')}`;
    const acknowledge = () => writeSync(answers, `ACK ${mark}\n`);
    const appends = [log.append([Buffer.from(mark.padEnd(300 + random.below(1_500)))]).then(acknowledge)];
    if (random.chance(0.7)) {
      await sleep(random.below(6));
      appends.push(log.append([]).then(acknowledge));
    }
    if (removes) appends.push(log.remove(log.read(1e6, random.below(20))));
    await Promise.all(appends);
    await sleep(random.below(8));
  }
}

await Promise.all([client(true), client(false), client(false), client(false)]);
process.kill(process.pid, 'SIGKILL');
