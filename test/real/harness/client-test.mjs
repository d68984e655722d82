/** One test: a real client profiles a real program and sends it to a real server, which then tells what it was sent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { fromFlamebearer, topTable } from '@pilotlight/profile';
import { orSkip } from './install.mjs';
import { asLines } from './labels.mjs';
import { startPilotlight } from './pilotlight.mjs';
import { cpuSeconds, start } from './processes.mjs';

/** All clients are told to send this often. */
export const UPLOAD_SECONDS = 2;
/** How long a program runs when nobody stops it. */
export const PROGRAM_MILLIS = 90_000;

const ARRIVAL_MILLIS_MAX = 60_000;
const HOT_SHARE_MIN = 0.6;
/** Profiled time by CPU time of the process. A period read wrongly is wrong by 10; the program's first and last seconds are in no profile. */
const MEASURED_MIN = 0.15;
const MEASURED_MAX = 1.5;

/**
 * @typedef {object} Client
 * @property {string} command
 * @property {string[]} args
 * @property {string} [cwd]
 * @property {Record<string, string>} environment The client's own configuration; the server's address is added.
 * @property {string} service
 * @property {Record<string, string>[]} series Every label map that Series must answer, and no other.
 * @property {{ profileType: string, function: string }} hot The function that must have most of this type, in nanoseconds.
 * @property {boolean} [countsWaiting] The client takes a thread that waits for a core for one that has it.
 */

/**
 * @param {string} name
 * @param {() => Client} install May throw NotInstalled: then the test is skipped, and with CI=true it fails.
 */
export function clientTest(name, install) {
  test(name, async (t) => {
    const client = orSkip(t, install);
    if (client !== undefined) await run(t, client);
  });
}

async function run(t, client) {
  const { address, client: pilotlight } = await startPilotlight(t);
  const started = Date.now();
  const range = () => ({ start: started - 60_000, end: Date.now() + 60_000 });
  const selector = `{service_name="${client.service}"}`;
  const program = start(t, {
    ...client,
    environment: {
      ...client.environment,
      PYROSCOPE_SERVER_ADDRESS: address,
      PYROSCOPE_APPLICATION_NAME: client.service,
    },
  });
  const { profileType, function: hot } = client.hot;
  const series = async () => asLines(await pilotlight.series(range(), [selector]));
  const profiled = async () => {
    const flamegraph = await pilotlight.selectMergeStacktraces({ profileType, selector, ...range() });
    return shareOf(hot, fromFlamebearer(flamegraph));
  };

  const expected = asLines(client.series);
  const complete = await until(program, async () => {
    // At first compilers and class loaders, the client's own too, have their part of the CPU.
    return isDeepStrictEqual(await series(), expected) && (await profiled()).share >= HOT_SHARE_MIN;
  });
  // A series too many may come with the next upload.
  if (complete) await sleep(UPLOAD_SECONDS * 1500);
  assert.deepEqual(await series(), expected);
  t.diagnostic(`${expected.length} of ${expected.length} label maps compared`);

  const cpu = cpuSeconds(program.child.pid);
  const elapsed = (Date.now() - started) / 1000;
  const { share, seconds } = await profiled();
  const percent = `${(100 * share).toFixed(1)} %`;
  t.diagnostic(`${hot}: ${percent} of ${seconds.toFixed(2)} s ${profileType}; CPU ${cpu} s in ${elapsed} s`);
  assert.ok(share >= HOT_SHARE_MIN, `${hot} has ${percent} of ${profileType}`);
  if (cpu !== undefined) {
    const most = MEASURED_MAX * (client.countsWaiting ? elapsed : cpu);
    assert.ok(seconds > MEASURED_MIN * cpu && seconds < most, `${seconds} s profiled of ${cpu} s CPU in ${elapsed} s`);
  }

  assert.deepEqual(await pilotlight.refusals(), []);
}

/** Polls until `holds`; false when it did not within the limit. An error when the program ended before. */
async function until(program, holds) {
  const end = Date.now() + ARRIVAL_MILLIS_MAX;
  while (Date.now() < end) {
    if (await holds()) return true;
    if (program.child.exitCode !== null) {
      throw new Error(`the program ended with ${program.child.exitCode}: ${program.printed().slice(-4000)}`);
    }
    await sleep(250);
  }
  return false;
}

/** @param {import('@pilotlight/profile').CallTree} tree Of a type in nanoseconds. */
function shareOf(functionName, tree) {
  const top = topTable(tree);
  const total = tree.total[0];
  const row = Array.from(top.name).findIndex((name) => tree.names[name] === functionName);
  return { share: row < 0 ? 0 : top.total[row] / total, seconds: total / 1e9 };
}
