import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readCollapsed, readPprof } from '@pilotlight/profile';
import { EXPORT_FORMATS } from '@pilotlight/protocol';
import { type RunningServer, serverOptionsFrom, startServer } from '@pilotlight/server';
import { exportCommand } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'pilotlight-export-'));
let server: RunningServer;

before(async () => {
  server = await startServer(
    serverOptionsFrom({ PILOTLIGHT_LISTEN: '127.0.0.1:0', PILOTLIGHT_DATA: join(folder, 'data') }),
  );
  for (const [name, stacks] of [
    ['shop{region=eu}', 'main;a 5\nmain;b 7'],
    ['shop{region=us}', 'main;a 1'],
  ] as const) {
    const url = `${server.address}/ingest?${new URLSearchParams({ name, from: 'now', until: 'now' })}`;
    assert.equal((await fetch(url, { method: 'POST', body: stacks })).status, 200);
  }
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function run(...words: string[]): Promise<Buffer> {
  const output = join(folder, 'out');
  rmSync(output, { force: true });
  await exportCommand()
    .exitOverride()
    .parseAsync(['--server', server.address, '--service', 'shop', '--until', 'now', '-o', output, ...words], {
      from: 'user',
    });
  return readFileSync(output);
}

/** The CPU time of all samples, in samples of 10 ms. */
const READERS: Readonly<Record<(typeof EXPORT_FORMATS)[number], (bytes: Buffer) => number>> = {
  pprof: (bytes) => sum(readPprof(gunzipSync(bytes)).profiles[0]?.profile.samples.values[0]),
  collapsed: (bytes) => sum(readCollapsed(bytes).profiles[0]?.profile.samples.values[0]),
  speedscope: (bytes) => JSON.parse(bytes.toString()).profiles[0].endValue / 1e7,
  flamebearer: (bytes) => JSON.parse(bytes.toString()).flamebearer.numTicks / 1e7,
  svg: (bytes) => Number(/main — ([\d.]+) ms/.exec(bytes.toString())?.[1]) / 10,
};

function sum(values: Float64Array = new Float64Array()): number {
  return values.reduce((a, b) => a + b, 0) / 1e7;
}

for (const format of EXPORT_FORMATS) {
  test(`${format} holds what the labels select`, async () => {
    // The range ends a moment after the last upload: both were just taken.
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(READERS[format](await run('--format', format)), 13);
    assert.equal(READERS[format](await run('--format', format, '--label', 'region=us')), 1);
  });
}

test('what is not there is no file', async () => {
  await assert.rejects(run('--label', 'region=mars'), { code: 'not_found', message: /^nothing matches/ });
  await assert.rejects(run('--until', 'now-30m'), { code: 'not_found' });
  assert.throws(() => readFileSync(join(folder, 'out')), { code: 'ENOENT' });
});
