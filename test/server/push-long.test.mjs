/** A JFR recording that no server takes at once, sent by the command line to a real one: every total is that of the whole. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { readJfr } from '@pilotlight/profile';
import { testData } from './recordings.mjs';
import { startServer } from './server-process.mjs';

const CLI = fileURLToPath(new URL('../../packages/cli/bin/pilotlight.cjs', import.meta.url));
/** More than the 64 MiB of one upload. */
const BYTES_MIN = 70_000_000;
/** A day ago, so that the parts lie in many hours. */
const START = BigInt(Date.now() - 86_400_000) * 1_000_000n;

test('a recording of 70 MB arrives whole', async (t) => {
  const packed = testData(t, 'jfr/cortex-dev-01__kafka-0__cpu_lock0_alloc0__0.jfr.gz');
  if (packed === undefined) return;
  const chunk = gunzipSync(packed);
  const folder = mkdtempSync(join(tmpdir(), 'pilotlight-long-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const count = Math.ceil(BYTES_MIN / chunk.length);
  const whole = Buffer.concat(
    Array.from({ length: count }, (_, index) => startingAt(chunk, START + BigInt(index) * 600_000_000_000n)),
  );
  const file = join(folder, 'long.jfr');
  writeFileSync(file, whole);
  const server = await startServer(t);

  const printed = await pushed(['--server', server.url, file]);
  assert.match(printed, new RegExp(`stored as long: .* in ${count} parts; from `));

  const range = { start: Number(START / 1_000_000n) - 1_000, end: Date.now() + 600_000 };
  const types = await server.client.profileTypes(range);
  const totals = {};
  for (const { id, name, sampleType } of types) {
    const graph = await server.client.selectMergeStacktraces({
      profileType: id,
      selector: '{service_name="long"}',
      ...range,
    });
    totals[`${name}:${sampleType}`] = graph.total;
  }
  const expected = totalsOf(readJfr(chunk));
  for (const type of Object.keys(expected)) expected[type] *= count;
  assert.deepEqual(totals, expected);
  assert.deepEqual(await server.client.refusals(), []);
});

/** The recording, of one chunk, as if it had begun at another time. */
function startingAt(chunk, nanos) {
  const copy = Buffer.from(chunk);
  copy.writeBigInt64BE(nanos, 32);
  return copy;
}

function totalsOf({ profiles }) {
  const totals = {};
  for (const { metric, profile } of profiles) {
    profile.sampleTypes.forEach(({ type }, column) => {
      const values = profile.samples.values[column].slice(0, profile.samples.length);
      totals[`${metric}:${type}`] = values.reduce((sum, value) => sum + value, 0);
    });
  }
  return totals;
}

/** What the command prints; an error when it does not end with 0. */
async function pushed(args) {
  const child = spawn(process.execPath, [CLI, 'push', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(code, 0, printed);
  return printed;
}
