import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Reading, readJfr, readPprof, writePprof } from '@pilotlight/profile';
import { profileOf, testRecording } from '../testing/recordings.js';
import { push } from './push.js';
import { summaryOf } from './summary.js';

interface Request {
  readonly query: Record<string, string>;
  readonly authorization: string | undefined;
  readonly agent: string | undefined;
  readonly body: Buffer;
}

const SILENT = { out: () => {}, err: () => {} };
const RECORDED = 1_700_000_000_000_000_000n;

const folder = mkdtempSync(join(tmpdir(), 'pilotlight-push-'));
let requests: Request[] = [];
let answer: { status: number; body: string };
let answerTo: (request: Request) => { status: number; body: string };
let options: { server: string; token: string | undefined };

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '', 'http://localhost');
  assert.equal(url.pathname, '/ingest');
  const body = gunzipSync(Buffer.concat(chunks));
  const received = {
    query: Object.fromEntries(url.searchParams),
    authorization: request.headers.authorization,
    agent: request.headers['user-agent'],
    body,
  };
  requests.push(received);
  const { status, body: text } = answerTo(received);
  response.writeHead(status).end(text);
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
  answerTo = () => answer;
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
  const { failed } = await push(files, { ...options, ...more }, { out: print, err: print });
  // Files are under way side by side.
  return { failed: failed.length, lines: lines.sort() };
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
  assert.match(String(requests[0]?.agent), /^pilotlight-push\/\d+\.\d+\.\d+$/);
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
  assert.match(lines[0] ?? '', /^stacks\.txt: stored as stacks: process_cpu:cpu; 2 stacks; no time in the file: now$/);
  assert.deepEqual(requests[0]?.query, { name: 'stacks', format: 'collapsed', sampleRate: '50', keep: 'true' });
  assert.equal(String(requests[0]?.body), 'main;a 5\nmain;b 7\n');
});

