import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import { temporaryFolder } from '../store/testing/temporary-folder.js';
import { answerErrors } from './errors.js';
import { securityHeaders, siteFiles } from './site.js';

const SECRET = 'nobody may read this';

async function serve(t: TestContext) {
  const folder = temporaryFolder(t);
  const site = join(folder, 'site');
  mkdirSync(join(site, 'assets'), { recursive: true });
  writeFileSync(join(site, 'index.html'), '<!doctype html>page');
  writeFileSync(join(site, 'assets', 'index-Ab3dEf78.js'), 'script');
  writeFileSync(join(folder, 'secret.txt'), SECRET);
  const app = Fastify();
  answerErrors(app);
  securityHeaders(app);
  siteFiles(app, site);
  t.after(() => app.close());
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, site, folder };
}

test('the page is asked for again each time, its parts are kept for ever; nothing may be put into it', async (t) => {
  const { app } = await serve(t);
  const page = await app.inject('/');
  assert.equal(page.body, '<!doctype html>page');
  assert.equal(page.headers['cache-control'], 'no-cache');
  const script = await app.inject('/assets/index-Ab3dEf78.js');
  assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable');
  for (const { headers } of [page, script, await app.inject('/nowhere')]) {
    const policy = String(headers['content-security-policy']);
    for (const part of ["default-src 'self'", "object-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      assert.ok(policy.includes(part), part);
    }
    assert.ok(!/unsafe|\*|https?:/.test(policy), policy);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
  }
});

test('nothing outside of the folder is read, however the address is written', async (t) => {
  const { app, site, folder } = await serve(t);
  // Neither what came later, nor what only leads into the folder.
  writeFileSync(join(site, 'late.txt'), SECRET);
  symlinkSync(join(folder, 'secret.txt'), join(site, 'link.txt'));
  const steps = [
    '..',
    '%2e%2e',
    '.%2e',
    '%252e%252e',
    '%c0%ae%c0%ae',
    '..%00',
    '%u002e%u002e',
    '\u2025',
    '..;',
    '....',
    '%2e%2e%5c..',
  ];
  const slashes = ['/', '%2f', '\\', '%5c', '%252f', '//', '/./', '%c0%af'];
  const addresses = steps.flatMap((step) =>
    slashes.map((slash) => `/assets${slash}${step}${slash}${step}${slash}secret.txt`),
  );
  addresses.push(
    '/late.txt',
    '/link.txt',
    '/secret.txt',
    '//secret.txt',
    `/${'../'.repeat(200)}secret.txt`,
    join('/', folder, 'secret.txt'),
  );
  const { port } = app.server.address() as { port: number };
  for (const address of addresses) {
    const answer = await rawGet(port, address);
    assert.match(answer, /^HTTP\/1\.1 (400|404) /, address);
    assert.ok(!answer.includes(SECRET), address);
  }
  t.diagnostic(`${addresses.length} addresses`);
});

/** As it is written: every client would tidy the path. */
function rawGet(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    });
    socket.setEncoding('utf8').on('data', (piece) => {
      answer += piece;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}
