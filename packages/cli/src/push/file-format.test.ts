import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileFormat } from './file-format.js';

test('JFR by its magic', () => {
  assert.equal(fileFormat(Uint8Array.of(0x46, 0x4c, 0x52, 0, 0, 2)), 'jfr');
});

test('pprof: it begins like text, but a sample type is no text', () => {
  assert.equal(fileFormat(Uint8Array.of(0x0a, 4, 0x08, 1, 0x10, 2)), 'pprof');
});

test('collapsed stacks are text of any language and any line ends', () => {
  assert.equal(fileFormat(Buffer.from('main;größe 5\r\nmain;\tb 7\n')), 'collapsed');
  assert.equal(fileFormat(Buffer.from('FLR;a 1\n')), 'collapsed');
});
