import assert from 'node:assert/strict';
import test from 'node:test';
import { exampleUpload } from './testing/example-upload.js';
import { decodeUploadRecord, encodeUploadRecord } from './upload-record.js';

const upload = exampleUpload({ stacks: 'main;größe;b 5\nmain;größe;c 2\nmain 1', timeMs: 1_700_000_000_123 });

test('a record is read as it was written, from any address', () => {
  const record = decodeUploadRecord(upload.bytes);
  assert.equal(record.service, 'shop');
  assert.equal(record.timeMs, 1_700_000_000_123);
  assert.deepEqual([...record.strings].sort(), ['', 'b', 'c', 'größe', 'main']);
  assert.equal(record.nodes.length, 4);
  assert.equal(record.series[0]?.total, 8);
  assert.deepEqual([...(record.series[0]?.values ?? [])].sort(), [1, 2, 5]);
  const shifted = new Uint8Array(upload.bytes.length + 3);
  shifted.set(upload.bytes, 3);
  assert.deepEqual(decodeUploadRecord(shifted.subarray(3)), record);
  assert.deepEqual(Buffer.from(encodeUploadRecord(record)), Buffer.from(upload.bytes));
});

test('texts of any letters come back whole, each its own', () => {
  const strings = ['', 'größe', 'a', '🙂', 'x\u0000y', 'ab', 'é🙂é', ''];
  const record = { ...decodeUploadRecord(upload.bytes), strings };
  assert.deepEqual(decodeUploadRecord(encodeUploadRecord(record)).strings, strings);
});

test('samples stand in the order of their node ids', () => {
  const { series, nodes } = decodeUploadRecord(upload.bytes);
  const ids = Array.from(series[0]?.nodes ?? [], (row) => nodes.id[row] as number);
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => a - b),
  );
});

test('any flipped bit and any cut is noticed', () => {
  for (let at = 0; at < upload.bytes.length; at++) {
    const damaged = new Uint8Array(upload.bytes);
    damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
    assert.throws(() => decodeUploadRecord(damaged), { code: 'internal' }, `byte ${at}`);
    assert.throws(() => decodeUploadRecord(upload.bytes.slice(0, at)), { code: 'internal' }, `cut at ${at}`);
  }
});
