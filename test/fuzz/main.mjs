/**
 * `npm run fuzz [seconds a reader] [seed]`: damaged input for every reader, for as long as asked. The tests do the same for a few seconds; a failure names its
 * seed and its run, with which it can be repeated.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readCollapsed, readJfr, readPprof } from '@pilotlight/profile';
import { tryReader } from '@pilotlight/profile/fuzz';
import { parseSelector } from '@pilotlight/protocol';
import { parseAppName } from '../../packages/server/dist/ingest/app-name.js';
import { parseQuery } from '../../packages/server/dist/ingest/query-string.js';

const seconds = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const testData = process.env.PILOTLIGHT_TESTDATA ?? new URL('../../../shared/data', import.meta.url).pathname;
/** Larger recordings make too few runs a second. */
const INPUT_BYTES_MAX = 400_000;
const RUNS_AT_ONCE = 200;

const text = (...lines) => lines.map((line) => new TextEncoder().encode(line));
const readers = {
  pprof: { inputs: files('profiles/pprof', '.gz'), read: readPprof },
  jfr: { inputs: [...files('jfr', '.jfr.gz'), ...files('jfr/generated', '.jfr.gz')], read: readJfr },
  collapsed: { inputs: files('profiles/collapsed', ''), read: readCollapsed },
  'label selector': { inputs: text('{a="1", b.c!=\'2\', "d e"=~`\\d+`,f!~"x\\"y\\n"}'), read: asText(parseSelector) },
  'application name': { inputs: text('my app{path=/users/{id},q=a b, c=}'), read: asText(parseAppName) },
  'query string': { inputs: text('name=a%7Bb%3Dc%7D&from=now-1h&until=&x=%c3%a9+y'), read: asText(parseQuery) },
};

console.log(`seed ${seed}, ${seconds} s a reader`);
for (const [name, { inputs, read }] of Object.entries(readers)) {
  if (inputs.length === 0) {
    console.log(`${name}: skipped: no data`);
    continue;
  }
  const sum = { runs: 0, read: 0, refused: 0 };
  const until = Date.now() + seconds * 1_000;
  for (let round = 0; Date.now() < until; round++) {
    const result = tryReader({ inputs, read, seed: seed + round, runs: RUNS_AT_ONCE });
    for (const key of Object.keys(sum)) sum[key] += result[key];
  }
  console.log(`${name}: ${sum.runs} runs, ${sum.read} read, ${sum.refused} refused`);
}

/** The inflated files of a folder of the test data; none when it is absent. */
function files(folder, ending) {
  let names;
  try {
    names = readdirSync(join(testData, folder));
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(testData, folder, name)))
    .map((bytes) => new Uint8Array(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes))
    .filter((bytes) => bytes.length <= INPUT_BYTES_MAX);
}

function asText(parse) {
  return (bytes) => {
    parse(new TextDecoder().decode(bytes));
    return { profiles: [], refusals: [] };
  };
}
