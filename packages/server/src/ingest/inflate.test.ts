import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { InflateBudget, isGzip } from './inflate.js';

const MIB = 1024 * 1024;

test('gzip is told by its magic, everything else stays as it is', () => {
  const budget = new InflateBudget(100);
  const plain = Buffer.from('FLR\0 and more');
  assert.equal(budget.gunzipIfPacked(plain), plain);
  assert.equal(budget.gunzipIfPacked(new Uint8Array()).length, 0);
  assert.deepEqual([...budget.gunzipIfPacked(gzipSync('abc'))], [...Buffer.from('abc')]);
  assert.ok(isGzip(gzipSync('')));
  assert.ok(!isGzip(Buffer.from([0x1f, 0x8b])));
});

test('the cap is exact, and shared by all parts of an upload', () => {
  const budget = new InflateBudget(100);
  assert.equal(budget.gunzipIfPacked(gzipSync(Buffer.alloc(60))).length, 60);
  assert.equal(budget.gunzipIfPacked(gzipSync(Buffer.alloc(40))).length, 40);
  assert.throws(() => budget.gunzipIfPacked(gzipSync(Buffer.alloc(2))), {
    code: 'body_size_limit',
    message: 'the body inflates to more than 100 bytes',
  });
});

test('a bomb of 10 MB that would be 10 GiB never unfolds', () => {
  const member = gzipSync(Buffer.alloc(64 * MIB), { level: 9 });
  const bomb = Buffer.concat(Array.from({ length: 160 }, () => member));
  assert.ok(bomb.length > 10_000_000);
  const before = process.memoryUsage().rss;
  assert.throws(() => new InflateBudget(16 * MIB).gunzipIfPacked(bomb), { code: 'body_size_limit' });
  assert.ok(process.memoryUsage().rss - before < 128 * MIB);
});

test('100,000 members in one body', () => {
  const member = gzipSync('x');
  const members = Buffer.concat(Array.from({ length: 100_000 }, () => member));
  assert.equal(new InflateBudget(MIB).gunzipIfPacked(members).length, 100_000);
  assert.throws(() => new InflateBudget(99_999).gunzipIfPacked(members), { code: 'body_size_limit' });
});

test('damaged and cut data is refused with the reason', () => {
  const packed = gzipSync(Buffer.from('main;a 5\n'.repeat(100)));
  const wrong = Buffer.from(packed);
  wrong[packed.length - 5]! ^= 0xff;
  for (const bytes of [packed.subarray(0, packed.length / 2), packed.subarray(0, 3), wrong]) {
    assert.throws(() => new InflateBudget(MIB).gunzipIfPacked(bytes), {
      code: 'malformed_profile',
      message: /^the gzip data is damaged or cut off: /,
    });
  }
});
