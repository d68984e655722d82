/** The server as `npm start` runs it profiles itself: under load its own decoder, which works in threads of its own, is on the page. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readCollapsed, writePprof } from '@pilotlight/profile';
import { createClient } from '@pilotlight/protocol';
import { start } from '../real/harness/processes.mjs';
import { ingest } from '../server/api.mjs';
import { openPage, SKIPPED, startChromium, untilFrame } from './harness/chromium.mjs';

/** What scripts/start.cjs runs after the set-up. */
const PROGRAM = fileURLToPath(new URL('../../packages/cli/bin/pilotlight.cjs', import.meta.url));
const PICTURES = fileURLToPath(new URL('../out/', import.meta.url));
const READY = /^pilotlight is ready on (http:\S+)$/m;
const CPU = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds';
const SAMPLES = 'process_cpu:samples:count:cpu:nanoseconds';
/** Functions of packages/profile/src/pprof: V8 may have inlined one of them, not all. */
const DECODER = '/^(readPprof|scanProfile|readSample|readFunctions)$/';
const SAMPLES_MIN = 50;

const LOAD_SECONDS = 30;
/** On a machine that is shared by many the load takes its time to be seen; a diagnostic tells how long. */
const PATIENCE_SECONDS = 90;
const PUSHES_PER_SECOND = 40;
const PROFILE_SAMPLES = 400;

test('its own decoder is on the page within half a minute of load', { skip: SKIPPED }, async (t) => {
  const [address, browser] = await Promise.all([startProgram(t), startChromium(t)]);
  const started = Date.now();
  const seconds = () => (Date.now() - started) / 1000;
  const load = pushFor(address, LOAD_SECONDS);

  const own = { selector: '{service_name="pilotlight"}', start: started - 60_000 };
  const client = createClient({ baseUrl: address });
  const total = (profileType) =>
    client.selectMergeStacktraces({ ...own, profileType, end: Date.now() + 60_000 }).then((tree) => tree.total);
  let samples = 0;
  while (samples < SAMPLES_MIN && seconds() < PATIENCE_SECONDS) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    samples = await total(SAMPLES);
  }
  t.diagnostic(`${samples} samples ${seconds().toFixed(1)} s after the load began`);
  assert.ok(samples >= SAMPLES_MIN, `${samples} samples`);

  const query = new URLSearchParams({ service: 'pilotlight', type: CPU, last: '5m', search: DECODER });
  const { page, faults } = await openPage(browser, `${address}/?${query}`, { viewport: { width: 1400, height: 850 } });
  await untilFrame(page, /^total total [\d.]+ (?:ms|s|min) \(100 % of total\)/);
  const share = await untilMatched(page);
  t.diagnostic(`the decoder has ${share} of the CPU, on the page ${seconds().toFixed(1)} s after the load began`);
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, 'self-profile.png') });
  assert.deepEqual(faults, []);

  const { pushed, refused } = await load;
  t.diagnostic(`${pushed} uploads in ${LOAD_SECONDS} s`);
  assert.deepEqual(refused, []);
});

/** @returns {Promise<string>} The address of a server that runs as `npm start` runs it. */
async function startProgram(t) {
  const data = mkdtempSync(join(tmpdir(), 'pilotlight-self-'));
  const { child, ended, printed } = start(t, {
    command: process.execPath,
    args: [PROGRAM, 'serve'],
    environment: {
      PILOTLIGHT_LISTEN: '127.0.0.1:0',
      PILOTLIGHT_DATA: data,
      PYROSCOPE_UPLOAD_INTERVAL: '5s',
      UV_THREADPOOL_SIZE: '16',
    },
  });
  t.after(() => rmSync(data, { recursive: true, force: true }));
  return new Promise((resolve, reject) => {
    child.stdout.on('data', () => {
      const match = READY.exec(printed());
      if (match !== null) resolve(match[1]);
    });
    ended.then(() => reject(new Error(`the server did not start: ${printed()}`)));
  });
}

/** Uploads at a steady rate, with recordings between them where there is one, and asks a question now and then. */
async function pushFor(address, loadSeconds) {
  const jfr = recording();
  const client = createClient({ baseUrl: address });
  const lines = Array.from(
    { length: PROFILE_SAMPLES },
    (_, i) => `main;serve;handle${i % 20};query${i % 80};row${i} ${1 + (i % 7)}`,
  );
  const { profile } = readCollapsed(new TextEncoder().encode(lines.join('\n')), {
    sampleType: { type: 'cpu', unit: 'nanoseconds' },
  }).profiles[0];
  const body = writePprof(profile);
  const began = Date.now();
  const window = { from: 'now-10s', until: 'now' };
  const pending = new Set();
  const refused = [];
  let pushed = 0;
  const send = (name, format, bytes) => {
    const sent = ingest(address, { name, format, ...window }, bytes).then(({ status, text }) => {
      pending.delete(sent);
      if (status !== 200) refused.push(`${status} ${text}`);
      pushed++;
    });
    pending.add(sent);
  };
  for (let turn = 0; Date.now() - began < loadSeconds * 1000; turn++) {
    // As many as are due by now, unless the server is behind: the load is bounded.
    while (pushed + pending.size < ((Date.now() - began) / 1000) * PUSHES_PER_SECOND && pending.size < 20) {
      send(`load{pod=pod-${pushed % 10}}`, 'pprof', body);
    }
    if (jfr !== undefined && turn % 100 === 50) send('load-jfr', 'jfr', jfr);
    if (turn % 20 === 0) {
      const range = { start: began - 60_000, end: Date.now() };
      await client.selectMergeStacktraces({ profileType: CPU, selector: '{service_name="load"}', ...range });
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await Promise.all(pending);
  return { pushed, refused };
}

/** Of the shared test data; undefined without it. */
function recording() {
  const file = join(process.env.PILOTLIGHT_TESTDATA ?? '', 'jfr/generated/agent450-itimer-alloc-lock-live.jfr.gz');
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** Waits until the search has found something; its share. */
async function untilMatched(page) {
  const matched = /^([\d.]+.%) of total in/;
  for (let turn = 0; ; turn++) {
    const text = await page.locator('#search-result').textContent();
    const [, share] = matched.exec(text) ?? [];
    if (share !== undefined && Number.parseFloat(share) > 0) return share;
    assert.ok(turn < 30, `nothing of the decoder: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await page.getByRole('button', { name: 'Refresh now' }).click();
  }
}
