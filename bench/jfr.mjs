// How fast JFR recordings are read: `node bench/jfr.mjs [FOLDER]` after a build.
//
// Cold is the first run in a fresh process, hot the best of many. The baseline, in the same process, counts the bytes
// that end a varint: the least that any reader of the format has to look at. The ratio to it holds on any machine; MB/s
// do not.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readJfr } from '../packages/profile/dist/index.js';

const self = fileURLToPath(import.meta.url);
const HOT_MILLIS = 700;

function readRecording(path) {
  const bytes = readFileSync(path);
  return new Uint8Array(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes);
}

function timed(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Milliseconds of the best run: what the code can do when nothing else wants the processor. */
function best(run) {
  let least = Number.POSITIVE_INFINITY;
  for (let spent = 0; spent < HOT_MILLIS; ) {
    const millis = timed(run);
    spent += millis;
    least = Math.min(least, millis);
  }
  return least;
}

function countVarintEnds(bytes) {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] < 0x80) count++;
  return count;
}

function measure(path) {
  const bytes = readRecording(path);
  // The inflated bytes are in here already, so what comes on top is the reader's.
  const before = process.resourceUsage().maxRSS;
  const cold = timed(() => readJfr(bytes));
  const peak = (process.resourceUsage().maxRSS - before) * 1024;
  const hot = best(() => readJfr(bytes));
  const baseline = best(() => countVarintEnds(bytes));
  return { bytes: bytes.length, cold, hot, baseline, peak };
}

if (process.argv[2] === '--one') {
  console.log(JSON.stringify(measure(process.argv[3])));
} else {
  const data = process.env.PILOTLIGHT_TESTDATA ?? fileURLToPath(new URL('../../shared/data', import.meta.url));
  const folders = process.argv[2]
    ? [process.argv[2]]
    : ['jfr', 'jfr/generated', 'jfr/cassandra', 'profiles/jfr'].map((name) => join(data, name));
  const files = folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => /\.jfr(\.gz)?$/.test(name))
          .map((name) => join(folder, name))
      : [],
  );
  if (files.length === 0) {
    console.log('skipped: no data');
  }
  const row = (name, ...cells) => console.log(name.padEnd(48), ...cells.map((cell) => cell.padStart(10)));
  row('recording', 'MB', 'cold MB/s', 'hot MB/s', '× baseline', 'memory MB');
  for (const file of files) {
    // A process of its own for each file, so that cold is cold.
    const result = JSON.parse(execFileSync(process.execPath, [self, '--one', file], { encoding: 'utf8' }));
    const rate = (millis) => (result.bytes / 1000 / millis).toFixed(0);
    row(
      basename(file),
      (result.bytes / 1e6).toFixed(2),
      rate(result.cold),
      rate(result.hot),
      (result.hot / result.baseline).toFixed(1),
      (result.peak / 1e6).toFixed(0),
    );
  }
}
