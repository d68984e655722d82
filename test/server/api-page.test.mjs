/** The examples of docs/api.md, run as they stand there. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pprofFromDrawing } from '../../packages/profile/dist/testing/pprof-drawing.js';
import { startServer, temporaryFolder } from './server-process.mjs';

const PAGE = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

test('every example of api.md does what it says', async (t) => {
  if (spawnSync('curl', ['--version']).error !== undefined) return t.skip('no curl here');
  const server = await startServer(t);
  const folder = temporaryFolder(t);
  const profile = pprofFromDrawing({
    types: ['cpu/nanoseconds'],
    functions: [{ id: 1, name: 'main' }],
    locations: [{ id: 1, lines: [[1]] }],
    samples: [{ stack: [1], values: [5] }],
    timeNanos: BigInt(Date.now()) * 1_000_000n,
  });
  writeFileSync(join(folder, 'cpu.pb.gz'), gzipSync(profile));
  // An answer that is no success fails the command.
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
  const examples = [...PAGE.matchAll(/^### `([^`]+)`[\s\S]*?^```sh\n([\s\S]*?)^```$/gm)];
  assert.ok(examples.length > 15);
  for (const [, route, example] of examples) {
    const script = example.replaceAll('http://127.0.0.1:4040', server.url);
    const { code, output } = await run(script, folder);
    assert.equal(code, 0, `${route}: ${output}`);
  }
});

/** Not `spawnSync`: the server's output must be read meanwhile. */
function run(script, folder) {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', script], { cwd: folder, env: { ...process.env, CURL_HOME: folder } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ code, output }));
  });
}
