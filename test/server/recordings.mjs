/** The shared recordings, and what is in them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = process.env.PILOTLIGHT_TESTDATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

/**
 * A file of the shared test data. Absent, the test is skipped and undefined comes back; with CI=true it fails, since a comparison
 * that compares nothing is worth nothing.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} path
 * @returns {Buffer | undefined}
 */
export function testData(t, path) {
  const file = join(FOLDER, path);
  if (existsSync(file)) return readFileSync(file);
  if (process.env.CI === 'true') throw new Error(`no data: ${path} is not under PILOTLIGHT_TESTDATA`);
  t.skip('skipped: no data');
  return undefined;
}

const space = (name) => [`memory:${name}_objects:count:space:bytes`, `memory:${name}_bytes:bytes:space:bytes`];
const waits = (name) => [`${name}:contentions:count:${name}:count`, `${name}:delay:nanoseconds:${name}:count`];

/** Profile types by the short names of the table. */
const TYPES = {
  cpu: ['process_cpu:cpu:nanoseconds:cpu:nanoseconds'],
  wall: ['wall:wall:nanoseconds:wall:nanoseconds'],
  tlab: space('alloc_in_new_tlab'),
  outside: space('alloc_outside_tlab'),
  alloc: space('alloc_sample'),
  malloc: space('malloc'),
  live: ['memory:live:count:objects:count'],
  mutex: waits('mutex'),
  block: waits('block'),
};

/** True totals: nanoseconds, not ticks, and the recording's own period. File, labels part, then type and totals. */
const TABLE = `
example | | cpu 10310000000 | tlab 30 27650544 | outside 260 139855503616 | mutex 13 8005192311
cortex-dev-01__kafka-0__cpu_lock0_alloc0__0 | | cpu 5820000000 | tlab 7972 1598335640 | outside 2238 43715768 | mutex 1773 1395727359 | block 435 36035980
dump2 | dump2.labels.pb.gz | cpu 33580000000 | wall 147230000000 | tlab 4 2097148 | live 4
new_spancontext | new_spancontext.labels.gz | cpu 4720000000
traceid | | cpu 3031000000
wall_tick_sample | | cpu 6450000000 | wall 128950000000
nativemem | | malloc 57 34861
FastSlow_2024_01_16_180855 | | cpu 10120000000 | wall 10120000000 | alloc 6 4689568
goland-multichunk | | cpu 17760000000 | tlab 20816 2669953240 | outside 1354 25234736 | mutex 12888 11038581218 | block 4216 946559758
generated/agent450-itimer-alloc-lock-live | generated/agent450.labels.pb | cpu 2470000000 | tlab 926 2473500272 | mutex 144 546860940 | block 165 714250990 | live 31
generated/agent450-wall-alloc-lock | generated/agent450.labels.pb | cpu 7290000000 | wall 78010000000 | tlab 1325 3811623152 | mutex 250 592141237 | block 268 929639969
generated/agent450-itimer-wall-nativemem-3chunks | generated/agent450.labels.pb | cpu 3160000000 | wall 79480000000 | malloc 61 1150769
generated/jdk25-cputime-allocsample | | cpu 3170000000 | alloc 116 45581728
generated/jdk25-strings | |
`;

/**
 * @typedef {object} Recording
 * @property {string} name
 * @property {string} file Below the test data, gzip.
 * @property {string | undefined} labels
 * @property {Record<string, number>} totals By profile type; no other type is in it.
 */

/** @type {readonly Recording[]} */
export const RECORDINGS = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [name, labels, ...rows] = line.split('|').map((cell) => cell.trim());
    const totals = rows.flatMap((row) => {
      const [type, ...numbers] = row.split(' ');
      return type === '' ? [] : numbers.map((number, i) => [TYPES[type][i], Number(number)]);
    });
    return {
      name,
      file: `jfr/${name}.jfr.gz`,
      labels: labels === '' ? undefined : `jfr/${labels}`,
      totals: Object.fromEntries(totals),
    };
  });
