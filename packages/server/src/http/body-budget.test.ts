import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import { BodyBudget, declaredLength } from './body-budget.js';

function chunks(...lengths: number[]): Readable {
  return Readable.from(lengths.map((length) => Buffer.alloc(length, 'x')));
}

test('a body comes in one buffer of its own, and gives its bytes back', async () => {
  const budget = new BodyBudget(100, 1_000);
  const { bytes, release } = await budget.read(Readable.from([Buffer.from('ab'), Buffer.from('cd')]), 4);
  assert.equal(Buffer.from(bytes).toString(), 'abcd');
  assert.equal(bytes.buffer.byteLength, 4);
  assert.equal(budget.bytes, 4);
  release();
  release();
  assert.equal(budget.bytes, 0);
});

test('the limit of one body is exact, and named', async () => {
  const budget = new BodyBudget(100, 1_000);
  (await budget.read(chunks(60, 40), undefined)).release();
  const tooLarge = { code: 'body_size_limit', message: 'the body is larger than 100 bytes', place: { limit: 100 } };
  await assert.rejects(budget.read(chunks(60, 41), undefined), tooLarge);
  await assert.rejects(budget.read(chunks(10), 101), tooLarge);
  assert.equal(budget.bytes, 0);
});

test('a length that is declared allocates nothing, and a wrong one counts for nothing', async () => {
  const budget = new BodyBudget(2 ** 40, 2 ** 40);
  const { bytes } = await budget.read(chunks(3), 2 ** 39);
  assert.equal(bytes.length, 3);
  await assert.rejects(new BodyBudget(100, 1_000).read(chunks(101), 5), { code: 'body_size_limit' });
});

test('what is left of a refused body is read and dropped, so that the client comes to read the answer', async () => {
  const budget = new BodyBudget(100, 1_000);
  for (const declared of [undefined, 5_000]) {
    let given = 0;
    const stream = new Readable({
      highWaterMark: 50,
      read() {
        given++;
        this.push(given > 100 ? null : Buffer.alloc(50));
      },
    });
    await assert.rejects(budget.read(stream, declared), { code: 'body_size_limit' });
    await finished(stream);
    assert.equal(given, 101);
    assert.equal(budget.bytes, 0);
  }
});

test('all bodies share one budget: the one that goes over it is told to come back', async () => {
  const budget = new BodyBudget(100, 150);
  const first = await budget.read(chunks(90), undefined);
  await assert.rejects(budget.read(chunks(40, 21), undefined), {
    code: 'rate_limited',
    message: /more than 150 bytes/,
  });
  assert.equal(budget.bytes, 90);
  const second = await budget.read(chunks(60), undefined);
  first.release();
  second.release();
  (await budget.read(chunks(100), undefined)).release();
  assert.equal(budget.bytes, 0);
});

test('a body that breaks off gives its bytes back', async () => {
  const budget = new BodyBudget(100, 1_000);
  const stream = new PassThrough();
  const reading = budget.read(stream, 10);
  stream.write('abc');
  stream.destroy();
  await assert.rejects(reading, { code: 'malformed_request', message: 'the body ended before it was complete' });
  const failing = new PassThrough();
  const failed = budget.read(failing, 10);
  failing.write('abc');
  failing.destroy(new Error('reset'));
  await assert.rejects(failed, /reset/);
  const gone = new PassThrough();
  gone.destroy();
  await assert.rejects(budget.read(gone, 10), { code: 'malformed_request' });
  assert.equal(budget.bytes, 0);
});

test('at the end of the server the bodies under way are refused', async () => {
  const budget = new BodyBudget(100, 1_000);
  const stream = new PassThrough();
  const reading = budget.read(stream, 10);
  stream.write('abc');
  budget.stop();
  await assert.rejects(reading, { code: 'store_unavailable', message: /shutting down/ });
  assert.equal(budget.bytes, 0);
  assert.equal(stream.destroyed, false);
  stream.destroy();
});

test('the length a request declares', () => {
  assert.equal(declaredLength({ 'content-length': '12' }), 12);
  assert.equal(declaredLength({}), undefined);
  assert.equal(declaredLength({ 'content-length': 'x' }), undefined);
});