test('a file that cannot be read does not stop the others', async () => {
  const bad = file('bad.pb', Uint8Array.of(0x0a, 0x7f, 0x08));
  const json = file('trace.json', '{"resourceSpans": []}');
  const { failed, lines } = await printed([bad, join(folder, 'none.pb'), json, file('good.pb', pprof())]);
  assert.equal(failed, 3);
  assert.match(lines[0] ?? '', /^bad\.pb: .*\(malformed_profile\)$/);
  assert.match(lines[2] ?? '', /^none\.pb: there is no such file$/);
  assert.match(lines[3] ?? '', /^trace\.json: it is neither pprof, nor JFR, .*\(unsupported_format\)$/);
  assert.match(lines[1] ?? '', /^good\.pb: stored/);
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

test('the end of a name tells what collapsed stacks are stored as', async () => {
  const { lines } = await printed([file('shop.alloc_space.txt', 'main;a 5\n')]);
  assert.match(lines[0] ?? '', /: stored as shop: memory:alloc_space; 1 stacks;/);
  const named = await printed([file('s.txt', 'main;a 5\n')], { name: 'shop.lock_count{region=eu}' });
  assert.match(named.lines[0] ?? '', /: stored as shop\{region=eu\}: block:contentions;/);
});

test('a folder: its profiles are sent, the others counted; a folder without any says so', async () => {
  mkdirSync(join(folder, 'many/deep'), { recursive: true });
  file('many/deep/a.pb', pprof());
  file('many/b.collapsed', 'main;a 5\n');
  file('many/notes.md', 'nothing');
  const pushed = await push([join(folder, 'many')], options, SILENT);
  assert.deepEqual([pushed.files, pushed.stored, pushed.failed, pushed.leftOut], [2, 2, [], 1]);
  assert.equal(summaryOf(pushed, false), '2 of 2 files stored; 1 other file left out: no profile');
  assert.deepEqual(requests.map(({ query }) => query['name']).sort(), ['a', 'b']);
});

test('where there is no server, or it wants a token, the other files are not tried', async () => {
  const files = Array.from({ length: 20 }, (_, i) => file(`many-${i}.pb`, pprof()));
  answer = { status: 401, body: '{"code":"unauthenticated","message":"a token is wanted"}' };
  const pushed = await push(files, options, SILENT);
  assert.ok(pushed.failed.length <= 4 && pushed.failed.length > 0);
  assert.equal(pushed.notTried, 20 - pushed.failed.length);
  assert.match(summaryOf(pushed, false), /^0 of 20 files stored; \d not, or not whole; \d+ not sent\n {2}/);
});

test('told to stop: what is under way ends, the rest is not begun', async () => {
  const stop = new AbortController();
  const files = Array.from({ length: 20 }, (_, i) => file(`stop-${i}.pb`, pprof()));
  const output = { ...SILENT, out: () => stop.abort() };
  const pushed = await push(files, options, output, { signal: stop.signal });
  assert.ok(pushed.stored >= 1 && pushed.stored <= 4, `${pushed.stored} stored`);
  assert.equal(pushed.stored + pushed.notTried, 20);
  assert.deepEqual(pushed.failed, []);
  assert.match(summaryOf(pushed, true), /\nInterrupted: /);
});

test('a busy server is waited for, and the wait ends when told to stop', async () => {
  const stop = new AbortController();
  answer = { status: 503, body: '{"code":"store_full","message":"the log is full"}' };
  const lines: string[] = [];
  const err = (line: string) => {
    lines.push(line);
    stop.abort();
  };
  const pushed = await push([file('cpu.pb', pprof())], options, { out: err, err }, { signal: stop.signal });
  assert.match(lines[0] ?? '', /cpu\.pb: the log is full \(store_full\); next try in 1 s$/);
  assert.equal(pushed.notTried, 1);
});

test('a JFR recording that is too much at once is sent in parts, at another time if asked', async (t) => {
  const bytes = testRecording(t, 'jfr/generated/agent450-wall-alloc-lock.jfr.gz');
  if (bytes === undefined) return;
  const whole = readJfr(bytes);
  const at = Date.UTC(2026, 10, 30);
  // All of it is over the limit of this server, and so is each half.
  answerTo = ({ body }) =>
    body.length > 120_000 ? { status: 422, body: '{"code":"samples_limit","message":"too many samples"}' } : answer;
  const { failed, lines } = await printed([file('long.jfr', bytes)], { at });
  assert.equal(failed, 0);
  assert.match(
    lines[0] ?? '',
    /^long\.jfr: stored as long: .*\d+ profiler\.WallClockSample.*; in [2-9] parts; from 2026-11-29T23:59:\d\d\.\d+Z; \d+\.\d s long$/,
  );
  const stored = requests.filter(({ body }) => body.length <= 120_000).map(({ body }) => readJfr(new Uint8Array(body)));
  const total = ({ profiles }: Reading) =>
    profiles
      .flatMap(({ profile: { samples } }) =>
        samples.values.map((column) => column.slice(0, samples.length).reduce((a, b) => a + b, 0)),
      )
      .reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(stored.map(total).reduce((a, b) => a + b, 0) - total(whole)) <= stored.length * 20);
});

test('a file over the limit is named with what can be done', async () => {
  const { lines } = await printed([file('huge.pb.gz', gzipSync(Buffer.alloc(65 * 1_048_576, 0x0a)))]);
  assert.match(lines[0] ?? '', /^huge\.pb\.gz: inflated it has more than the 64 MiB .* \(profile_size_limit\)$/);
  const cut = await printed([file('cut.pb.gz', gzipSync(pprof()).subarray(0, 50))]);
  assert.match(cut.lines[0] ?? '', /^cut\.pb\.gz: gzip: unexpected end of file \(malformed_profile\)$/);
});

test('a folder without a profile is said to be one', async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  assert.equal(summaryOf(await push([empty], options, SILENT), false), 'There is no profile.');
  writeFileSync(join(empty, 'README.txt'), 'Profiles of 2026');
  assert.equal(summaryOf(await push([empty], options, SILENT), false), 'There is no profile; 1 other file left out.');
});
