import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCollapsed, writePprof } from '@pilotlight/profile';
import { formatOf, readFileContent } from './file-reading.js';
import { serviceOf } from './service-name.js';

const bytes = (text: string) => new TextEncoder().encode(text);

test('collapsed stacks and a pprof of them come to the same', () => {
  const text = bytes('main;work 3\nmain;rest 1');
  const collapsed = readFileContent(text);
  assert.equal(collapsed.format, 'collapsed');
  const profile = readCollapsed(text, { sampleType: { type: 'cpu', unit: 'nanoseconds' } }).profiles[0]?.profile;
  assert.ok(profile);
  const pprof = readFileContent(writePprof(profile));
  assert.equal(pprof.format, 'pprof');
  assert.equal(pprof.profiles[0]?.type, 'process_cpu:cpu:nanoseconds::');
  for (const { profiles } of [collapsed, pprof]) assert.equal(profiles[0]?.tree.total[0], 4);
  assert.equal(pprof.start, 0, 'it does not say when it was');
});

test('what is no profile is refused or counted, and says why', () => {
  assert.throws(() => readFileContent(new Uint8Array()), /the file is empty/);
  assert.throws(() => readFileContent(bytes('FLR\0 but no more')), /no finished chunk/);
  const content = readFileContent(bytes('just some words\nmain 2'));
  assert.deepEqual([content.leftOut, content.profiles.length], [1, 1]);
  assert.equal(content.reasons.length, 1);
});

test('formats are told by their first bytes', () => {
  assert.equal(formatOf(bytes('FLR\0')), 'jfr');
  assert.equal(formatOf(Uint8Array.of(0x0a, 4)), 'pprof');
  assert.equal(formatOf(bytes('a;b 1')), 'collapsed');
});

test('a service is named after the file', () => {
  assert.equal(serviceOf('cpu-2024.jfr.gz'), 'cpu-2024');
  assert.equal(serviceOf('été 1.pb'), '_t__1');
  assert.equal(serviceOf('.jfr'), 'file');
});
