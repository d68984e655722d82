/** The first load keeps its budget. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { siteDirectory } from '@pilotlight/ui';
import { FIRST_LOAD_BYTES_MAX, pageSizes } from '../../packages/ui/size.mjs';

test('the first load is small, and the plot is no part of it', () => {
  const { first, late, firstBytes } = pageSizes();
  assert.ok(first.some(({ file }) => file.endsWith('.js')) && first.some(({ file }) => file.endsWith('.css')));
  assert.ok(firstBytes > 10_000 && firstBytes <= FIRST_LOAD_BYTES_MAX, `${firstBytes} bytes`);
  assert.ok(late.some(({ file, bytes }) => file.includes('plot-') && bytes > 15_000));
});

test('the page has nothing inline and names no other place', () => {
  const html = readFileSync(join(siteDirectory, 'index.html'), 'utf8');
  assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|javascript:|https?:|"\/\//);
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)/);
});
