import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readPprof, writePprof } from '@pilotlight/profile';
import { profileOf } from '../testing/recordings.js';
import { push } from './push.js';

interface Request {
  readonly query: Record<string, string>;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

const RECORDED = 1_700_000_000_000_000_000n;

const folder = mkdtempSync(join(tmpdir(), 'pilotlight-push-'));
let requests: Request[] = [];
let answer: { status: number; body: string };
let options: { server: string; token: string | undefined };

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '', 'http://localhost');
  assert.equal(url.pathname, '/ingest');
  const body = gunzipSync(Buffer.concat(chunks));
  requests.push({ query: Object.fromEntries(url.searchParams), authorization: request.headers.authorization, body });
  response.writeHead(answer.status).end(answer.body);
});

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  options = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: undefined };
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  requests = [];
  answer = { status: 200, body: '' };
});

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function pprof(): Uint8Array {
  return writePprof(profileOf('main;a 5\nmain;b 7', { timeNanos: RECORDED, durationNanos: 10e9 }));
}

/** Pushes and returns what was printed, without the folder of the files. */
async function printed(files: string[], more: object = {}): Promise<{ failed: number; lines: string[] }> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line.replaceAll(`${folder}/`, ''));
  const failed = await push(files, { ...options, ...more }, { out: print, err: print });
  return { failed, lines };
}

test('a pprof file goes as it is, at its own time, named after the file', async () => {
  const { failed, lines } = await printed([file('my shop.cpu.pb.gz', gzipSync(pprof()))]);
  assert.equal(failed, 0);
  assert.deepEqual(lines, [
    'my shop.cpu.pb.gz: stored as my_shop.cpu: cpu; 2 stacks; from 2023-11-14T22:13:20.000Z; 10.0 s long',
  ]);
  assert.deepEqual(requests[0]?.query, {
    name: 'my_shop.cpu',
    format: 'pprof',
    from: '1700000000',
    until: '1700000011',
  });
  assert.deepEqual(new Uint8Array(requests[0]?.body ?? []), pprof());
});

test('--at lets a recording end at another time', async () => {
  const at = Date.UTC(2026, 10, 30);
  const { lines } = await printed([file('cpu.pprof', pprof())], { at, name: 'shop{region=eu}' });
  assert.match(lines[0] ?? '', /stored as shop\{region=eu\}: .* from 2026-11-29T23:59:50\.000Z/);
  const sent = readPprof(requests[0]?.body ?? new Uint8Array()).profiles[0]?.profile;
  assert.equal(sent?.timeNanos, BigInt(at) * 1_000_000n - 10_000_000_000n);
});

test('collapsed stacks have no time of their own', async () => {
  const { lines } = await printed([file('stacks.txt', 'main;a 5\nmain;b 7\n')], { sampleRate: 50, keep: true });
  assert.match(lines[0] ?? '', /2 stacks; no time in the file: now$/);
  assert.deepEqual(requests[0]?.query, { name: 'stacks', format: 'collapsed', sampleRate: '50', keep: 'true' });
  assert.equal(String(requests[0]?.body), 'main;a 5\nmain;b 7\n');
});

test('a file that cannot be read does not stop the others', async () => {
  const bad = file('bad.pb', Uint8Array.of(0x0a, 0x7f, 0x08));
  const json = file('trace.json', '{"resourceSpans": []}');
  const { failed, lines } = await printed([bad, join(folder, 'none.pb'), json, file('good.pb', pprof())]);
  assert.equal(failed, 3);
  assert.match(lines[0] ?? '', /^bad\.pb: .*\(malformed_profile\)$/);
  assert.match(lines[1] ?? '', /^none\.pb: ENOENT/);
  assert.match(lines[2] ?? '', /^trace\.json: it is neither pprof, nor JFR, .*\(unsupported_format\)$/);
  assert.match(lines[3] ?? '', /^good\.pb: stored/);
});

test('too old: says what can be done', async () => {
  answer = { status: 422, body: '{"code":"outside_time_window","message":"older than 7 days"}' };
  const { failed, lines } = await printed([file('old.pb', pprof())]);
  assert.equal(failed, 1);
  assert.match(lines[0] ?? '', /^old\.pb: older than 7 days \(outside_time_window\)\n {2}Say --at now .* or --keep /);
});

test('the token goes along', async () => {
  await printed([file('cpu.pb', pprof())], { token: 'secret' });
  assert.equal(requests[0]?.authorization, 'Bearer secret');
});

test('no server: says so', async () => {
  const { lines } = await printed([file('cpu.pb', pprof())], { server: 'http://127.0.0.1:1' });
  assert.match(lines[0] ?? '', /^cpu\.pb: fetch failed: .*\n {2}Is the server running\?/);
});
