/**
 * `npm run ledger`: pushes that were acknowledged are there, once, whatever the server is killed at. See docs/ledger.md.
 *
 *   --variant kill|power   only this one
 *   --kills N              of each (default 52)
 *   --seed N               what is pushed and when it is killed; the timing of the machine is not in it
 *   --server FILE          another program than packages/server/dist/main.js
 *   --keep                 leave the data folders
 *   --minutes N            give up after so long (default 40; a quiet machine with two cores takes less than ten)
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildShim } from './power/shim.mjs';
import { LedgerRun } from './run.mjs';
import { MAIN } from './server.mjs';

const { values } = parseArgs({
  options: {
    variant: { type: 'string' },
    kills: { type: 'string', default: '52' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_007) },
    server: { type: 'string', default: MAIN },
    keep: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '40' },
  },
});

setTimeout(() => {
  console.log(`given up after ${values.minutes} minutes`);
  process.exit(1);
}, Number(values.minutes) * 60_000).unref();

let failed = false;
for (const variant of values.variant === undefined ? ['kill', 'power'] : [values.variant]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `pilotlight-ledger-${variant}-`)));
  const shim = variant === 'power' ? buildShim(folder) : undefined;
  if (shim?.absent !== undefined) {
    console.log(`${variant}: skipped: ${shim.absent}`);
    if (process.env.CI === 'true') failed = true;
    continue;
  }
  const seed = Number(values.seed);
  console.log(`${variant}: seed ${seed}`);
  const say = (line) => console.log(`${variant}: ${line}`);
  const { kills, server } = values;
  const started = performance.now();
  const run = new LedgerRun({
    folder,
    seed,
    kills: Number(kills),
    program: resolve(server),
    library: shim?.library,
    say,
  });
  const outcome = await run.run();
  const { pushes, acknowledged, found, checks, slowestStartMillis, faults, notes } = outcome;
  const seconds = Math.round((performance.now() - started) / 1_000);
  if (notes !== '') console.log(`${variant}: ${notes}`);
  console.log(`${variant}: ${checks} checks, slowest start ${Math.round(slowestStartMillis)} ms, ${seconds} s`);
  console.log(`${variant}: ${pushes} pushes, ${acknowledged} acknowledged, ${found} found, ${outcome.kills} kills`);
  if (faults.length === 0) {
    console.log(`${variant}: ok`);
    if (!values.keep) rmSync(folder, { recursive: true });
  } else {
    failed = true;
    console.log(`${variant}: ${faults.length} faults with seed ${seed}; the data is in ${folder}`);
    for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
  }
}
process.exit(failed ? 1 : 0);
