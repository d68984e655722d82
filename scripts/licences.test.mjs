import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from './setup.mjs';

/** Permissive, and known to go with Apache-2.0. */
const ALLOWED = new Set(['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD', 'BlueOak-1.0.0']);

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

test('every dependency at run time has a permissive licence', (t) => {
  // Optional ones too: they are the prebuilt binaries of other platforms.
  const shipped = Object.entries(lock.packages).filter(
    ([path, entry]) => path.startsWith('node_modules/') && !entry.link && !entry.dev,
  );
  const refused = shipped
    .filter(([, { license }]) => !allows(license ?? 'none'))
    .map(([path, { license }]) => `${path}: ${license}`);
  assert.deepEqual(refused, []);
  assert.ok(shipped.length > 20, 'the lock file lists the dependencies');
  t.diagnostic(`${shipped.length} of ${shipped.length} compared`);
});

test('a choice needs one allowed licence, a sum all', () => {
  assert.ok(allows('(MIT OR GPL-3.0)'));
  assert.ok(allows('MIT AND ISC'));
  assert.ok(!allows('MIT AND GPL-3.0'));
  assert.ok(!allows('AGPL-3.0-only'));
  assert.ok(!allows('none'));
});

test('the lock file names no host and every dependency runs on the Node.js we promise', () => {
  for (const [path, { resolved, engines, dev }] of Object.entries(lock.packages)) {
    assert.ok(!resolved?.startsWith('http'), `${path} names ${resolved}`);
    if (!dev) assert.ok(!/^>=\s*2[1-9]/.test(engines?.node ?? ''), `${path} needs Node.js ${engines?.node}`);
  }
});

/** Whether an SPDX expression (without nesting, which nobody uses) lets us ship the package. */
function allows(expression) {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => ALLOWED.has(name.trim())));
}
