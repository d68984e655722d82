// How fast JFR recordings are read: `node bench/jfr.mjs [FOLDER]` after a build.
//
// Cold is the first run in a fresh process, in time of day; hot the best of many, in processor time. Known is hot with the
// names of the runs before, as the server's workers have them, and details the same with threads, spans and times. The
// baseline, in the same process, counts the bytes that end a varint: the least that any reader of the format has to look
// at. The ratio to it holds on any machine; MB/s do not.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { JfrNames, readJfr } from '../packages/profile/dist/index.js';

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

/** Milliseconds of processor time since `start`, an answer of process.cpuUsage. */
function cpuMillis(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Milliseconds of processor time of the best run, and of the mean one, beside which threads have compiled and collected. */
function hot(run) {
  const start = process.cpuUsage();
  let least = Number.POSITIVE_INFINITY;
  let runs = 0;
  for (; cpuMillis(start) < HOT_MILLIS; runs++) {
    const before = process.cpuUsage();
    run();
    least = Math.min(least, cpuMillis(before));
  }
  return { least, mean: cpuMillis(start) / runs };
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
  const names = new JfrNames();
  return {
    bytes: bytes.length,
    cold,
    peak,
    alone: hot(() => readJfr(bytes)),
    known: hot(() => readJfr(bytes, { names })),
    details: hot(() => readJfr(bytes, { names, details: true })),
    baseline: hot(() => countVarintEnds(bytes)),
  };
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
  const heads = [
    'MB',
    'cold MB/s',
    'hot MB/s',
    '× baseline',
    'hot ms',
    'known ms',
    '… mean',
    'details ms',
    'memory MB',
  ];
  row('recording', ...heads);
  for (const file of files) {
    // A process of its own for each file, so that cold is cold.
    const result = JSON.parse(execFileSync(process.execPath, [self, '--one', file], { encoding: 'utf8' }));
    const rate = (millis) => (result.bytes / 1000 / millis).toFixed(0);
    row(
      basename(file),
      (result.bytes / 1e6).toFixed(2),
      rate(result.cold),
      rate(result.alone.least),
      (result.alone.least / result.baseline.least).toFixed(1),
      result.alone.least.toFixed(1),
      result.known.least.toFixed(1),
      result.known.mean.toFixed(1),
      result.details.least.toFixed(1),
      (result.peak / 1e6).toFixed(0),
    );
  }
}
